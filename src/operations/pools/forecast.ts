import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { pools as poolsView } from '../../projections/views/pools/projection.ts';
import { readPoolChanges } from '../../read/frontier.ts';
import { listPools, type PoolRow, readersOf } from '../../read/pools.ts';
import { engineReportStream } from '../../write/engines.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import type { PoolTuning } from '../../write/pools/pool.ts';
import {
  type Forecast,
  forecastOf,
  type GapsOf,
  INTERVAL_POWER,
  type PoolChanges,
  thresholdFor,
  waitFor,
} from '../../write/pools/refresh.ts';
import type { OperationsContext } from '../context.ts';
import { currentSchema } from '../projections/read-model.ts';
import { tunePool } from './change-pool.ts';
import { checkIntervals, type OpeningHours, openingHours } from './pool-settings.ts';
import { crawlSchedule, poolNamed, unknownPool } from './pools.ts';

/** The effects of a pool's settings, once every account was read under them. */
export interface PoolForecast {
  readonly requests_per_day: number;
  /** Ages of the values in the catalog; null without accounts. */
  readonly age_p50_s: number | null;
  readonly age_p95_s: number | null;
  /** Mean error of the followers served, as a logarithm of their ratio; null without available accounts. */
  readonly mean_error: number | null;
  /** Requests per day that the pool's turns guarantee it. */
  readonly allowed_requests_per_day: number;
}

/**
 * The requests that each pool gets: its part by share. Pools leave requests that they don't need to the others.
 * @param total the requests of the platform.
 */
export const allotted = (claims: readonly Claim[], total: number): ReadonlyMap<string, number> => {
  const given = new Map<string, number>();
  let [open, left] = [claims, total];
  for (;;) {
    const shares = open.reduce((sum, { share }) => sum + share, 0);
    const part = left / shares;
    const content = open.filter(({ share, wanted }) => wanted <= share * part);
    if (content.length === 0 || open.length === 0) {
      for (const { pool, share } of open) given.set(pool, share * part);
      return given;
    }
    for (const { pool, wanted } of content) given.set(pool, wanted);
    left -= content.reduce((sum, { wanted }) => sum + wanted, 0);
    open = open.filter((claim) => !content.includes(claim));
  }
};

/** A pool before and after a change of settings. */
export interface TuningForecast {
  readonly before: PoolForecast;
  readonly after: PoolForecast;
}

/**
 * Forecasts the effects of a change of settings, without changing anything.
 * @throws {OperatorError} `pool_unknown`, `pool_invalid`, `build_missing`
 */
export const forecastTuning = async (
  context: OperationsContext,
  pool: string,
  settings: Partial<PoolTuning>,
): Promise<TuningForecast> => {
  const { row, basis } = await basisOf(context, pool);
  const changed = { ...row, ...settings };
  checkIntervals(changed);
  return { before: forecastWith(basis, row), after: forecastWith(basis, changed) };
};

/**
 * Settings with the refresh threshold that follows from the pool's requests a day, those that it has or gets.
 * @throws {OperatorError} `pool_unknown`, `pool_invalid` if it would have fixed intervals, which no number of requests
 * changes.
 */
export const withThreshold = async (
  context: OperationsContext,
  pool: string,
  settings: Partial<PoolTuning>,
): Promise<Partial<PoolTuning>> => {
  const isAsked = settings.requests_per_day !== undefined;
  const changed = { ...(await poolNamed(context, pool)), ...settings };
  if (changed.requests_per_day === null) return isAsked ? { ...settings, refresh_threshold: null } : settings;
  if (changed.refresh === 'fixed')
    throw new OperatorError(
      'pool_invalid',
      `The pool ${pool} would have fixed intervals, which no number of requests a day changes: ` +
        'use --refresh by-change, or --requests none.',
    );
  checkIntervals(changed);
  const { basis } = await basisOf(context, pool);
  return { ...settings, refresh_threshold: thresholdIn(basis, changed) };
};

