import type { FindingKind } from '../events.ts';
import { rounded } from '../policy/rounded.ts';
import { type Candidate, type Finding, judge } from './judge.ts';
import {
  type Counted,
  type CountedHour,
  dispersionOf,
  evidenceOf,
  formerBlocks,
  recentHours,
  sumOf,
} from './series.ts';

/** Counters of a pool by hour. */
export interface PoolCounts {
  readonly pool: string;
  readonly platform: string;
  /** Finds of requests. */
  readonly discovered: readonly CountedHour[];
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
const excess = (
  kind: FindingKind,
  subject: string,
  hours: readonly CountedHour[],
  now: number,
  alpha: number,
): Candidate => {
  const length = RECENT[kind];
  const recent = recentHours(hours, now, length);
  const blocks = formerBlocks(hours, now, length, BASELINE_H, kind === 'demand_surge');
  return {
    kind,
    subject,
    metrics: {
      ...named(sumOf(recent)),
      ...named(sumOf(blocks), 'baseline_'),
      ...dispersionOf(blocks),
      least_ratio: LEAST_RATIO,
      least_count: LEAST_COUNT[kind] ?? 0,
      hours: length,
      alpha,
    },
    evidence: evidenceOf(recent.filter(({ count }) => count > 0)),
  };
};

/** What pools discovered of late: each of them, and all of its platform or of all platforms, which are added up once. */
interface Discovered {
  readonly recent: ReadonlyMap<string, readonly CountedHour[]>;
  readonly ofPlatform: ReadonlyMap<string, Counted & { readonly pools: number }>;
  readonly ofAll: Counted;
}

const discoveredBy = ({ pools, now }: Counts): Discovered => {
  const recent = new Map(
    pools.map(({ pool, discovered }) => [pool, recentHours(discovered, now, RECENT.pool_yield)]),
  );
  const sums = pools.map(({ pool, platform }) => ({ platform, ...sumOf(recent.get(pool) ?? []) }));
  const ofPlatform = [...Map.groupBy(sums, ({ platform }) => platform)].map(
    ([platform, group]) => [platform, { ...sumOf(group), pools: group.length }] as const,
  );
  return { recent, ofPlatform: new Map(ofPlatform), ofAll: sumOf(sums) };
};

/** What the pools discovered that a pool is compared with: others of its platform, or all others if it is the only one. */
const peersOf = ({ platform }: PoolCounts, own: Counted, { ofPlatform, ofAll }: Discovered): Counted => {
  const group = ofPlatform.get(platform);
  const all = group === undefined || group.pools === 1 ? ofAll : group;
  return { count: all.count - own.count, exposure: all.exposure - own.exposure };
};

const yieldOf = (pool: PoolCounts, discovered: Discovered, alpha: number): Candidate => {
  const hours = RECENT.pool_yield;
  const recent = discovered.recent.get(pool.pool) ?? [];
  const own = sumOf(recent);
  return {
    kind: 'pool_yield',
    subject: pool.pool,
    metrics: {
      ...named(own),
      ...named(peersOf(pool, own, discovered), 'baseline_'),
      ...dispersionOf(recent.filter(({ exposure }) => exposure > 0)),
      least_ratio: LEAST_RATIO,
      least_count: LEAST_COUNT.pool_yield ?? 0,
      hours,
      alpha,
    },
    evidence: evidenceOf(recent),
  };
};

/** The day with the highest rate among those that are no chance, hour by hour. */
const bestDayOf = (hours: readonly CountedHour[], now: number): readonly CountedHour[] | null => {
  const former = hours.filter(
    ({ hour }) => hour <= now - RECENT.pool_exhausted && hour > now - RECENT.pool_exhausted - BASELINE_H,
  );
  const days = [...Map.groupBy(former, ({ hour }) => Math.floor((now - hour) / DAY)).values()];
  const rateOf = (day: readonly CountedHour[]) => sumOf(day).count / sumOf(day).exposure;
  const rich = days.filter((day) => sumOf(day).count >= (LEAST_COUNT.pool_yield ?? 0));
  return rich.toSorted((a, b) => rateOf(b) - rateOf(a))[0] ?? null;
};

const exhausted = ({ pool, discovered }: PoolCounts, now: number, alpha: number): readonly Candidate[] => {
  const recent = recentHours(discovered, now, RECENT.pool_exhausted);
  const best = bestDayOf(discovered, now);
  if (best === null) return [];
  // Finds vary from hour to hour as they did on that day: what is left of them is too little to show it.
  const { blocks, dispersion } = dispersionOf(best.filter(({ exposure }) => exposure > 0));
  const metrics = { ...named(sumOf(recent)), ...named(sumOf(best), 'baseline_'), most_ratio: EXHAUSTED };
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

const fault = ({ engine, errors, alarms }: EngineCounts, now: number, alpha: number): Candidate => {
  const { metrics, evidence } = excess('engine_fault', engine, errors, now, alpha);
  const raised = recentHours(alarms, now, RECENT.engine_fault).filter(({ count }) => count > 0);
  return {
    kind: 'engine_fault',
    subject: engine,
    metrics: { ...metrics, alarms: sumOf(raised).count, least_share: FAULTY_SHARE },
    evidence: [...evidenceOf(raised), ...evidence].slice(0, 50),
  };
};

/** What may be found, each with its threshold: the probability of a false finding of the run, shared by all tests. */
export const candidatesOf = (counts: Counts): readonly Candidate[] => {
  const { pools, engines, now } = counts;
  const discovered = discoveredBy(counts);
  const tests = KINDS_OF_A_POOL * pools.length + KINDS_OF_AN_ENGINE * engines.length;
  const alpha = rounded(ALPHA_OF_RUN / Math.max(1, tests));
  return [
    ...pools.flatMap((pool) => [
      yieldOf(pool, discovered, alpha),
      ...exhausted(pool, now, alpha),
      ...stale(pool, now, alpha),
      excess('demand_surge', pool.pool, pool.demanded, now, alpha),
      excess('growth_cluster', pool.pool, pool.jumps, now, alpha),
    ]),
    ...engines.flatMap((engine) => [
      fault(engine, now, alpha),
      excess('rename_wave', engine.engine, engine.renames, now, alpha),
    ]),
  ];
};

/** The findings of counters, in the order of pools and engines. */
export const findingsOf = (counts: Counts): readonly Finding[] =>
  candidatesOf(counts).flatMap((candidate) => judge(candidate) ?? []);
