/** Findings: the rules, the series of counts that they look at, and the tests that judge them. */

import { mean, sampleVariance } from 'simple-statistics';
import {
  binomialTail,
  digamma,
  poissonAtMost,
  studentTail,
  trigamma,
  trigammaInverse,
} from '../../kernel/distributions.ts';
import { rounded } from './policy.ts';
import type { FindingKind } from './research.ts';

/** Counters of a pool by hour. */
export interface PoolCounts {
  readonly pool: string;
  readonly platform: string;
  /** Finds of requests. */
  readonly discovered: readonly FoundHour[];
  /** Recruitments that callers asked for, of hours. */
  readonly demanded: readonly CountedHour[];
  /** Jumps of followers, of readings. */
  readonly jumps: readonly CountedHour[];
  /** Accounts that are due for longer than the grace, of all; null if unknown. */
  readonly late: { readonly late: number; readonly accounts: number; readonly graceS: number } | null;
}

/** Counters of an engine by hour. */
export interface EngineCounts {
  readonly engine: string;
  /** Inconclusive readings, of all. */
  readonly errors: readonly CountedHour[];
  /** Times that it was found degraded, of hours. */
  readonly alarms: readonly CountedHour[];
  /** Readings that found an account renamed. */
  readonly renames: readonly CountedHour[];
}

export interface Counts {
  readonly pools: readonly PoolCounts[];
  readonly engines: readonly EngineCounts[];
  /** The present hour, counted since 1970. */
  readonly now: number;
}

/** False findings of a run: its tests share this probability (Bonferroni). */
const ALPHA_OF_RUN = 0.01;
const KINDS_OF_A_POOL = 5;
const KINDS_OF_AN_ENGINE = 2;

/** Hours that each kind looks at, and hours before them that it compares them with. */
const DAY = 24;
const RECENT: Readonly<Record<FindingKind, number>> = {
  pool_yield: DAY,
  // What is left is little: it takes longer to be sure.
  pool_exhausted: 2 * DAY,
  pool_stale: DAY,
  demand_surge: 6,
  engine_fault: 2,
  rename_wave: DAY,
  growth_cluster: DAY,
};
const BASELINE_H = 13 * DAY;

/** At least twice the baseline: smaller changes need no operator. */
const LEAST_RATIO = 2;
/** A pool that discovers less than a tenth of what it did on its best day. */
const EXHAUSTED = 0.1;
/** Late accounts that a pool always has: readings are tried again within an hour. */
const LATE_SHARE = 0.05;
/** Inconclusive readings that an engine may have without being faulty. */
const FAULTY_SHARE = 0.2;
const LEAST_COUNT: Readonly<Partial<Record<FindingKind, number>>> = {
  pool_yield: 20,
  demand_surge: 10,
  engine_fault: 10,
  rename_wave: 10,
  growth_cluster: 5,
};

const named = ({ count, exposure }: Counted, prefix = ''): Readonly<Record<string, number>> => ({
  [`${prefix}count`]: rounded(count),
  [`${prefix}exposure`]: rounded(exposure),
});

/** A series whose recent hours are compared with former ones. */
interface Series {
  readonly kind: FindingKind;
  readonly subject: string;
  readonly hours: readonly CountedHour[];
}

/** Candidates of one kind, by its series of all subjects. */
const excesses = (all: readonly Series[], now: number, alpha: number): readonly Candidate[] => {
  const compared = all.map((series) => {
    const length = RECENT[series.kind];
    const { kind, hours } = series;
    const blocks = formerBlocks(hours, now, length, BASELINE_H, kind === 'demand_surge');
    return { ...series, length, recent: recentHours(hours, now, length), blocks, factors: factorsOf(blocks) };
  });
  const known = moderated(compared.flatMap(({ factors }) => factors ?? []));
  let next = 0;
  return compared.map(({ kind, subject, length, recent, blocks, factors }) => ({
    kind,
    subject,
    metrics: {
      ...named(sumOf(recent)),
      ...named(sumOf(blocks), 'baseline_'),
      ...dispersionOf(blocks),
      ...(factors === null ? {} : known[next++]),
      least_ratio: LEAST_RATIO,
      least_count: LEAST_COUNT[kind] ?? 0,
      hours: length,
      alpha,
    },
    evidence: evidenceOf(recent.filter(({ count }) => count > 0)),
  }));
};