/**
 * New thresholds for pools with a daily number of requests whose accounts, or costs of readings, have changed.
 * @throws {OperatorError} `build_missing`
 */
export const outdatedThresholds = async (
  context: OperationsContext,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await listPools(context.db, await currentSchema(context, poolsView));
  const targeted = rows.filter(
    ({ requests_per_day, refresh, retired_at }) =>
      requests_per_day !== null && refresh === 'by_change' && retired_at === null,
  );
  const found = new Map<string, number>();
  for (const { pool } of targeted) {
    const { row, basis } = await basisOf(context, pool);
    const threshold = thresholdIn(basis, row);
    if (threshold === null) continue;
    const change = row.refresh_threshold === null ? 1 : Math.log(threshold / row.refresh_threshold);
    if (Math.abs(change) * INTERVAL_POWER > LEAST_CHANGE) found.set(pool, threshold);
  }
  return found;
};

/**
 * Adjusts the refresh thresholds of pools with a target of requests per day: to their size, to how fast their accounts
 * change, and to the requests that a reading takes.
 * @returns the pools that were tuned.
 */
export const retunePools = async (context: OperationsContext): Promise<readonly string[]> => {
  const outdated = await outdatedThresholds(context);
  for (const [pool, refresh_threshold] of outdated) await tunePool(context, pool, { refresh_threshold });
  return [...outdated.keys()];
};

const DAY_S = 86_400;
/** Newest reports of an engine (about one per minute and worker) from which the requests per reading are computed. */
const REPORTS = 240;

/** The demand of a pool on its platform. */
interface Claim {
  readonly pool: string;
  readonly share: number;
  readonly wanted: number;
}

/** Requests per conclusive reading, by pool and for the whole platform, from the engine's newest reports. */
const requestsPerReading = async (
  { log }: Pick<OperationsContext, 'log'>,
  platform: Platform,
): Promise<(pool: string) => number> => {
  const reports = await log.readStream(engineReportStream(platform), {
    direction: 'backwards',
    limit: REPORTS,
  });
  const sums = new Map<string, { requests: number; conclusive: number }>();
  const add = (name: string, requests: number, conclusive: number) => {
    const sum = sums.get(name) ?? { requests: 0, conclusive: 0 };
    sums.set(name, { requests: sum.requests + requests, conclusive: sum.conclusive + conclusive });
  };
  for (const { data } of reports) {
    const { pools } = data as EventDataOf<'CrawlBatchCompleted'>;
    for (const [pool, { requests, readings, errors }] of Object.entries(pools)) {
      add(`pool ${pool}`, requests, readings - errors);
      add('all', requests, readings - errors);
    }
  }
  const meanOf = (name: string): number | null => {
    const sum = sums.get(name);
    return sum === undefined || sum.conclusive === 0 ? null : sum.requests / sum.conclusive;
  };
  // Nothing was read yet. A reading takes at least one request.
  return (pool) => meanOf(`pool ${pool}`) ?? meanOf('all') ?? 1;
};

/** The data that forecasts for a platform's pools are based on. */
interface Basis {
  readonly pools: readonly PoolRow[];
  readonly changes: ReadonlyMap<string, PoolChanges>;
  readonly costOf: (pool: string) => number;
  /** Requests of the platform a day. */
  readonly total: number;
  readonly nowMs: number;
}

const NO_ACCOUNTS: PoolChanges = { accounts: { byBin: [], unavailable: 0 }, median: 0 };

/**
 * Requests per second of a platform: set by an operator, else last granted to crawlers, else configured for this
 * process.
 */
const rateOf = async ({ db, config }: OperationsContext, platform: Platform): Promise<number> => {
  const { rows } = await db.query<{ per_s: number | null }>(sql`
    select coalesce((select rate_per_s from crawl.engine_controls where engine = ${platform}),
    (select per_s from crawl.buckets where platform = ${platform})) as per_s`);
  return rows[0]?.per_s ?? config.CRAWL_RATE_PER_S;
};

