import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { tuningShape } from '../../../write/pools/pool.ts';
import { defineSums } from '../../table/bulk.ts';
import {
  bool,
  createTables,
  defineTable,
  float4,
  float8,
  instant,
  int4,
  int8,
  name,
  nullable,
  type RowOf,
  text,
  wideInt8,
} from '../../table/table.ts';

/** Current settings of a pool. */
export const poolTable = defineTable(
  'pools',
  {
    pool: name(),
    platform: name(platformSchema),
    rule: text(),
    share: float4(),
    refresh: text(tuningShape.refresh),
    refresh_min_s: int4(),
    refresh_max_s: int4(),
    refresh_factor: float8(),
    refresh_threshold: nullable(float8()),
    size_cap: int4(),
    /** The pool that reads a retired one's accounts. */
    heir: nullable(text()),
  },
  { key: ['pool'] },
);
export type PoolRow = RowOf<typeof poolTable>;

/**
 * Numbers of accounts by the pool that recruited them, without those that left; of each platform, whose writer alone knows
 * them.
 */
export const memberTable = defineSums(
  'members',
  {
    platform: name(platformSchema),
    pool: name(),
    n: int8(),
    /** Of them: accounts that the last reading proved absent, and others that an operator named. */
    absent: int8(),
    seeds: int8(),
  },
  { key: ['platform', 'pool'], sums: ['n', 'absent', 'seeds'] },
);
export type MemberRow = RowOf<typeof memberTable>;

/** An account recruited by a pool, and when it is due. */
export const dueTable = defineTable(
  'due',
  {
    platform: name(platformSchema),
    handle: name(),
    pool: name(),
    /** Steps from an account that an operator or a caller named; null if unknown. */
    depth: nullable(int4()),
    /** Whether an operator named it. */
    is_seed: bool(),
    /** Times in a row that it was proven absent; see `GIVEN_UP`. */
    absences: int4(),
    /** Whether an operator took it out of the schedule: only an operator brings it back. */
    removed: bool(),
    /** Position of the event that recruited it. */
    recruited: wideInt8(),
    due_at: instant(),
    /** Seconds between readings, adapted to how fast the account changes. */
    interval_s: int4(),
    /** The last conclusive reading; null before the first. */
    observed_at: nullable(instant()),
    /** The followers shown last, and since when their changes count; null if unknown. */
    followers: nullable(int8()),
    followers_at: nullable(instant()),
    /** Evidence of its changes: sum of |Δ ln followers| in millionths, and of days^H in thousandths. */
    change_moved: int4(),
    change_exposure: int4(),
    /** Bin of its change coefficient, which its interval follows from; null before the first reading. */
    change_bin: nullable(int4()),
  },
  { key: ['platform', 'handle'], platforms: PLATFORMS },
);
export type DueRow = RowOf<typeof dueTable>;

/** An account that was proven absent so often leaves the schedule, unless an operator named it; it returns once it is seen. */
export const GIVEN_UP = 2;

/** Number of accounts that were read, by pool and bin of their change coefficient. Thresholds and forecasts follow from it. */
export const changeTable = defineSums(
  'changes',
  {
    pool: name(),
    bin: int4(),
    n: int8(),
    /** Accounts with a coefficient of their own. The others have the median's. */
    measured: int8(),
  },
  { key: ['pool', 'bin'], sums: ['n', 'measured'] },
);
export type ChangeRow = RowOf<typeof changeTable>;

/** Length of the slots, counted since 1970, by which due accounts are counted. Slots are few, since each is written often. */
export const DUE_SLOT_MS = 3_600_000;

/** The slot of accounts that were never read, and are due at once. */
export const NEVER_READ = -1;

/** Number of accounts by when they are due, so that a backlog is a sum and needs no count. */
export const dueSlotTable = defineSums(
  'due_slots',
  { platform: name(platformSchema), pool: name(), slot: int4(), n: int8() },
  { key: ['platform', 'pool', 'slot'], sums: ['n'] },
);
export type DueSlotRow = RowOf<typeof dueSlotTable>;

/**
 * Slots by which accounts are counted by their last reading. Each account is in a short slot, which is the resolution of ages, and
 * in a long one, which holds the sum of its short ones. Readers sum long slots, and short ones at the ends.
 */
export const SPANS = ['short', 'long'] as const;

export const SPAN_MS: Readonly<Record<(typeof SPANS)[number], number>> = {
  short: 300_000,
  long: 14_400_000,
};

/** Accounts by when they were last read, without those that never were. */
export const readSlotTable = defineSums(
  'read_slots',
  { platform: name(platformSchema), span: name(z.enum(SPANS)), slot: int4(), n: int8() },
  { key: ['platform', 'span', 'slot'], sums: ['n'] },
);
export type ReadSlotRow = RowOf<typeof readSlotTable>;

export const tables = (schema: string): string =>
  createTables(schema, [poolTable, memberTable, dueTable, changeTable, dueSlotTable, readSlotTable]);

export const indexes = (schema: string): string => `create index on ${schema}.due (pool, due_at);`;
