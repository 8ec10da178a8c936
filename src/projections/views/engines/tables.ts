import { z } from 'zod';
import {
  createTables,
  defineTable,
  float8,
  instant,
  int4,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
} from '../../table/table.ts';

const counts = json(z.record(z.string(), z.number()));

/** What an engine is doing, and what operators decided of it. */
export const engineTable = defineTable(
  'engines',
  {
    engine: name(),
    /** End of the newest report; null before the first. */
    reported_at: nullable(instant()),
    /** End of the newest report with a reading. */
    read_at: nullable(instant()),
    last_success_at: nullable(instant()),
    last_error: nullable(text()),
    last_error_at: nullable(instant()),
    /** The alarm that has not ended; null if there is none. */
    alarm: nullable(text()),
    alarm_detail: nullable(text()),
    alarm_at: nullable(instant()),
    paused_at: nullable(instant()),
    paused_why: nullable(text()),
    /** Requests a second; null if no operator set a rate. */
    rate_per_s: nullable(float8()),
  },
  { key: ['engine'] },
);
export type EngineRow = RowOf<typeof engineTable>;

/** What reports add up to. */
const work = {
  readings: int8(),
  requests: int8(),
  bytes: int8(),
  /** Requests of live reads in the same processes. */
  live_requests: int8(),
  /** Readings by outcome. */
  outcomes: counts,
  /** Readings by milliseconds, in logarithmic bins (`kernel/log-bins.ts`). */
  latency_bins: counts,
};

/** Reports of one worker that ended in a minute, counted since 1970. */
export const minuteTable = defineTable(
  'minutes',
  { engine: name(), worker: name(), minute: int4(), ...work },
  { key: ['engine', 'worker', 'minute'] },
);
export type MinuteRow = RowOf<typeof minuteTable>;

/** Reports of all workers that ended in an hour, counted since 1970. */
export const hourTable = defineTable(
  'hours',
  { engine: name(), hour: int4(), ...work },
  { key: ['engine', 'hour'] },
);
export type HourRow = RowOf<typeof hourTable>;

export const MINUTE_MS = 60_000;
export const HOUR_MINUTES = 60;

export const tables = (schema: string): string => createTables(schema, [engineTable, minuteTable, hourTable]);
