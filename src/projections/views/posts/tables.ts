import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { defineSums } from '../../table/bulk-add.ts';
import { bool, bytes, instant, int4, int8, json, name, nullable } from '../../table/column.ts';
import { createTables, defineTable, type RowOf } from '../../table/table.ts';
import type { ChunkRef } from './chunk-list.ts';

export { type Content, decodeChunk, keyOf } from './chunk.ts';
export type { ChunkRef } from './chunk-list.ts';
export { type Digest, type DigestPost, decodeDigest } from './digest.ts';

/** An account's posts in brief: one row per handle that was ever read. */
export const accountTable = defineTable(
  'accounts',
  {
    platform: name(platformSchema),
    handle: name(),
    /** Revision of the last event that concerns posts or the owner. */
    revision: int8(),
    /** Revision of the last event that showed posts; -1 if there is none. */
    posts_revision: int8(),
    /** Native ID of the account that the posts are of; null if unknown. */
    native_id: nullable(name()),
    is_seen: bool(),
    is_absent: bool(),
    is_gone: bool(),
    /** At the last sighting that moved them by more than a bin. */
    followers: nullable(int8()),
    /** The newest sighting that changed this row. */
    observed_at: instant(),
    /** Floor and number of posts of each chunk. */
    chunks: json(
      z.array(z.tuple([z.string(), z.int()])) as z.ZodType<readonly (readonly [string, number])[]>,
    ),
    /** The newest posts with their figures, packed (`digest.ts`). */
    digest: bytes(),
  },
  { key: ['platform', 'handle'], platforms: PLATFORMS },
);
export type AccountRow = RowOf<typeof accountTable>;

/** Content of up to 50 posts of consecutive times, compressed (`chunk.ts`). */
export const chunkTable = defineTable(
  'chunks',
  { platform: name(platformSchema), handle: name(), floor: name(), posts: bytes() },
  { key: ['platform', 'handle', 'floor'], platforms: PLATFORMS },
);
export type ChunkRow = RowOf<typeof chunkTable>;

/** Number of accounts of a platform and size band with a figure in a bin (`kernel/log-bins.ts`). */
export const figureCountTable = defineSums(
  'figure_counts',
  { platform: name(platformSchema), band: int4(), metric: name(), bin: int4(), n: int8() },
  { key: ['platform', 'band', 'metric', 'bin'], sums: ['n'] },
);
export type FigureCountRow = RowOf<typeof figureCountTable>;

export const chunkRefs = (chunks: AccountRow['chunks']): ChunkRef[] =>
  chunks.map(([floor, n]) => ({ floor, n }));

export const tables = (schema: string): string =>
  createTables(schema, [accountTable, chunkTable, figureCountTable]);
