import { bell, mix, unit } from '../../infra/simulator/world/hash.ts';
import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { PLATFORMS } from '../../src/kernel/platform-names.ts';
import type {
  CountedHour,
  Counts,
  EngineCounts,
  FoundHour,
  PoolCounts,
} from '../../src/write/research/findings.ts';
import { FINDING_KINDS, type FindingKind } from '../../src/write/research/research.ts';
import { poisson } from './poisson.ts';
import { createPools, POOLS } from './world.ts';

/** Two weeks of a crawl with equal shares. */
const HOURS = 14 * 24;
const REQUESTS_A_POOL = 60;
/** Platforms whose pools those are. */
const CRAWLED = PLATFORMS.slice(0, 4);
/** Days between readings of an account, for what happens to it between them. */
const GAP_DAYS = 7;
const DEMANDED_AN_HOUR = 3;
const INCONCLUSIVE = 0.03;
/** Deviation of ln rates from hour to hour: of demand, of inconclusive readings. Chosen. */
const VARYING = 0.4;
const ACCOUNTS = 1_000;

/** How strong the scenarios are: factors on the rate of the last hours. Chosen. */
const STRENGTH: Readonly<Record<FindingKind, number>> = {
  pool_yield: 6,
  pool_exhausted: 0.01,
  pool_stale: 0.2,
  demand_surge: 8,
  engine_fault: 20,
  rename_wave: 20,
  growth_cluster: 12,
};
/** Kinds of which any factor may be set off. */
export const GRADED = [
  'pool_yield',
  'demand_surge',
  'engine_fault',
  'rename_wave',
  'growth_cluster',
] as const;

/** How counts of a quiet run vary beyond chance: days by factors, and hours with many at once. Chosen. */
const CLUSTERED = { sigma: 1, burst: 0.02, times: 20 } as const;
const LAST = { days: 48, day: 24, demand: 6, fault: 2 } as const;

/** True rates of a pool; counts are drawn from them. */
export interface Truth {
  /** Expected finds of each hour. */
  readonly expected: readonly number[];
}

export interface Scenario {
  readonly counts: Counts;
  readonly truths: ReadonlyMap<string, Truth>;
  /** The kind that was set off, and of what; null for a quiet one. */
  readonly caused: { readonly kind: FindingKind; readonly subject: string } | null;
}

export { FINDING_KINDS };

const eventId = (key: number, hour: number): string =>
  `00000000-0000-5000-8000-${(key * 4_096 + hour).toString(16).padStart(12, '0').slice(-12)}`;

const counted = (key: number, hour: number, count: number, exposure: number): CountedHour => ({
  hour,
  count,
  exposure,
  evidence: [eventId(key, hour)],
});

export interface ScenarioOptions {
  /** The strength of what is set off, if it is not the kind's. */
  readonly strength?: number;
  /** Whether demand, jumps, renames and inconclusive readings come in clusters. */
  readonly isClustered?: boolean;
}

