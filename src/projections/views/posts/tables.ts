import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { defineSums } from '../../table/bulk.ts';
import {
  bool,
  bytes,
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
} from '../../table/table.ts';
import type { ChunkRef, StoredContent } from './chunks.ts';
import { digestFunctions } from './digest.ts';

export { DIGEST_KEPT } from './account-posts.ts';
export type { ChunkRef } from './chunks.ts';
export { type Content, contentOf, keyOf } from './chunks.ts';
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
    /** Followers by the time from which on they were shown, ms since 1970, whenever they moved by more than a bin. */
    sizes: json(
      z.array(z.tuple([z.number(), z.number()])) as z.ZodType<readonly (readonly [number, number])[]>,
    ),
    /** The newest sighting that changed this row. */
    observed_at: instant(),
    /** Floor and number of posts of each chunk. */
    chunks: json(
      z.array(z.tuple([z.string(), z.int()])) as z.ZodType<readonly (readonly [string, number])[]>,
    ),
    /** The newest posts with their figures, packed (`digest.ts`). The view `figures` has a row for each. */
    digest: bytes(),
  },
  { key: ['platform', 'handle'], platforms: PLATFORMS },
);
export type AccountRow = RowOf<typeof accountTable>;

/** Content of up to 50 posts of consecutive times. The view `contents` has a row for each. */
export const chunkTable = defineTable(
  'chunks',
  {
    platform: name(platformSchema),
    handle: name(),
    floor: name(),
    posts: json(z.unknown() as z.ZodType<readonly StoredContent[]>),
  },
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

/** Figures of an account's posts before its last sighting: one row per account with enough of them. */
export const accountFigureTable = defineTable(
  'account_figures',
  {
    platform: name(platformSchema),
    handle: name(),
    followers: int8(),
    /** Posts that the figures are of. */
    posts: int4(),
    /** As in `figure_counts`. */
    median_likes: nullable(float8()),
    median_views: nullable(float8()),
    engagement_rate_followers: nullable(float8()),
    engagement_rate_views: nullable(float8()),
    posts_per_week: nullable(float8()),
    /** The sighting that the figures are as of. */
    observed_at: instant(),
  },
  { key: ['platform', 'handle'], platforms: PLATFORMS },
);
export type AccountFigureRow = RowOf<typeof accountFigureTable>;

/** Posts far above the usual engagement of their account: at most three an account. */
export const viralPostTable = defineTable(
  'viral_posts',
  {
    platform: name(platformSchema),
    handle: name(),
    post: name(),
    at: instant(),
    /** Robust z of its engagement among the account's posts, and its multiple of their median. */
    score: float8(),
    multiple: float8(),
    engagement: int8(),
    observed_at: instant(),
  },
  { key: ['platform', 'handle', 'post'], platforms: PLATFORMS },
);
export type ViralPostRow = RowOf<typeof viralPostTable>;

/** What the posts of a platform are, over its accounts. */
export const sampleCountTable = defineSums(
  'sample_counts',
  {
    platform: name(platformSchema),
    /** Accounts that exist and show their followers; with posts; with figures. */
    accounts: int8(),
    with_posts: int8(),
    with_figures: int8(),
    /** Posts of digests; those that figures are of, and of these with views, and listed by time. */
    posts: int8(),
    sampled: int8(),
    with_views: int8(),
    ordered: int8(),
  },
  {
    key: ['platform'],
    sums: ['accounts', 'with_posts', 'with_figures', 'posts', 'sampled', 'with_views', 'ordered'],
  },
);
export type SampleCountRow = RowOf<typeof sampleCountTable>;

export const chunkRefs = (chunks: AccountRow['chunks']): ChunkRef[] =>
  chunks.map(([floor, n]) => ({ floor, n }));

/** What analysts read: a row for each post of a digest and of a chunk. */
const unfolded = (schema: string): string => `
${digestFunctions(schema)}
create view ${schema}.figures as
  select a.platform, a.handle, p.* from ${schema}.accounts a, ${schema}.digest_posts(a.digest) p;
create view ${schema}.contents as
  select c.platform, c.handle, p.id, to_timestamp(p."atMs" / 1000.0) as at, p.kind, p.media, p.url, p.text, p.lang, p.hashtags,
    p.links, p.mentions, p.reply_to, p.target, p.frozen
  from ${schema}.chunks c, jsonb_to_recordset(c.posts) as p(id text, "atMs" float8, kind text, media text, url text, text text,
    lang text, hashtags jsonb, links integer, mentions jsonb, reply_to jsonb, target jsonb, frozen jsonb);
`;

export const tables = (schema: string): string =>
  `${createTables(schema, [
    accountTable,
    chunkTable,
    figureCountTable,
    accountFigureTable,
    viralPostTable,
    sampleCountTable,
  ])}${unfolded(schema)}`;

/** Posts below this multiple of their account's median don't count as viral. */
export const LEAST_MULTIPLE = 3;

/** Order of viral posts. Readers repeat it verbatim. */
export const VIRAL_ORDER = 'score desc, handle desc, post desc';

export const indexes = (schema: string): string => `
create index on ${schema}.account_figures (platform, followers, handle);
create index on ${schema}.viral_posts (platform, ${VIRAL_ORDER});
`;