/** What pools discovered of late: each of them, and all of its platform or of all platforms, which are added up once. */
interface Discovered {
  readonly recent: ReadonlyMap<string, readonly FoundHour[]>;
  readonly ofPlatform: ReadonlyMap<string, Found & { readonly pools: number }>;
  readonly ofAll: Found;
}

type Found = Counted & Pick<FoundHour, 'namers'>;

const foundOf = (parts: readonly Found[]): Found => ({
  ...sumOf(parts),
  namers: parts.reduce((sum, { namers }) => sum + namers, 0),
});

const namedFinds = (found: Found, prefix = ''): Readonly<Record<string, number>> => ({
  ...named(found, prefix),
  [`${prefix}namers`]: found.namers,
});

/** How finds vary beyond chance: from hour to hour, and since one account names several. */
const dispersionOfFinds = (hours: readonly FoundHour[]) => {
  const { blocks, dispersion } = dispersionOf(hours.filter(({ exposure }) => exposure > 0));
  const { count, namers } = foundOf(hours);
  return { blocks, dispersion: rounded(Math.max(dispersion, count / Math.max(1, namers))) };
};

const discoveredBy = ({ pools, now }: Counts): Discovered => {
  const recent = new Map(
    pools.map(({ pool, discovered }) => [pool, recentHours(discovered, now, RECENT.pool_yield)]),
  );
  const sums = pools.map(({ pool, platform }) => ({ platform, ...foundOf(recent.get(pool) ?? []) }));
  const ofPlatform = [...Map.groupBy(sums, ({ platform }) => platform)].map(
    ([platform, group]) => [platform, { ...foundOf(group), pools: group.length }] as const,
  );
  return { recent, ofPlatform: new Map(ofPlatform), ofAll: foundOf(sums) };
};

/** What the pools discovered that a pool is compared with: others of its platform, or all others if it is the only one. */
const peersOf = ({ platform }: PoolCounts, own: Found, { ofPlatform, ofAll }: Discovered): Found => {
  const group = ofPlatform.get(platform);
  const all = group === undefined || group.pools === 1 ? ofAll : group;
  return {
    count: all.count - own.count,
    exposure: all.exposure - own.exposure,
    namers: all.namers - own.namers,
  };
};

const yieldOf = (pool: PoolCounts, discovered: Discovered, alpha: number): Candidate => {
  const hours = RECENT.pool_yield;
  const recent = discovered.recent.get(pool.pool) ?? [];
  const own = foundOf(recent);
  return {
    kind: 'pool_yield',
    subject: pool.pool,
    metrics: {
      ...namedFinds(own),
      ...namedFinds(peersOf(pool, own, discovered), 'baseline_'),
      ...dispersionOfFinds(recent),
      least_ratio: LEAST_RATIO,
      least_count: LEAST_COUNT.pool_yield ?? 0,
      hours,
      alpha,
    },
    evidence: evidenceOf(recent),
  };
};

/** The day with the highest rate among those that are no chance, hour by hour. */
const bestDayOf = (hours: readonly FoundHour[], now: number): readonly FoundHour[] | null => {
  const former = hours.filter(
    ({ hour }) => hour <= now - RECENT.pool_exhausted && hour > now - RECENT.pool_exhausted - BASELINE_H,
  );
  const days = [...Map.groupBy(former, ({ hour }) => Math.floor((now - hour) / DAY)).values()];
  const rateOf = (day: readonly FoundHour[]) => sumOf(day).count / sumOf(day).exposure;
  const rich = days.filter((day) => sumOf(day).count >= (LEAST_COUNT.pool_yield ?? 0));
  return rich.toSorted((a, b) => rateOf(b) - rateOf(a))[0] ?? null;
};

