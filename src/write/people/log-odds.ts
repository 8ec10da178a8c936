import { SIGNAL_NAMES, type SignalName, type Signals } from './signals.ts';

export type Weights = Readonly<Record<SignalName, number>>;

/** How accounts are judged: weights, and the log odds from which on two groups are one person. */
export interface Model {
  readonly weights: Weights;
  readonly threshold: number;
}

/** Changes with the weights and signals: results name it. */
export const METHOD_VERSION = 'people/1';

/**
 * Weights of signals, in natural logarithms of odds (Fellegi and Sunter, *A Theory for Record Linkage*, 1969), estimated by
 * logistic regression in worlds of development (`node bench/people/tune.ts`), so that correlated signals share their weight.
 * The threshold is the lowest at which no world of development has a precision below 0.99.
 * Two are not estimated: `name_common`, since a name of n accounts says ln(n / 128) less; `named_unlike` is twice its
 * estimate, which is a mean over worlds, so that worlds with many fans keep the precision.
 */
export const MODEL: Model = {
  weights: {
    mutual: 6.5,
    claim: 2.51,
    page: 2.11,
    mutual_twice: 0.62,
    mutual_handle_equal: 2.81,
    mutual_handle_alike: -1.2,
    mutual_name_agrees: 2.07,
    mutual_conflict: -8.31,
    more_links: 0.34,
    and_page: 0.56,
    page_named: 1.38,
    silent: -0.28,
    handle_equal: 2.84,
    handle_alike: -2.93,
    name_equal: 2.27,
    name_alike: 1.8,
    name_short: 1.79,
    name_partial: -2.27,
    name_common: -1,
    disclaimed: -8.69,
    copied_links: -0.34,
    copied_links_more: -0.99,
    copied_bio: 0.83,
    copied_all: -2.55,
    other_picture: -0.78,
    conflict: -5.72,
    original_alike: 1.88,
    named_unlike: -1.2,
    much_smaller: -0.66,
    much_larger: -0.45,
  },
  threshold: 1.8,
};

/** Log odds that two groups are of one person. */
export const logOddsOf = (signals: Signals, weights: Weights): number =>
  SIGNAL_NAMES.reduce((sum, name) => sum + weights[name] * (signals[name] ?? 0), 0);

export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
