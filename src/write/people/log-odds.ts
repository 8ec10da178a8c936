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
 * The threshold is the lowest tenth at which a link between accounts of other names is no person by itself; no world of
 * development has a precision below 0.99 there.
 * Two are not estimated: `name_common`, since a name of n accounts says ln(n / 128) less; `named_unlike` is twice its
 * estimate, which is a mean over worlds, so that worlds with many fans keep the precision.
 */
export const MODEL: Model = {
  weights: {
    mutual: 7.38,
    claim: 2.33,
    page: 1.9,
    mutual_twice: 0.58,
    mutual_handle_equal: 3.25,
    mutual_handle_alike: -1.9,
    mutual_name_agrees: 1.33,
    mutual_conflict: -8.9,
    more_links: 0.35,
    and_page: 0.57,
    page_named: 1.33,
    silent: -0.27,
    handle_equal: 3.09,
    handle_alike: -2.63,
    name_equal: 2.23,
    name_alike: 1.82,
    name_short: 1.79,
    name_partial: -2.25,
    name_common: -1,
    disclaimed: -8.91,
    copied_links: -0.55,
    copied_links_more: -0.99,
    copied_bio: 0.85,
    copied_all: -2.59,
    other_picture: -0.76,
    conflict: -6.36,
    original_alike: 1.69,
    named_unlike: -0.88,
    much_smaller: -0.64,
    much_larger: -0.4,
  },
  threshold: 1.6,
};

/** Log odds that two groups are of one person. */
export const logOddsOf = (signals: Signals, weights: Weights): number =>
  SIGNAL_NAMES.reduce((sum, name) => sum + weights[name] * (signals[name] ?? 0), 0);

export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
