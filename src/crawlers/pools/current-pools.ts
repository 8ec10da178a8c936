import cron from 'node-cron';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Builds } from '../../read/active-builds.ts';
import { listPools, type PoolRow, readersOf } from '../../read/pools.ts';
import { FetchError } from '../http/port.ts';

/** The pools with their settings, at most a quarter second old while the database answers in time. */
export interface CurrentPools {
  /** Those that are crawled at present: neither paused nor retired, and within their schedule. */
  active(platform: Platform): readonly ActivePool[];
  /** All that recruit: neither paused nor retired. */
  recruiting(platform: Platform): readonly PoolRow[];
  /** Waits until the settings are those of a second ago at most. @throws if the database does not answer. */
  confirmed(): Promise<void>;
  /** Another number after each change of settings: turns taken before are not those of now. */
  revision(): number;
  /** Fires when the pool, or the heir that reads its accounts, is not crawled any more. */
  whileActive(pool: string): AbortSignal;
}

/**
 * Pools as crawlers follow them: loaded again when a refresh of the builds, four times a second, shows a change, so that
 * a command takes effect whatever the crawl schedule lags.
 */
export const createCurrentPools = (
  db: Queryable,
  builds: Builds,
  logger: Logger,
  nowMs: () => number = Date.now,
): CurrentPools & { refresh(): Promise<void> } => {
  let rows: readonly PoolRow[] = [];
  let active = new Map<string, ActivePool>();
  /** The active pool that reads a pool's accounts. */
  let readers: ReadonlyMap<string, string | null> = new Map();
  let seen = '';
  let revision = 0;
  const signals = new Map<string, AbortController>();

  const settle = (): void => {
    readers = readersOf(rows);
    const now = new Date(nowMs());
    const crawled = rows.filter(
      ({ retired_at, paused, schedule }) => retired_at === null && !paused && isScheduled(schedule, now),
    );
    active = new Map(
      crawled.map((row) => [
        row.pool,
        { ...row, reads: rows.filter(({ pool }) => readers.get(pool) === row.pool).map(({ pool }) => pool) },
      ]),
    );
    for (const [pool, controller] of signals) {
      if (isActive(pool)) continue;
      signals.delete(pool);
      controller.abort(new FetchError('aborted', PAUSED));
    }
  };
  const isActive = (pool: string): boolean => active.has(readers.get(pool) ?? '');

  const load = async (): Promise<void> => {
    const progress = builds.progress('pools');
    if (progress === null) return;
    const now = `${builds.schema('pools')} ${progress.position}`;
    if (now !== seen) {
      const before = JSON.stringify(rows);
      rows = await listPools(db, builds.schema('pools'));
      seen = now;
      // Events of other categories advance the position as well.
      if (JSON.stringify(rows) !== before) revision += 1;
    }
    settle();
  };
  /** When the settings were those of the log's projection, by the monotonic clock. */
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;
  const refresh = (): Promise<void> => {
    const askedAtMs = builds.confirmedAtMs();
    refreshing ??= load()
      .then(() => {
        confirmedAtMs = askedAtMs;
      })
      .finally(() => {
        refreshing = null;
      });
    return refreshing;
  };
  builds.onRefresh(() => {
    if (refreshing !== null) return;
    refresh().catch((error: unknown) =>
      logger.warn({ err: errorMessage(error) }, 'settings of pools could not be refreshed'),
    );
  });
  let confirming: Promise<void> | null = null;
  const confirm = (): Promise<void> => {
    confirming ??= builds
      .refresh()
      .then(refresh)
      .finally(() => {
        confirming = null;
      });
    return confirming;
  };

  return {
    refresh,
    confirmed: async () => {
      const leastMs = performance.now() - MAX_AGE_MS;
      while (confirmedAtMs < leastMs) await confirm();
    },
    revision: () => revision,
    active: (platform) => [...active.values()].filter((pool) => pool.platform === platform),
    recruiting: (platform) =>
      rows.filter((pool) => pool.platform === platform && pool.retired_at === null && !pool.paused),
    whileActive: (pool) => {
      if (!isActive(pool)) return AbortSignal.abort(new FetchError('aborted', PAUSED));
      const controller = signals.get(pool) ?? new AbortController();
      signals.set(pool, controller);
      return controller.signal;
    },
  };
};

/**
 * Whether a pool is crawled in the minute of an instant.
 * @param schedule cron expression of minutes in UTC, as `* 0-5 * * *` for the first six hours of a day; null for always.
 */
export const isScheduled = (schedule: string | null, now: Date): boolean => {
  if (schedule === null) return true;
  const minute = new Date(now);
  minute.setUTCSeconds(0, 0);
  return matcherOf(schedule)(minute);
};

/** Whether a text is a cron expression of five fields. */
export const isSchedule = (text: string): boolean =>
  text.trim().split(/\s+/).length === 5 && cron.validate(text);

/** A pool that is crawled at present. */
interface ActivePool extends PoolRow {
  /** Pools whose accounts it reads: itself, and retired ones whose heir it is. */
  readonly reads: readonly string[];
}

const PAUSED = 'The pool is paused';
/** A process that was busy, or whose database was, asks again before it sends a request. */
const MAX_AGE_MS = 1_000;

type Matches = (date: Date) => boolean;

const matchers = new Map<string, Matches>();

const matcherOf = (schedule: string): Matches => {
  const known = matchers.get(schedule);
  if (known !== undefined) return known;
  const task = cron.createTask(schedule, () => undefined, { timezone: 'UTC' });
  const matches: Matches = (date) => task.match(date);
  matchers.set(schedule, matches);
  return matches;
};
