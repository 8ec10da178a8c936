import { z } from 'zod';
import { SOURCES } from '../../../kernel/platform.ts';
import {
  createTables,
  defineTable,
  instant,
  int4,
  int8,
  name,
  nullable,
  type RowOf,
  text,
  wideInt8,
} from '../../table/table.ts';

export const HOUR_MS = 3_600_000;

/** Hours kept before the newest of a pool or an engine: what two weeks of comparison and the longest half-life need. */
export const KEPT_HOURS = 400;

/** What a pool's accounts cost and gave in an hour, counted since 1970. */
export const poolHourTable = defineTable(
  'pool_hours',
  {
    pool: name(),
    hour: int4(),
    /** Requests for accounts of the pool, their readings, those without a conclusive outcome, and the accounts found that they named. */
    requests: int8(),
    readings: int8(),
    errors: int8(),
    discovered: int8(),
    /** Accounts that named those, each counted once within a day. */
    namers: int8(),
    /** Accounts that the pool recruited, and those of them that callers asked for. */
    recruited: int8(),
    demanded: int8(),
    /** The first and the last report of the hour; null before the first. */
    first_report: nullable(text()),
    last_report: nullable(text()),
    /** The last event in which callers' demand recruited accounts; null without one. */
    last_demand: nullable(text()),
  },
  { key: ['pool', 'hour'] },
);
export type PoolHourRow = RowOf<typeof poolHourTable>;

/** What an engine did in an hour. */
export const engineHourTable = defineTable(
  'engine_hours',
  {
    engine: name(z.enum(SOURCES)),
    hour: int4(),
    readings: int8(),
    errors: int8(),
    /** Times that it was found degraded, and the last of these events; null without one. */
    alarms: int4(),
    last_alarm: nullable(text()),
    first_report: nullable(text()),
    last_report: nullable(text()),
  },
  { key: ['engine', 'hour'] },
);
export type EngineHourRow = RowOf<typeof engineHourTable>;

/** The last event that the figures contain: one row. */
export const newestTable = defineTable(
  'newest',
  { one: name(), event: text(), position: wideInt8(), recorded_at: instant() },
  { key: ['one'] },
);
export type NewestRow = RowOf<typeof newestTable>;

export const tables = (schema: string): string =>
  createTables(schema, [poolHourTable, engineHourTable, newestTable]);
