import { PART_NAMES, type PartName, type Parts } from './parts.ts';

/** Changes with the parts and their weights. */
export const IMPERSONATION_METHOD_VERSION = 'impersonation/1';

/** Log odds of a suspect of whom no part is known. */
const PRIOR = -12.15;

/**
 * Weights of the parts, in natural logarithms of odds, estimated by logistic regression in worlds of development
 * (`node infra/calibrate/impersonation/tune.ts`), so that parts that come together share their weight. Age, verification and
 * which of the two has more followers were tried too, and said nothing.
 */
const WEIGHTS: Readonly<Record<PartName, number>> = {
  name_as_written: 5.25,
  name_equal: -2.59,
  name_compatible: 0.81,
  name_partial: 3.55,
  bio_equal: 2.4,
  picture_equal: 1.19,
  links_equal: 3.84,
  links_equal_to_accounts: 1.22,
  no_links: 2.86,
  links_missing: -2.71,
  links_of_its_own: -1.68,
  handle_equal: -2.33,
  handle_similar: 4.69,
  former_handle: 4.65,
  linked_by_subject: -3.49,
  linked_by_person: -5.18,
  links_to_subject: -3.89,
  links_to_person: 0.87,
  same_person: -3.66,
  other_person: -3.93,
  person_on_platform: -4.74,
  same_platform: -2.37,
  disclaimer: -3.61,
  size_apart: 0.27,
};

/** The prior, then the weight of each part, in their order. */
export const MODEL_WEIGHTS: readonly number[] = [PRIOR, ...PART_NAMES.map((name) => WEIGHTS[name])];

/**
 * Log odds from which on a suspect is named. In every world of development 95 % of the impersonators are `possible`, and of the
 * suspects of accounts that are impersonated 95 % of those that are named are impersonators; `likely` are so many of the
 * suspects of any account.
 */
export const THRESHOLDS = { possible: -2.5, likely: 3 } as const;
export type Verdict = keyof typeof THRESHOLDS;

/** What a part adds to the log odds: its value, null if it is unknown, times its weight, 0 if it is unknown. */
export interface WeightedPart {
  readonly part: PartName | 'prior';
  readonly value: number | null;
  readonly weight: number;
}

/** The parts that are unknown or say something, after the prior; the others have the value 0. */
export const weightedParts = (parts: Parts): readonly WeightedPart[] => [
  { part: 'prior', value: 1, weight: PRIOR },
  ...PART_NAMES.flatMap((part) => {
    const value = parts[part];
    return value === 0 ? [] : [{ part, value, weight: value === null ? 0 : WEIGHTS[part] }];
  }),
];

/** Log odds that a suspect is an impersonator, of any account that is asked about. */
export const impersonationLogOdds = (parts: Parts): number =>
  PART_NAMES.reduce((sum, part) => sum + WEIGHTS[part] * (parts[part] ?? 0), PRIOR);

/** Null if it is not named. */
export const verdictOf = (logOdds: number): Verdict | null =>
  logOdds >= THRESHOLDS.likely ? 'likely' : logOdds >= THRESHOLDS.possible ? 'possible' : null;
