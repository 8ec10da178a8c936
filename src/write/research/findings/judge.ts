import { binomialTail, poissonAtMost, studentTail } from '../../../kernel/distributions.ts';
import type { FindingKind } from '../events.ts';
import { rounded } from '../policy/rounded.ts';

/** What a rule measured: recorded with the finding, which follows from it alone. */
export type Metrics = Readonly<Record<string, number | null>>;

/** What may be a finding. */
export interface Candidate {
  readonly kind: FindingKind;
  readonly subject: string;
  readonly metrics: Metrics;
  readonly evidence: readonly string[];
}

export interface Finding extends Candidate {
  readonly summary: string;
  /** 1 - p: p is the probability of such counts if there was nothing to find. */
  readonly confidence: number;
}

const at = (metrics: Metrics, name: string): number => {
  const value = metrics[name];
  if (typeof value !== 'number') throw new RangeError(`the metric ${name} is missing`);
  return value;
};

/** Degrees of freedom below which a test by dispersion says nothing. */
const LEAST_BLOCKS = 3;

/**
 * Probability of a count as high as this one if its rate is at most `least_ratio` times that of the baseline: the larger of two, of the
 * conditional test of two Poisson rates (Przyborowski and Wilenski 1940) on counts scaled by their dispersion, and of Student's test of a new
 * observation, which knows how well the dispersion is known.
 */
const excessP = (metrics: Metrics): number => {
  const [count, exposure] = [at(metrics, 'count'), at(metrics, 'exposure')];
  const [former, formerExposure] = [at(metrics, 'baseline_count'), at(metrics, 'baseline_exposure')];
  const [ratio, dispersion, blocks] = [
    at(metrics, 'least_ratio'),
    at(metrics, 'dispersion'),
    at(metrics, 'blocks'),
  ];
  if (exposure <= 0 || formerExposure <= 0) return 1;
  const share = (ratio * exposure) / (ratio * exposure + formerExposure);
  const exact = binomialTail(count / dispersion, (count + former) / dispersion, share);
  if (blocks < LEAST_BLOCKS || former === 0) return exact;
  const expected = (ratio * exposure * former) / formerExposure;
  const deviation = Math.sqrt(dispersion * expected * (1 + (ratio * exposure) / formerExposure));
  return Math.max(exact, studentTail((count - expected) / deviation, blocks - 1));
};

/** Probability of a count as low as this one if its rate is at least `most_ratio` times the baseline's. */
const deficitP = (metrics: Metrics): number => {
  const [count, exposure] = [at(metrics, 'count'), at(metrics, 'exposure')];
  const rate = at(metrics, 'baseline_count') / at(metrics, 'baseline_exposure');
  const expected = at(metrics, 'most_ratio') * rate * exposure;
  return poissonAtMost(count / at(metrics, 'dispersion'), expected / at(metrics, 'dispersion'));
};

/** Probability of so many late accounts if at most `late_share` of them were late. */
const lateP = (metrics: Metrics): number =>
  binomialTail(at(metrics, 'late'), at(metrics, 'accounts'), at(metrics, 'late_share'));

const hasCount = (metrics: Metrics): boolean => at(metrics, 'count') >= at(metrics, 'least_count');

/** An engine that was found degraded is a fault, whatever its counts are. */
const faultP = (metrics: Metrics): number => {
  if (at(metrics, 'alarms') > 0) return 0;
  const isMany = at(metrics, 'count') >= at(metrics, 'least_share') * at(metrics, 'exposure');
  return isMany && hasCount(metrics) ? excessP(metrics) : 1;
};

const P: Readonly<Record<FindingKind, (metrics: Metrics) => number>> = {
  pool_yield: (metrics) => (hasCount(metrics) ? excessP(metrics) : 1),
  pool_exhausted: deficitP,
  pool_stale: lateP,
  demand_surge: (metrics) => (hasCount(metrics) ? excessP(metrics) : 1),
  engine_fault: faultP,
  rename_wave: (metrics) => (hasCount(metrics) ? excessP(metrics) : 1),
  growth_cluster: (metrics) => (hasCount(metrics) ? excessP(metrics) : 1),
};

const rate = (count: number, exposure: number): number => (exposure === 0 ? 0 : count / exposure);
const number = (value: number): string => String(Number(value.toPrecision(3)));

const rates = (metrics: Metrics) => ({
  now: rate(at(metrics, 'count'), at(metrics, 'exposure')),
  before: rate(at(metrics, 'baseline_count'), at(metrics, 'baseline_exposure')),
});

const percent = (share: number): string => `${number(100 * share)} %`;

const SUMMARIES: Readonly<Record<FindingKind, (subject: string, metrics: Metrics) => string>> = {
  pool_yield: (subject, metrics) => {
    const { now, before } = rates(metrics);
    return `${subject} discovers ${number(1_000 * now)} accounts a thousand requests, the pools it is compared with ${number(1_000 * before)}`;
  },
  pool_exhausted: (subject, metrics) => {
    const { now, before } = rates(metrics);
    return `${subject} discovers ${number(1_000 * now)} accounts a thousand requests, on its best day ${number(1_000 * before)}`;
  },
  pool_stale: (subject, metrics) =>
    `${at(metrics, 'late')} of ${at(metrics, 'accounts')} accounts of ${subject} are late by more than ${number(at(metrics, 'grace_s') / 3_600)} h`,
  demand_surge: (subject, metrics) => {
    const { now, before } = rates(metrics);
    return `${number(now)} accounts an hour were asked for and recruited by ${subject}, before ${number(before)}`;
  },
  engine_fault: (subject, metrics) => {
    const { now, before } = rates(metrics);
    const alarms = at(metrics, 'alarms');
    const alarm =
      alarms === 0 ? '' : `, and it was found degraded ${alarms === 1 ? 'once' : `${alarms} times`}`;
    return `${percent(now)} of the readings of ${subject} were inconclusive, before ${percent(before)}${alarm}`;
  },
  rename_wave: (subject, metrics) => {
    const { now, before } = rates(metrics);
    return `${number(1_000 * now)} of a thousand readings of ${subject} found an account renamed, before ${number(1_000 * before)}`;
  },
  growth_cluster: (subject, metrics) => {
    const { now, before } = rates(metrics);
    return `${number(1_000 * now)} of a thousand readings of ${subject} found a jump of followers, before ${number(1_000 * before)}`;
  },
};

/** The finding that metrics show; null if they may be chance: their probability is at least `alpha`. */
export const judge = (candidate: Candidate): Finding | null => {
  const { kind, subject, metrics } = candidate;
  const p = P[kind](metrics);
  if (!(p < at(metrics, 'alpha'))) return null;
  return { ...candidate, summary: SUMMARIES[kind](subject, metrics), confidence: rounded(1 - p) };
};
