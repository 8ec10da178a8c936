import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import type { Projection } from '../../projections/projection.ts';
import { DUE_SLOT_MS } from '../../projections/views/frontier/tables.ts';
import { HOUR_MS } from '../../projections/views/pool-stats/tables.ts';
import { listPools, type PoolRow } from '../../read/pools.ts';
import type { ChangeCount } from '../../read/research/runs.ts';
import {
  type EngineHourRow,
  type PoolHourRow,
  type PoolLateness,
  readEngineHours,
  readJumps,
  readLateness,
  readNewest,
  readPoolHours,
  readRenames,
  type Schemas,
} from '../../read/research/runs.ts';
import type { EventLog } from '../../write/log/port.ts';
import { openSince } from '../pools/opening-hours.ts';

/** What a run reads, as of one event. */
export interface Snapshot {
  /** The last event that the counters contain; null for none. */
  readonly asOf: string | null;
  /** Positions of the read models. */
  readonly builds: Readonly<Record<keyof Schemas, string>>;
  /** The time of the database, which the log records events by: the clock of a process may step. */
  readonly nowMs: number;
  /** Pools that are read. */
  readonly pools: readonly PoolRow[];
  readonly poolHours: ReadonlyMap<string, readonly PoolHourRow[]>;
  readonly engineHours: ReadonlyMap<string, readonly EngineHourRow[]>;
  readonly renames: readonly ChangeCount[];
  readonly jumps: readonly ChangeCount[];
  readonly lateness: ReadonlyMap<string, PoolLateness>;
}

/** The time of the database. */
export const timeOf = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ now: string }>(sql`select now() as now`);
  return Date.parse((rows[0] as { now: string }).now);
};

const buildsOf = async (db: Queryable, schemas: Schemas): Promise<Snapshot['builds']> => {
  const positions: [string, string][] = [];
  for (const [name, schema] of Object.entries(schemas))
    positions.push([name, String(await checkpointOf(db, schema))]);
  return Object.fromEntries(positions) as Snapshot['builds'];
};

/** Hours that findings compare, and the longest half-life needs. */
const HOURS = 390;
const GRACE_S = 7_200;
/** Accounts may be late by this part of their longest interval. */
const GRACE_SHARE = 0.1;

/** Seconds after which an account that is due is late: of those in which its pool is crawled. */
export const graceOf = ({ refresh_max_s }: Pick<PoolRow, 'refresh_max_s'>): number =>
  Math.max(GRACE_S, Math.round(GRACE_SHARE * refresh_max_s));

/** The slot before which accounts are late that are due since; none if the pool was not crawled for so long. */
const lateSlot = (row: Pick<PoolRow, 'refresh_max_s' | 'schedule'>, nowMs: number): number => {
  const since = openSince(row.schedule, nowMs, graceOf(row));
  return since === null ? 0 : Math.floor(since / DUE_SLOT_MS);
};

const isRead = ({ paused, retired_at }: PoolRow): boolean => !paused && retired_at === null;

/** Readings of accounts that are not in the read model yet may be so old. */
const LAG_MS = 300_000;

/** Whether a read model has all but the last minutes of the log: one that is behind shows accounts as due that were read since. */
export const isCurrent = async (
  log: EventLog,
  { types, streamPrefixes = [] }: Projection,
  position: string,
  nowMs: number,
): Promise<boolean> => {
  for await (const { events } of log.readAll(BigInt(position), { types, streamPrefixes, pageSize: 1 })) {
    const [next] = events;
    if (next !== undefined) return nowMs - Date.parse(next.recorded_at) < LAG_MS;
  }
  return true;
};

/** Reads all that a run decides on. @param db in a transaction whose statements see one snapshot. */
export const readSnapshot = async (db: Queryable, schemas: Schemas): Promise<Snapshot> => {
  const nowMs = await timeOf(db);
  const since = Math.floor(nowMs / HOUR_MS) - HOURS;
  const from = new Date(since * HOUR_MS);
  const pools = (await listPools(db, schemas.pools)).filter(isRead);
  const slots = pools.map((row) => ({ ...row, beforeSlot: lateSlot(row, nowMs) }));
  return {
    asOf: (await readNewest(db, schemas))?.event ?? null,
    builds: await buildsOf(db, schemas),
    nowMs,
    pools,
    poolHours: Map.groupBy(await readPoolHours(db, schemas, since), ({ pool }) => pool),
    engineHours: Map.groupBy(await readEngineHours(db, schemas, since), ({ engine }) => engine),
    renames: await readRenames(db, schemas, from),
    jumps: await readJumps(db, schemas, from),
    lateness: await readLateness(db, schemas, slots),
  };
};
