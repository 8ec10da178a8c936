import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import type { AccountStatus } from '../../../write/accounts/events.ts';
import type { Table } from '../../engine/bulk-upsert.ts';
import { partitionedByPlatform } from '../platform-partitions.ts';

/** The last known state of a handle, as an account check returns it. One row per handle that was ever read. */
export interface AccountRow {
  readonly platform: Platform;
  readonly handle: string;
  readonly native_id: string | null;
  readonly status: AccountStatus;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly verified: boolean | null;
  readonly created_at: string | null;
  /** First and last time it was found to exist; null if never. */
  readonly first_seen_at: string | null;
  readonly last_seen_at: string | null;
  /** The last reading, conclusive or not. */
  readonly observed_at: string;
  /** Revision of the last event that this row is of, and of the last full profile; -1 if there is none. */
  readonly revision: number;
  readonly sighted_revision: number;
  /** Revision of an event that only posts concern: up to `revision` there is no later one. */
  readonly posts_revision: number;
  /** What decisions need of the account, as of `revision` (`write/accounts/snapshot.ts`). */
  readonly state: string;
}

export const accountTable: Table<AccountRow> = {
  name: 'accounts',
  columns: {
    platform: 'text',
    handle: 'text',
    native_id: 'text',
    status: 'text',
    display_name: 'text',
    followers: 'bigint',
    verified: 'boolean',
    created_at: 'timestamptz',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
    observed_at: 'timestamptz',
    revision: 'bigint',
    sighted_revision: 'bigint',
    posts_revision: 'bigint',
    state: 'text',
  },
  key: ['platform', 'handle'],
};

export interface TotalRow {
  readonly platform: string;
  readonly n: number;
}

export const totalTable: Table<TotalRow> = {
  name: 'totals',
  columns: { platform: 'text', n: 'bigint' },
  key: ['platform'],
};

export const tables = (schema: string): string => `
${partitionedByPlatform(
  schema,
  'accounts',
  `platform text collate "C" not null, handle text collate "C" not null, native_id text collate "C",
   status text not null, display_name text, followers bigint, verified boolean, created_at timestamptz,
   first_seen_at timestamptz, last_seen_at timestamptz, observed_at timestamptz not null,
   revision bigint not null, sighted_revision bigint not null, posts_revision bigint not null, state text not null,
   primary key (platform, handle)`,
  PLATFORMS,
)}
-- Number of accounts that were ever seen, by platform.
create table ${schema}.totals (platform text collate "C" primary key, n bigint not null);
`;

export const indexes = (schema: string): string => `
create index on ${schema}.accounts (native_id) where native_id is not null;
create index on ${schema}.accounts (last_seen_at desc nulls last);
`;
