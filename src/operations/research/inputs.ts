import type { Queryable } from '../../kernel/postgres/pool.ts';
import { DUE_SLOT_MS } from '../../projections/views/frontier/tables.ts';
import { HOUR_MS } from '../../projections/views/pool-stats/tables.ts';
import { listPools, type PoolRow } from '../../read/pools/pools.ts';
import type { ChangeCount } from '../../read/research/counters.ts';
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
} from '../../read/research/counters.ts';

/** What a run reads, as of one event. */
export interface Snapshot {
  /** The last event that the counters contain; null for none. */
  readonly asOf: string | null;
  readonly nowMs: number;
  /** Pools that are read. */
  readonly pools: readonly PoolRow[];
  readonly poolHours: ReadonlyMap<string, readonly PoolHourRow[]>;
  readonly engineHours: ReadonlyMap<string, readonly EngineHourRow[]>;
  readonly renames: readonly ChangeCount[];
  readonly jumps: readonly ChangeCount[];
  readonly lateness: ReadonlyMap<string, PoolLateness>;
}

/** Hours that findings compare, and the longest half-life needs. */
const HOURS = 390;
const GRACE_S = 7_200;
/** Accounts may be late by this part of their longest interval. */
const GRACE_SHARE = 0.1;

/** Seconds after which an account that is due is late. */
export const graceOf = ({ refresh_max_s }: Pick<PoolRow, 'refresh_max_s'>): number =>
  Math.max(GRACE_S, Math.round(GRACE_SHARE * refresh_max_s));

const isRead = ({ paused, retired_at }: PoolRow): boolean => !paused && retired_at === null;

/** Reads all that a run decides on. @param db in a transaction whose statements see one snapshot. */
export const readSnapshot = async (db: Queryable, schemas: Schemas, nowMs: number): Promise<Snapshot> => {
  const since = Math.floor(nowMs / HOUR_MS) - HOURS;
  const from = new Date(since * HOUR_MS);
  const pools = (await listPools(db, schemas.pools)).filter(isRead);
  const slots = pools.map((row) => ({
    ...row,
    beforeSlot: Math.floor((nowMs - 1_000 * graceOf(row)) / DUE_SLOT_MS),
  }));
  return {
    asOf: (await readNewest(db, schemas))?.event ?? null,
    nowMs,
    pools,
    poolHours: Map.groupBy(await readPoolHours(db, schemas, since), ({ pool }) => pool),
    engineHours: Map.groupBy(await readEngineHours(db, schemas, since), ({ engine }) => engine),
    renames: await readRenames(db, schemas, from),
    jumps: await readJumps(db, schemas, from),
    lateness: await readLateness(db, schemas, slots),
  };
};