const exhausted = ({ pool, discovered }: PoolCounts, now: number, alpha: number): readonly Candidate[] => {
  const recent = recentHours(discovered, now, RECENT.pool_exhausted);
  const best = bestDayOf(discovered, now);
  if (best === null) return [];
  // Finds vary from hour to hour as they did on that day: what is left of them is too little to show it.
  const { blocks, dispersion } = dispersionOfFinds(best);
  const metrics = {
    ...namedFinds(foundOf(recent)),
    ...namedFinds(foundOf(best), 'baseline_'),
    most_ratio: EXHAUSTED,
  };
  return [
    {
      kind: 'pool_exhausted',
      subject: pool,
      metrics: { ...metrics, blocks, dispersion, hours: RECENT.pool_exhausted, alpha },
      evidence: evidenceOf(recent),
    },
  ];
};

const stale = ({ pool, late, discovered }: PoolCounts, now: number, alpha: number): readonly Candidate[] =>
  late === null
    ? []
    : [
        {
          kind: 'pool_stale',
          subject: pool,
          metrics: {
            late: late.late,
            accounts: late.accounts,
            grace_s: late.graceS,
            late_share: LATE_SHARE,
            alpha,
          },
          evidence: evidenceOf(recentHours(discovered, now, RECENT.pool_stale)),
        },
      ];

/** An engine's inconclusive readings beside the times that it was found degraded. */
const withAlarms = ({ alarms }: EngineCounts, now: number, candidate: Candidate): Candidate => {
  const raised = recentHours(alarms, now, RECENT.engine_fault).filter(({ count }) => count > 0);
  return {
    ...candidate,
    metrics: { ...candidate.metrics, alarms: sumOf(raised).count, least_share: FAULTY_SHARE },
    evidence: [...evidenceOf(raised), ...candidate.evidence].slice(0, MAX_EVIDENCE),
  };
};

/** What may be found, each with its threshold: the probability of a false finding of the run, shared by all tests. */
export const candidatesOf = (counts: Counts): readonly Candidate[] => {
  const { pools, engines, now } = counts;
  const discovered = discoveredBy(counts);
  const tests = KINDS_OF_A_POOL * pools.length + KINDS_OF_AN_ENGINE * engines.length;
  const alpha = rounded(ALPHA_OF_RUN / Math.max(1, tests));
  const ofPools = (kind: FindingKind, hoursOf: (pool: PoolCounts) => readonly CountedHour[]) =>
    excesses(
      pools.map((pool) => ({ kind, subject: pool.pool, hours: hoursOf(pool) })),
      now,
      alpha,
    );
  const ofEngines = (kind: FindingKind, hoursOf: (engine: EngineCounts) => readonly CountedHour[]) =>
    excesses(
      engines.map((engine) => ({ kind, subject: engine.engine, hours: hoursOf(engine) })),
      now,
      alpha,
    );
  return [
    ...pools.flatMap((pool) => [
      yieldOf(pool, discovered, alpha),
      ...exhausted(pool, now, alpha),
      ...stale(pool, now, alpha),
    ]),
    ...ofPools('demand_surge', ({ demanded }) => demanded),
    ...ofPools('growth_cluster', ({ jumps }) => jumps),
    ...ofEngines('engine_fault', ({ errors }) => errors).map((candidate, n) =>
      withAlarms(engines[n] as EngineCounts, now, candidate),
    ),
    ...ofEngines('rename_wave', ({ renames }) => renames),
  ];
};

/** The findings of counters. */
export const findingsOf = (counts: Counts): readonly Finding[] =>
  candidatesOf(counts).flatMap((candidate) => judge(candidate) ?? []);

