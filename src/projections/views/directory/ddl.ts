import { partitionedByPlatform } from '../platform-partitions.ts';
import { DIRECTORY_PLATFORMS } from './tables.ts';

/** Sorts unknown numbers last: below any real count or growth. */
const UNKNOWN_RANK = '-9000000000000000';

const ENTRY = `platform text collate "C" not null, entry bigint not null`;

/** Sorts after every handle: accounts without one come last. */
const NO_HANDLE = 'chr(1114111)';

export const tables = (schema: string): string => `
${partitionedByPlatform(
  schema,
  'entries',
  `${ENTRY}, handle text collate "C", native_id text collate "C", display_name text, followers bigint,
   following bigint, posts bigint, verified boolean, created_at timestamptz, first_seen_at timestamptz not null,
   last_seen_at timestamptz not null, observed_at timestamptz not null, bio text, avatar_url text, location text,
   links jsonb not null, status text not null, previous_handles jsonb not null, growth_7d bigint,
   growth_30d bigint, growth_samples text not null, primary key (platform, entry)`,
  DIRECTORY_PLATFORMS,
)}
create index on ${schema}.entries (handle);
create index on ${schema}.entries (native_id);
${partitionedByPlatform(
  schema,
  'history',
  `${ENTRY}, at timestamptz not null, followers bigint, following bigint, posts bigint, verified boolean,
   handle text, display_name text, primary key (platform, entry, at)`,
  DIRECTORY_PLATFORMS,
)}
create table ${schema}.names (
  ${ENTRY}, handle text collate "C" not null, name text not null, primary key (platform, entry)
);
create table ${schema}.links (${ENTRY}, link text collate "C" not null, primary key (platform, entry, link));
create table ${schema}.changes (
  position bigint not null, n integer not null, at timestamptz not null, platform text collate "C" not null,
  native_id text, handle text, kind text not null, before jsonb, after jsonb, primary key (position, n)
);
create table ${schema}.status_counts (
  platform text collate "C" not null, status text collate "C" not null, band text collate "C" not null,
  n bigint not null, primary key (platform, status, band)
);
create table ${schema}.freshness (
  platform text collate "C" not null, slot integer not null, n bigint not null, primary key (platform, slot)
);
`;

/** One index per sort order; within a platform's partition the platform needs no column. */
export const indexes = (schema: string): string => `
create index on ${schema}.entries (coalesce(followers, ${UNKNOWN_RANK}) desc, entry desc);
create index on ${schema}.entries (coalesce(growth_7d, ${UNKNOWN_RANK}) desc, entry desc);
create index on ${schema}.entries (coalesce(growth_30d, ${UNKNOWN_RANK}) desc, entry desc);
create index on ${schema}.entries (last_seen_at desc, entry desc);
create index on ${schema}.entries (coalesce(handle, ${NO_HANDLE}), entry);
create index on ${schema}.names (handle);
create index on ${schema}.names using gin (to_tsvector('simple', name));
create index on ${schema}.names using gin (handle gin_trgm_ops);
create index on ${schema}.names using gin (name gin_trgm_ops);
create index on ${schema}.links (link);
create index on ${schema}.changes (platform, position, n);
`;