/** Draws the counters of a world in which at most one thing happens. */
export const drawScenario = (
  parameters: Parameters,
  seed: number,
  kind: FindingKind | null,
  { strength, isClustered = false }: ScenarioOptions = {},
): Scenario => {
  const strengthOf = (of: FindingKind): number => (of === kind ? (strength ?? STRENGTH[of]) : STRENGTH[of]);
  /** A count of a key and hour whose mean varies by day, and with bursts of hours, where counts are clustered. */
  const countOf = (mean: number, key: number, hour: number): number => {
    if (!isClustered) return poisson(mean, mix(key, hour));
    const { sigma, burst, times } = CLUSTERED;
    const day = Math.exp(sigma * bell(mix(key, 90_000 + Math.floor(hour / 24)), 8) - sigma ** 2 / 2);
    const isBurst = unit(mix(key, hour), 91) < burst;
    return (
      poisson(mean * day, mix(key, hour)) + (isBurst ? poisson(mean * times, mix(mix(key, hour), 92)) : 0)
    );
  };
  const world = createPools(parameters, seed, HOURS);
  const [victim, engine] = [unit(seed, 901), unit(seed, 902)];
  const pools = Array.from({ length: POOLS }, (_, n) => ({
    pool: `pool-${n}`,
    platform: CRAWLED[n % CRAWLED.length] as string,
    discovered: [] as FoundHour[],
    demanded: [] as CountedHour[],
    jumps: [] as CountedHour[],
    expected: [] as number[],
  }));
  const engines = CRAWLED.map((name) => ({
    engine: name as string,
    errors: [] as CountedHour[],
    alarms: [] as CountedHour[],
    renames: [] as CountedHour[],
  }));
  // A pool that yields something, among those whose yield can be lost or multiplied.
  const rich = world
    .yields()
    .map((each, n) => ({ each, n }))
    .filter(({ each }) => each > 0.2)
    .map(({ n }) => n);
  const chosen = rich[Math.floor(victim * rich.length)] ?? 0;
  const struck = engines[Math.floor(engine * engines.length)] as (typeof engines)[number];
  const isLast = (hour: number, length: number) => hour >= HOURS - length;
  const hits = (of: FindingKind, hour: number, length: number) => kind === of && isLast(hour, length);
  const jumpsAReading = (parameters.growth.jumps * GAP_DAYS) / 365;
  const renamesAReading = (parameters.renames.once * GAP_DAYS) / 365;

  for (let hour = 0; hour < HOURS; hour++) {
    const yields = world.yields();
    for (const [n, pool] of pools.entries()) {
      const key = mix(mix(seed, 31), n);
      const isChosen = n === chosen;
      const found = world.read(n, REQUESTS_A_POOL);
      const peers = yields.filter((_, other) => other !== n && other % CRAWLED.length === n % CRAWLED.length);
      const others = peers.reduce((a, b) => a + b, 0) / peers.length;
      const surge = isChosen && hits('pool_yield', hour, LAST.day) ? strengthOf('pool_yield') * others : null;
      const factor = isChosen && hits('pool_exhausted', hour, LAST.days) ? strengthOf('pool_exhausted') : 1;
      const expected = REQUESTS_A_POOL * (surge === null ? (yields[n] as number) * factor : surge);
      const clustered = Math.exp(0.3 * bell(mix(key, hour), 8) - 0.045);
      const count =
        surge === null && factor === 1 ? found : poisson(expected * clustered, mix(mix(key, hour), 77));
      pool.expected.push(expected);
      pool.discovered.push({ ...counted(n, hour, count, REQUESTS_A_POOL), namers: count });
      const varying = Math.exp(VARYING * bell(mix(key, hour), 18) - VARYING ** 2 / 2);
      const day = 1 + 0.5 * Math.sin((2 * Math.PI * (hour % 24)) / 24);
      const demand = isChosen && hits('demand_surge', hour, LAST.demand) ? strengthOf('demand_surge') : 1;
      const isDemand = n % 10 === 0 || isChosen;
      const asked = isDemand ? countOf(DEMANDED_AN_HOUR * day * varying * demand, mix(key, 32), hour) : 0;
      pool.demanded.push(counted(1_000 + n, hour, asked, 1));
      const jump = isChosen && hits('growth_cluster', hour, LAST.day) ? strengthOf('growth_cluster') : 1;
      const jumped = Math.min(
        REQUESTS_A_POOL,
        countOf(REQUESTS_A_POOL * jumpsAReading * jump, mix(key, 33), hour),
      );
      pool.jumps.push(counted(2_000 + n, hour, jumped, REQUESTS_A_POOL));
    }
    for (const [n, each] of engines.entries()) {
      const key = mix(mix(seed, 34), n);
      const readings = REQUESTS_A_POOL * (POOLS / CRAWLED.length);
      const isStruck = each === struck;
      const varying = Math.exp(VARYING * bell(mix(key, hour), 28));
      const fault = isStruck && hits('engine_fault', hour, LAST.fault) ? strengthOf('engine_fault') : varying;
      const share = INCONCLUSIVE * fault;
      each.errors.push(
        counted(3_000 + n, hour, Math.min(readings, countOf(readings * share, mix(key, 35), hour)), readings),
      );
      const wave = isStruck && hits('rename_wave', hour, LAST.day) ? strengthOf('rename_wave') : 1;
      each.renames.push(
        counted(
          4_000 + n,
          hour,
          Math.min(readings, countOf(readings * renamesAReading * wave, mix(key, 36), hour)),
          readings,
        ),
      );
      each.alarms.push(counted(5_000 + n, hour, 0, 1));
    }
    world.next();
  }

  const lateOf = (n: number) => {
    const share =
      kind === 'pool_stale' && n === chosen ? strengthOf('pool_stale') : 0.03 * unit(mix(seed, 37), n);
    return {
      late: Math.min(ACCOUNTS, poisson(ACCOUNTS * share, mix(mix(seed, 38), n))),
      accounts: ACCOUNTS,
      graceS: 7_200,
    };
  };
  const ofEngine = kind === 'engine_fault' || kind === 'rename_wave';
  return {
    counts: {
      pools: pools.map(({ expected: _, ...pool }, n): PoolCounts => ({ ...pool, late: lateOf(n) })),
      engines: engines as readonly EngineCounts[],
      now: HOURS - 1,
    },
    truths: new Map(pools.map(({ pool, expected }) => [pool, { expected }])),
    caused: kind === null ? null : { kind, subject: ofEngine ? struck.engine : `pool-${chosen}` },
  };
};
