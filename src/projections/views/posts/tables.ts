import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import type { Table } from '../../engine/bulk-upsert.ts';
import { partitionedByPlatform } from '../platform-partitions.ts';
import type { ChunkRef } from './chunk-list.ts';

export { type Content, decodeChunk, keyOf } from './chunk.ts';
export type { ChunkRef } from './chunk-list.ts';
export { type Digest, type DigestPost, decodeDigest } from './digest.ts';

/** An account's posts in brief: one row per handle that was ever read. */
export interface AccountRow {
  readonly platform: Platform;
  readonly handle: string;
  /** Revision of the last event that concerns posts or the owner. */
  readonly revision: number;
  /** Revision of the last event that showed posts; -1 if there is none. */
  readonly posts_revision: number;
  /** Native ID of the account that the posts are of; null if unknown. */
  readonly native_id: string | null;
  readonly is_seen: boolean;
  readonly is_absent: boolean;
  readonly is_gone: boolean;
  /** At the last sighting that moved them by more than a bin. */
  readonly followers: number | null;
  /** The newest sighting that changed this row. */
  readonly observed_at: string;
  readonly chunks: readonly (readonly [floor: string, n: number])[];
  /** The newest posts with their figures, packed (`digest.ts`). */
  readonly digest: Buffer;
}

export const accountTable: Table<AccountRow> = {
  name: 'accounts',
  columns: {
    platform: 'text',
    handle: 'text',
    revision: 'bigint',
    posts_revision: 'bigint',
    native_id: 'text',
    is_seen: 'boolean',
    is_absent: 'boolean',
    is_gone: 'boolean',
    followers: 'bigint',
    observed_at: 'timestamptz',
    chunks: 'jsonb',
    digest: 'bytea',
  },
  key: ['platform', 'handle'],
};

/** Content of up to 50 posts of consecutive times, compressed (`chunk.ts`). */
export interface ChunkRow {
  readonly platform: Platform;
  readonly handle: string;
  readonly floor: string;
  readonly posts: Buffer;
}

export const chunkTable: Table<ChunkRow> = {
  name: 'chunks',
  columns: { platform: 'text', handle: 'text', floor: 'text', posts: 'bytea' },
  key: ['platform', 'handle', 'floor'],
};

/** Number of accounts of a platform and size band with a figure in a bin (`kernel/log-bins.ts`). */
export interface FigureCountRow {
  readonly platform: Platform;
  readonly band: number;
  readonly metric: string;
  readonly bin: number;
  readonly n: number;
}

export const figureCountTable: Table<FigureCountRow> = {
  name: 'figure_counts',
  columns: { platform: 'text', band: 'integer', metric: 'text', bin: 'integer', n: 'bigint' },
  key: ['platform', 'band', 'metric', 'bin'],
};

export const chunkRefs = (chunks: AccountRow['chunks']): ChunkRef[] =>
  chunks.map(([floor, n]) => ({ floor, n }));

const NAME = `platform text collate "C" not null, handle text collate "C" not null`;

export const tables = (schema: string): string => `
${partitionedByPlatform(
  schema,
  'accounts',
  `${NAME}, revision bigint not null, posts_revision bigint not null, native_id text collate "C", is_seen boolean not null,
   is_absent boolean not null, is_gone boolean not null, followers bigint, observed_at timestamptz not null,
   chunks jsonb not null, digest bytea not null, primary key (platform, handle)`,
  PLATFORMS,
)}
${partitionedByPlatform(
  schema,
  'chunks',
  `${NAME}, floor text collate "C" not null, posts bytea not null, primary key (platform, handle, floor)`,
  PLATFORMS,
)}
-- Number of accounts by platform, size band, figure and bin.
create table ${schema}.figure_counts (
  platform text collate "C" not null, band integer not null, metric text collate "C" not null,
  bin integer not null, n bigint not null, primary key (platform, band, metric, bin)
);
`;
