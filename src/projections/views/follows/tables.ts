import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import type { FollowDirection } from '../../../write/follows.ts';

/** Edges of a list are in one partition of a table. */
const PARTITIONS = 32;

/** Times count in seconds from 2020, so that four bytes last until 2088. This is the offset from 1970. */
const EPOCH_S = 1_577_836_800;

/** Before every instant of an event. */
export const FIRST_S = -EPOCH_S;

const MAX_S = 2 ** 31 - 1;

/** Later instants than the last are the last. */
export const secondsOf = (instant: string): number =>
  Math.min(MAX_S, Math.floor(Date.parse(instant) / 1_000) - EPOCH_S);

export const instantOf = (seconds: number): string => new Date((seconds + EPOCH_S) * 1_000).toISOString();

/** Whether native IDs of a platform take eight bytes. Others are text. */
export const hasNumericIds = (platform: Platform): boolean =>
  descriptorOf(platform).follows?.hasNumericIds === true;

const NUMERIC = PLATFORMS.filter(hasNumericIds);

const DIRECTION_CODES: Readonly<Record<FollowDirection, number>> = { followers: 0, following: 1 };

export const directionCode = (direction: FollowDirection): number => DIRECTION_CODES[direction];

/** Table of the edges of a platform with numeric IDs: one for each direction, so that a row needs no column for it. */
export const numericEdges = (platform: Platform, direction: FollowDirection): string =>
  `${platform}_${direction}`;

export const numericMembers = (platform: Platform): string => `${platform}_members`;

const partitions = (schema: string, table: string): string =>
  Array.from(
    { length: PARTITIONS },
    (_, n) =>
      `create table ${schema}.${table}_p${n} partition of ${schema}.${table} for values with (modulus ${PARTITIONS}, remainder ${n});`,
  ).join('\n');

const numericTables = (schema: string, platform: Platform): string =>
  [
    ...(['followers', 'following'] as const).map((direction) => {
      const table = numericEdges(platform, direction);
      return `create table ${schema}.${table} (
  owner bigint not null, member bigint not null, first_seen_s integer not null, last_seen_s integer not null,
  primary key (owner, member)
) partition by hash (owner);
${partitions(schema, table)}`;
    }),
    `create table ${schema}.${numericMembers(platform)} (
  id bigint primary key, seen_s integer not null, handle text collate "C" not null
);`,
  ].join('\n');

/**
 * Edges keep the first and last time that any reading of their list showed them. The last complete reading lacked an edge if its
 * last time is before `done_since_s` of the list. `done_s` and `capped_s` are the ends of the last complete reading and of the last
 * reading that stopped although the list continued.
 */
export const tables = (schema: string): string => `
create table ${schema}.lists (
  platform text collate "C" not null, direction smallint not null, owner text collate "C" not null,
  handle text collate "C" not null, seen_s integer not null, done_since_s integer, done_s integer, capped_s integer,
  primary key (platform, direction, owner)
);
create index on ${schema}.lists (platform, direction, handle);
-- Sweeps of a stream that have not ended: [id, start, parts so far].
create table ${schema}.sweeps (
  platform text collate "C" not null, handle text collate "C" not null, direction smallint not null, open jsonb not null,
  primary key (platform, handle, direction)
);
${NUMERIC.map((platform) => numericTables(schema, platform)).join('\n')}
create table ${schema}.edges (
  platform text collate "C" not null, direction smallint not null, owner text collate "C" not null,
  member text collate "C" not null, first_seen_s integer not null, last_seen_s integer not null,
  primary key (platform, direction, owner, member)
) partition by hash (owner);
${partitions(schema, 'edges')}
create table ${schema}.members (
  platform text collate "C" not null, id text collate "C" not null, seen_s integer not null, handle text collate "C" not null,
  primary key (platform, id)
);
`;