/** What was counted in an hour, of how much: finds of requests, errors of readings, recruitments of hours. */
export interface CountedHour {
  readonly hour: number;
  readonly count: number;
  readonly exposure: number;
  /** IDs of events that the count rests on. */
  readonly evidence: readonly string[];
}

/** Finds of an hour. */
export interface FoundHour extends CountedHour {
  /** Accounts that named them: finds of one are one observation. */
  readonly namers: number;
}

export interface Counted {
  readonly count: number;
  readonly exposure: number;
}

const sumOf = (parts: readonly Counted[]): Counted => ({
  count: parts.reduce((sum, { count }) => sum + count, 0),
  exposure: parts.reduce((sum, { exposure }) => sum + exposure, 0),
});

/** Hours after `now - length` up to `now`. */
const recentHours = <Hour extends CountedHour>(
  hours: readonly Hour[],
  now: number,
  length: number,
): readonly Hour[] => hours.filter(({ hour }) => hour > now - length && hour <= now);

const DAY_H = 24;

/**
 * Blocks of hours before those, of the same length, which a recent block is compared with.
 * @param most hours that are looked at.
 * @param isDaily whether only the same hours of each day are compared: callers and platforms have times of day.
 */
export const formerBlocks = (
  hours: readonly CountedHour[],
  now: number,
  length: number,
  most: number,
  isDaily = false,
): readonly Counted[] => {
  const period = isDaily ? DAY_H : length;
  const former = hours.filter(({ hour }) => {
    const age = now - hour;
    return age >= period && age < period + most && age % period < length;
  });
  const blocks = Map.groupBy(former, ({ hour }) => Math.floor((now - hour) / period));
  return [...blocks.values()].map(sumOf).filter(({ exposure }) => exposure > 0);
};

/** Without history counts are taken to vary four times as much as independent ones: a reading names several accounts at once. */
const UNKNOWN_DISPERSION = 4;
const LEAST_BLOCKS = 3;

/**
 * How much more counts vary than independent ones: Pearson's statistic by degrees of freedom (McCullagh and Nelder, *Generalized linear
 * models*, 4.5).
 */
export const dispersionOf = (
  blocks: readonly Counted[],
): { readonly blocks: number; readonly dispersion: number } => {
  const { count, exposure } = sumOf(blocks);
  if (blocks.length < LEAST_BLOCKS || count === 0)
    return { blocks: blocks.length, dispersion: UNKNOWN_DISPERSION };
  const rate = count / exposure;
  const pearson = blocks.reduce((sum, each) => {
    const expected = rate * each.exposure;
    return sum + (each.count - expected) ** 2 / expected;
  }, 0);
  return { blocks: blocks.length, dispersion: rounded(Math.max(1, pearson / (blocks.length - 1))) };
};

/** ln of a rate; the half is what a logarithm of no count needs. */
const lnRate = ({ count, exposure }: Counted): number => Math.log((count + 0.5) / exposure);

/** By which factors rates vary from block to block: the mean of their logarithms, and the variance with its degrees of freedom. */
interface Factors {
  readonly ln_mean: number;
  readonly ln_variance: number;
  readonly ln_df: number;
}

const factorsOf = (blocks: readonly Counted[]): Factors | null => {
  if (blocks.length < LEAST_BLOCKS) return null;
  const logs = blocks.map(lnRate);
  return {
    ln_mean: rounded(mean(logs)),
    ln_variance: rounded(sampleVariance(logs)),
    ln_df: blocks.length - 1,
  };
};

/** However alike the subjects of a kind are, their own blocks count for so much. */
const MOST_PRIOR = 10;

/**
 * Variances of one kind, each beside those of the other subjects: an inverse gamma law is fitted to all of them, and counts as many
 * degrees of freedom as they are alike (Smyth, "Linear models and empirical Bayes methods", 2004). A subject of its own kind keeps its
 * own variance.
 */
