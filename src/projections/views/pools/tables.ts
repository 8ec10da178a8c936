import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { RULES, tuningShape } from '../../../write/pools/pool.ts';
import {
  bool,
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
  wideInt8,
} from '../../table/table.ts';

/** A pool with its current settings. */
export const poolTable = defineTable(
  'pools',
  {
    pool: name(),
    platform: name(platformSchema),
    rule: text(z.enum(RULES)),
    /** Length of the seed list that the pool was created with; null without one. */
    seeds: nullable(int8()),
    depth: nullable(int4()),
    /** Pools whose readings recruit for this one; empty for all. */
    sources: json(z.array(z.string()) as z.ZodType<readonly string[]>),
    share: float8(),
    refresh: text(tuningShape.refresh),
    refresh_min_s: int4(),
    refresh_max_s: int4(),
    refresh_factor: float8(),
    refresh_threshold: nullable(float8()),
    requests_per_day: nullable(float8()),
    size_cap: int4(),
    schedule: nullable(text()),
    min_holders: int4(),
    paused: bool(),
    /** Why it was paused or retired; null for neither. */
    why: nullable(text()),
    retired_at: nullable(instant()),
    /** The pool that reads a retired one's accounts; null if none does. */
    heir: nullable(text()),
    created_at: instant(),
    changed_at: instant(),
    /** Position of the event that last changed these settings. */
    changed: wideInt8(),
  },
  { key: ['pool'] },
);
export type PoolRow = RowOf<typeof poolTable>;

export const tables = (schema: string): string => createTables(schema, [poolTable]);
