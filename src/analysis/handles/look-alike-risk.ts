/** Orders of magnitude between sizes from which on they differ as much as they can. */
const FULL_RATIO = 4;

const WEIGHTS = { skeleton: 0.5, distance: 0.3, size: 0.2 } as const;

/** A part of a risk: what it says between 0 and 1, null if it is unknown, and its weight in the sum. */
export interface RiskPart {
  readonly part: keyof typeof WEIGHTS;
  readonly value: number | null;
  readonly weight: number;
}

export interface Risk {
  /** The sum of values by weights, between 0 and 1. */
  readonly risk: number;
  readonly parts: readonly RiskPart[];
}

interface Compared {
  readonly isSkeletonEqual: boolean;
  readonly distance: number;
  /** Characters of the longer name. */
  readonly length: number;
  /** Followers of both accounts; null if they are unknown. */
  readonly followers: readonly [number | null, number | null];
}

/** How far apart two accounts are in size: 0 for equal ones, 1 from a ratio of 10,000 on. */
const sizeApart = ([a, b]: Compared['followers']): number | null =>
  a === null || b === null ? null : Math.min(1, Math.abs(Math.log10((a + 1) / (b + 1))) / FULL_RATIO);

/**
 * How much a handle invites to be taken for another: looks, edits by length, and sizes that differ. An unknown part has no weight:
 * the others share it in proportion. The weights are chosen, not fitted: there is no sample of impersonators with a known share.
 */
export const lookAlikeRisk = (compared: Compared): Risk => {
  const values = {
    skeleton: compared.isSkeletonEqual ? 1 : 0,
    distance: Math.max(0, 1 - compared.distance / Math.max(1, compared.length)),
    size: sizeApart(compared.followers),
  } as const;
  const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const known = names.reduce((sum, name) => sum + (values[name] === null ? 0 : WEIGHTS[name]), 0);
  const parts = names.map((part) => ({
    part,
    value: values[part],
    weight: values[part] === null ? 0 : WEIGHTS[part] / known,
  }));
  const risk = parts.reduce((sum, { value, weight }) => sum + (value ?? 0) * weight, 0);
  return { risk: Math.min(1, risk), parts };
};