const moderated = (all: readonly Factors[]): readonly Factors[] => {
  const varying = all.filter(({ ln_variance: variance }) => variance > LEAST_VARIANCE);
  if (varying.length < LEAST_BLOCKS) return all;
  const logs = varying.map(
    ({ ln_variance: s, ln_df: df }) => Math.log(s) - digamma(df / 2) + Math.log(df / 2),
  );
  const chance = mean(varying.map(({ ln_df: df }) => trigamma(df / 2)));
  const spread = sampleVariance(logs);
  const fitted = spread > chance ? 2 * trigammaInverse(spread - chance) : Number.POSITIVE_INFINITY;
  return all.map((own) => {
    const df = Math.min(fitted, MOST_PRIOR * own.ln_df);
    const usual = Math.exp(mean(logs) + digamma(df / 2) - Math.log(df / 2));
    return {
      ...own,
      ln_variance: rounded((df * usual + own.ln_df * own.ln_variance) / (df + own.ln_df)),
      ln_df: rounded(df + own.ln_df),
    };
  });
};

const MAX_EVIDENCE = 50;

/** The newest events that hours rest on. */
const evidenceOf = (hours: readonly CountedHour[]): readonly string[] =>
  [...new Set(hours.toSorted((a, b) => b.hour - a.hour).flatMap(({ evidence }) => evidence))].slice(
    0,
    MAX_EVIDENCE,
  );

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
  /** 1 - p, where p is the probability of such counts by chance. */
  readonly confidence: number;
}

const at = (metrics: Metrics, name: string): number => {
  const value = metrics[name];
  if (typeof value !== 'number') throw new RangeError(`the metric ${name} is missing`);
  return value;
};

/**
 * Probability of a count as high as this one if its rate is at most `least_ratio` times that of the baseline: the larger of two, of the
 * conditional test of two Poisson rates (Przyborowski and Wilenski 1940) on counts scaled by their dispersion, and of Student's test of a new
 * observation among the logarithms of former rates. The second knows how well the variance is known, and days that differ by factors, whose
 * long tail a dispersion of counts does not show.
 */
const excessP = (metrics: Metrics): number => {
  const [count, exposure] = [at(metrics, 'count'), at(metrics, 'exposure')];
  const [former, formerExposure] = [at(metrics, 'baseline_count'), at(metrics, 'baseline_exposure')];
  const [ratio, dispersion] = [at(metrics, 'least_ratio'), at(metrics, 'dispersion')];
  if (exposure <= 0 || formerExposure <= 0) return 1;
  const share = (ratio * exposure) / (ratio * exposure + formerExposure);
  const exact = binomialTail(count / dispersion, (count + former) / dispersion, share);
  return Math.max(exact, factorP(metrics));
};

/**
 * Probability of a count as high as this one among rates that vary by factors as before; 0 where no blocks tell by which. What the former
 * counts varied by chance alone is that of counts of their size, and of this one that of `least_ratio` times as many.
 */
const factorP = (metrics: Metrics): number => {
  const { ln_mean: middle, ln_variance: variance, ln_df: df } = metrics;
  if (typeof middle !== 'number' || typeof variance !== 'number' || typeof df !== 'number') return 0;
  const [count, exposure, ratio] = [
    at(metrics, 'count'),
    at(metrics, 'exposure'),
    at(metrics, 'least_ratio'),
  ];
  const usual = Math.max(0.5, (at(metrics, 'baseline_count') * exposure) / at(metrics, 'baseline_exposure'));
  const ofFactors = Math.max(0, variance - 1 / usual);
  const deviation = Math.sqrt(ofFactors + 1 / (ratio * usual) + variance / at(metrics, 'blocks'));
  return studentTail((lnRate({ count, exposure }) - Math.log(ratio) - middle) / deviation, df);
};

/** Rates of equal blocks have no variance but that of rounding, whose logarithm says nothing. */
const LEAST_VARIANCE = 1e-12;

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
    return `${subject} discovers ${number(1_000 * now)} accounts a thousand requests, named by ${at(metrics, 'namers')} accounts, the pools it is compared with ${number(1_000 * before)}`;
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
