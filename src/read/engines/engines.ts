import { sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { platformOfSource, SOURCES, type Source } from '../../kernel/source.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { type EngineRow, engineTable } from '../../projections/views/engines/tables.ts';
import { PLACEMENT } from '../../projections/views/listings/tables.ts';
import type { Builds } from '../active-builds.ts';
import { ageS } from '../age.ts';
import type { ListReads } from '../lists/lists.ts';
import { type PoolBacklog, readFreshness, readPoolBacklogs } from './backlog.ts';
import { type EngineStatus, statusOf, successRate, type Window } from './windows.ts';
import { type EngineWork, readWork } from './work.ts';

/** An engine as it is now. Null is unknown: never zero. */
export interface EngineState extends EngineWork {
  readonly key: Source;
  readonly platform: Platform | null;
  readonly status: EngineStatus;
  /** What operators and alarms say; null if its stream has no event. */
  readonly row: EngineRow | null;
  readonly successRate: number | null;
  readonly freshness: {
    readonly p50_s: number | null;
    readonly p95_s: number | null;
    readonly p99_s: number | null;
    /** The longest age that a pool allows. */
    readonly target_s: number | null;
  };
  readonly catalogSize: number | null;
  readonly backlog: number | null;
  readonly oldestDueS: number | null;
  readonly pools: readonly PoolBacklog[];
}

const engineSchema = rowSchemaOf(engineTable, [
  'engine',
  'reported_at',
  'read_at',
  'last_success_at',
  'last_error',
  'last_error_at',
  'alarm',
  'alarm_detail',
  'alarm_at',
  'paused_at',
  'paused_why',
  'rate_per_s',
]);

const sizeSchema = z.object({ source: z.string(), n: z.string().transform(Number) });

/** Accounts that were read by platform, and listings of marketplaces. */
const readSizes = async (lists: ListReads, builds: Builds): Promise<ReadonlyMap<string, number>> => {
  const accounts = sql.identifier([builds.schema('accounts'), 'totals']);
  const listings = sql.identifier([builds.schema('listings'), 'totals']);
  const rows = await lists.any(sql.type(sizeSchema)`
    select platform as source, n from ${accounts}
    union all
    select 'marketplace', coalesce(sum(n), 0)::bigint from ${listings} where status <> ${PLACEMENT}`);
  return new Map(rows.map(({ source, n }) => [source, n]));
};

const NO_WORK: EngineWork = {
  perMin: { '1m': null, '1h': null, '24h': null },
  requestsPerMin: null,
  outcomes: {},
  latencyMs: { p50: null, p95: null, p99: null },
  workers: 0,
};

/** What waits in pools that are read. */
const backlogOf = (pools: readonly PoolBacklog[], nowMs: number) => {
  const read = pools.filter(({ paused }) => !paused);
  const oldest = read.flatMap(({ oldestDueMs }) => oldestDueMs ?? []);
  return {
    // A feed has no backlog, and neither has a platform without pools.
    backlog: pools.length === 0 ? null : read.reduce((sum, { backlog }) => sum + backlog, 0),
    oldestDueS: oldest.length === 0 ? null : ageS(Math.min(...oldest), nowMs),
    target_s: read.length === 0 ? null : Math.max(...read.map(({ targetS }) => targetS)),
  };
};

/** All engines, in the order of platforms. @param window of outcomes, success and latencies. */
export const readEngines = async (
  lists: ListReads,
  builds: Builds,
  window: Window,
  nowMs: number,
): Promise<readonly EngineState[]> => {
  const table = sql.identifier([builds.schema('engines'), 'engines']);
  const rows = await lists.any(sql.type(engineSchema)`
    select engine, reported_at, read_at, last_success_at, last_error, last_error_at, alarm, alarm_detail, alarm_at,
      paused_at, paused_why, rate_per_s
    from ${table}`);
  const work = await readWork(lists, builds, window, nowMs);
  const pools = await readPoolBacklogs(lists, builds, nowMs);
  const ages = await readFreshness(lists, builds, nowMs);
  const sizes = await readSizes(lists, builds);
  return SOURCES.map((key): EngineState => {
    const platform = platformOfSource(key);
    const row = rows.find(({ engine }) => engine === key) ?? null;
    const own = pools.filter((pool) => pool.platform === platform);
    const done = work.get(key) ?? NO_WORK;
    const freshness = platform === null ? undefined : ages.get(platform);
    const { backlog, oldestDueS, target_s } = backlogOf(own, nowMs);
    return {
      key,
      platform,
      status: statusOf(row ?? { paused_at: null, alarm: null, read_at: null }, nowMs),
      row,
      ...done,
      successRate: successRate(done.outcomes),
      freshness: {
        p50_s: freshness?.p50_s ?? null,
        p95_s: freshness?.p95_s ?? null,
        p99_s: freshness?.p99_s ?? null,
        target_s,
      },
      catalogSize: sizes.get(key) ?? null,
      backlog,
      oldestDueS,
      pools: own,
    };
  });
};
