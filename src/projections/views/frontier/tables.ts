import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import type { PoolTuning } from '../../../write/pools/events.ts';
import type { Table } from '../../engine/bulk-upsert.ts';
import { partitionedByPlatform } from '../platform-partitions.ts';

/** Current settings of a pool. */
export interface PoolRow {
  readonly pool: string;
  readonly platform: Platform;
  readonly rule: string;
  readonly share: number;
  readonly refresh: PoolTuning['refresh'];
  readonly refresh_min_s: number;
  readonly refresh_max_s: number;
  readonly refresh_factor: number;
  readonly size_cap: number;
  /** Nothing is recruited or read, at present or any more. */
  readonly paused: boolean;
}

/** An account recruited by a pool, and when it is due. */
export interface DueRow {
  readonly platform: Platform;
  readonly handle: string;
  readonly pool: string;
  readonly due_at: string;
  /** Seconds between readings, adapted to how often the account changes. */
  readonly interval_s: number;
  /** The last conclusive reading; null before the first. */
  readonly observed_at: string | null;
}

export const poolTable: Table<PoolRow> = {
  name: 'pools',
  columns: {
    pool: 'text',
    platform: 'text',
    rule: 'text',
    share: 'real',
    refresh: 'text',
    refresh_min_s: 'integer',
    refresh_max_s: 'integer',
    refresh_factor: 'real',
    size_cap: 'integer',
    paused: 'boolean',
  },
  key: ['pool'],
};

export const dueTable: Table<DueRow> = {
  name: 'due',
  columns: {
    platform: 'text',
    handle: 'text',
    pool: 'text',
    due_at: 'timestamptz',
    interval_s: 'integer',
    observed_at: 'timestamptz',
  },
  key: ['platform', 'handle'],
};

export interface MemberRow {
  readonly pool: string;
  readonly n: number;
}

export const memberTable: Table<MemberRow> = {
  name: 'members',
  columns: { pool: 'text', n: 'bigint' },
  key: ['pool'],
};

export const tables = (schema: string): string => `
create table ${schema}.pools (
  pool text collate "C" primary key, platform text collate "C" not null, rule text not null, share real not null,
  refresh text not null, refresh_min_s integer not null, refresh_max_s integer not null, refresh_factor real not null,
  size_cap integer not null, paused boolean not null
);
create table ${schema}.members (pool text collate "C" primary key, n bigint not null);
${partitionedByPlatform(
  schema,
  'due',
  `platform text collate "C" not null, handle text collate "C" not null, pool text collate "C" not null,
   due_at timestamptz not null, interval_s integer not null, observed_at timestamptz, primary key (platform, handle)`,
  PLATFORMS,
)}
`;

export const indexes = (schema: string): string => `create index on ${schema}.due (pool, due_at);`;