const basisOf = async (context: OperationsContext, pool: string): Promise<{ row: PoolRow; basis: Basis }> => {
  const rows = await listPools(context.db, await currentSchema(context, poolsView));
  const row = rows.find((each) => each.pool === pool);
  if (row === undefined) throw unknownPool(pool);
  const schema = await crawlSchedule(context);
  const readers = readersOf(rows);
  const ratePerS = await rateOf(context, row.platform);
  return {
    row,
    basis: {
      pools: rows.filter(
        (each) =>
          each.platform === row.platform && each.retired_at === null && (!each.paused || each.pool === pool),
      ),
      changes: await readPoolChanges(
        context.db,
        { schema: () => schema },
        (name) => readers.get(name) ?? name,
      ),
      costOf: await requestsPerReading(context, row.platform),
      total: ratePerS * DAY_S,
      nowMs: systemClock.now(),
    },
  };
};

/** The requests that a pool's settings ask for. */
interface Wish {
  readonly settings: PoolRow;
  readonly changes: PoolChanges;
  readonly hours: OpeningHours;
  /** Requests a conclusive reading. */
  readonly cost: number;
  readonly forecast: Forecast;
}

const wishOf = ({ changes, costOf, nowMs }: Basis, settings: PoolRow): Wish => {
  const known = changes.get(settings.pool) ?? NO_ACCOUNTS;
  const hours = openingHours(settings.schedule, nowMs);
  const forecast = forecastOf(settings, known, hours.gapsOf);
  return { settings, changes: known, hours, cost: costOf(settings.pool), forecast };
};

/** The part of the platform's rate that a pool claims while it is crawled. */
const claimOf = ({ settings: { pool, share }, hours, cost, forecast }: Wish): Claim => ({
  pool,
  share,
  wanted: hours.open === 0 ? 0 : (forecast.readingsPerDay * cost) / hours.open,
});

const delayed =
  (gapsOf: GapsOf, waitS: number): GapsOf =>
  (intervalS) =>
    gapsOf(intervalS).map(({ seconds, share }) => ({ seconds: seconds + waitS, share }));

/** The forecast of a pool with some settings, while the others keep theirs. */
const forecastWith = (basis: Basis, changed: PoolRow): PoolForecast => {
  const others = basis.pools.filter(({ pool }) => pool !== changed.pool).map((row) => wishOf(basis, row));
  const wish = wishOf(basis, changed);
  const { changes, hours, cost, forecast } = wish;
  // Its requests if it could use the whole rate.
  const claims = [...others.map(claimOf), { ...claimOf(wish), wanted: Number.POSITIVE_INFINITY }];
  const allowed = (allotted(claims, basis.total).get(changed.pool) ?? 0) * hours.open;
  const waitS = waitFor(changed, changes, allowed / cost, hours.gapsOf);
  const { readingsPerDay, ageP50S, ageP95S, meanError } =
    waitS === 0 ? forecast : forecastOf(changed, changes, delayed(hours.gapsOf, waitS));
  return {
    requests_per_day: readingsPerDay * cost,
    age_p50_s: ageP50S,
    age_p95_s: ageP95S,
    mean_error: meanError,
    allowed_requests_per_day: allowed,
  };
};

/** The threshold at which a pool takes the daily number of requests of its settings; null without accounts. */
const thresholdIn = ({ changes, costOf }: Basis, settings: PoolRow): number | null => {
  const known = changes.get(settings.pool);
  if (known === undefined || settings.requests_per_day === null) return null;
  return thresholdFor(settings, known.accounts, settings.requests_per_day / costOf(settings.pool)).threshold;
};

/** Intervals that would change by less stay. */
const LEAST_CHANGE = 0.05;
