import { GROWTH_EXPONENT } from './divergence.ts';

/**
 * What readings showed of how fast an account's followers change. Whole numbers, so that a row that is read again is the one
 * that was written.
 */
export interface ChangeEvidence {
  /** Sum of |Δ ln followers|, in millionths. */
  readonly moved: number;
  /** Sum of days^H between readings, in thousandths. */
  readonly exposure: number;
}

export const NO_EVIDENCE: ChangeEvidence = { moved: 0, exposure: 0 };

/** Two numbers of followers that were shown so many days after each other. */
export interface FollowerChange {
  readonly before: number;
  readonly after: number;
  readonly days: number;
}

const PPM = 1e6;
const MILLI = 1e3;
/** Weight that evidence keeps with each further reading, as accounts become calmer or livelier: that of some 12 readings. */
const KEPT = 1 - 1 / 12;
/** Readings that the median of the pool counts as. */
const PRIOR_READINGS = 0.5;
/** A reading counts as at most so many times the expected change: a misread number has no lasting effect. */
const MAX_SURPRISE = 8;

/**
 * The step in which a number is shown: 1,230,000 is "1.23M", in steps of 10,000. One exact number in a hundred ends in two
 * zeros by chance, and counts as less exact than it is.
 */
const stepOf = (count: number): number => {
  let step = 1;
  while (count % (step * 10) === 0 && step * 100 <= count) step *= 10;
  return step >= 100 ? step : 1;
};

/** |Δ ln followers|, nothing if the coarser of two numbers can't show it, and the least change that it can show. */
const movement = ({ before, after }: FollowerChange): { readonly by: number; readonly step: number } => {
  const step = Math.max(stepOf(before), stepOf(after));
  const by = Math.abs(after - before) < step ? 0 : Math.abs(Math.log((after + 1) / (before + 1)));
  return { by, step: Math.log1p(step / (Math.min(before, after) + 1)) };
};

/** What a reading adds to the sum of changes, in millionths. @param change coefficient before it. */
const countedMove = (change: number, reading: FollowerChange): number => {
  const { by, step } = movement(reading);
  return Math.round(Math.min(by, MAX_SURPRISE * change * reading.days ** GROWTH_EXPONENT + step) * PPM);
};

/**
 * Adds a reading that came too soon to be one of its own: its change counts with the next one, which has the whole gap. However
 * many there are, together they count as at most so many times the expected change.
 */
export const withMove = (
  { moved, exposure }: ChangeEvidence,
  change: number,
  reading: FollowerChange,
): ChangeEvidence => {
  const most = MAX_SURPRISE * change * (exposure / MILLI) + movement(reading).step;
  const added = moved + countedMove(change, reading);
  return { moved: Math.max(moved, Math.min(added, Math.round(most * PPM))), exposure };
};

/**
 * Adds a reading, and estimates the change coefficient of the account with shrinkage to the median of its pool.
 *
 * The mean of |Δ| is unbiased however coarsely numbers are shown: a step is rarer by as much as it is larger than the change. So
 * the estimate is a ratio of sums, as that of a Poisson rate, with a prior of the same kind (Gamma; Gelman et al., Bayesian Data
 * Analysis, 2.6): readings as long as this one, and as long as the median account takes for a step. An account that shows no
 * change is then as calm as its readings could have shown it to be, and no calmer.
 * @param known.change the coefficient before the reading; `median`, that of the pool's median account.
 */
export const estimated = (
  evidence: ChangeEvidence,
  known: { readonly change: number; readonly median: number },
  reading: FollowerChange,
): { readonly evidence: ChangeEvidence; readonly change: number } => {
  const exposed = reading.days ** GROWTH_EXPONENT;
  const moved = Math.round(evidence.moved * KEPT) + countedMove(known.change, reading);
  const exposure = Math.round(evidence.exposure * KEPT + exposed * MILLI);
  const prior = PRIOR_READINGS * (exposed + movement(reading).step / known.median);
  const change = (known.median * prior + moved / PPM) / (prior + exposure / MILLI);
  return { evidence: { moved, exposure }, change };
};
