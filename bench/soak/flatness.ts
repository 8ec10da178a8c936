import { median } from '../support/rounds.ts';

/** A measurement of something that began and ended, as a process: those of different ones are never compared. */
export interface Measured {
  readonly atS: number;
  readonly value: number;
  /** Which process, where a name has several one after the other. */
  readonly instance: string;
}

/** What still counts as flat: growth of an instance, as a share of the level or in its unit, the larger of both. */
export interface Bound {
  readonly share: number;
  readonly least: number;
}

export interface Flatness {
  /** Median of all values after the warm-up; NaN without any. */
  readonly level: number;
  /** Growth in the time that an instance is measured, `overS`, at the median of all slopes within an instance. */
  readonly growth: number;
  /** Median of the seconds for which instances are measured. */
  readonly overS: number;
  readonly allowed: number;
  readonly flat: boolean;
  /** Values that were compared. */
  readonly values: number;
}

/** Values of each instance after its first `warmS` seconds, or the first third of its life if that is longer. */
const warmed = (values: readonly Measured[], warmS: number): readonly (readonly Measured[])[] =>
  [...Map.groupBy(values, ({ instance }) => instance).values()]
    .map((ones) => {
      const bornS = ones[0]?.atS ?? 0;
      const fromS = bornS + Math.max(warmS, ((ones.at(-1)?.atS ?? bornS) - bornS) / 3);
      return ones.filter(({ atS }) => atS >= fromS);
    })
    .filter((ones) => ones.length > 1);

const WINDOWS = 8;

/**
 * The least value of each eighth of what was measured: a heap grows until it is collected, and what is live is what the
 * collection leaves.
 */
const leastOf = (ones: readonly Measured[]): readonly Measured[] => {
  const fromS = ones[0]?.atS ?? 0;
  const spanS = (ones.at(-1)?.atS ?? fromS) - fromS;
  const windows = Map.groupBy(ones, ({ atS }) =>
    Math.min(WINDOWS - 1, Math.floor(((atS - fromS) / spanS) * WINDOWS)),
  );
  return [...windows.values()].map((each) =>
    each.reduce((least, one) => (one.value < least.value ? one : least)),
  );
};

/** Slopes between all pairs of measurements that are far enough apart to tell a trend from the work of a moment. */
const slopes = (ones: readonly Measured[]): readonly number[] => {
  const [first] = ones;
  const last = ones.at(-1);
  if (first === undefined || last === undefined) return [];
  const apartS = (last.atS - first.atS) / 2;
  return ones.flatMap((a, i) =>
    ones
      .slice(i + 1)
      .filter((b) => b.atS > a.atS && b.atS - a.atS >= apartS)
      .map((b) => (b.value - a.value) / (b.atS - a.atS)),
  );
};

/**
 * Whether something grows: the median of slopes (Theil and Sen) between the least values of times, within instances, since a
 * process that was started again begins small.
 * @param warmS seconds of each instance that are not compared.
 */
export const flatnessOf = (
  values: readonly Measured[],
  { warmS, bound }: { readonly warmS: number; readonly bound: Bound },
): Flatness => {
  const instances = warmed(values, warmS);
  const all = instances.flat();
  const level = median(all.map(({ value }) => value));
  const overS = median(instances.map((ones) => (ones.at(-1)?.atS ?? 0) - (ones[0]?.atS ?? 0)));
  const growth = median(instances.map(leastOf).flatMap(slopes)) * overS;
  const allowed = Math.max(bound.least, bound.share * level);
  return { level, growth, overS, allowed, flat: growth <= allowed, values: all.length };
};
