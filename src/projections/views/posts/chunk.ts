import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Figures, Post } from '../../../write/accounts/post.ts';

/** Posts a chunk holds before it is split. */
export const CHUNK_POSTS = 50;

/** Figures of a post that left the digest, as they were then. */
export interface FrozenFigures extends Figures {
  readonly observedMs: number;
  /** Whether a surface listed it that sorts by time. */
  readonly isOrdered: boolean;
}

/** What is stored of a post beside its figures. */
export interface Content
  extends Pick<
    Post,
    | 'id'
    | 'kind'
    | 'media'
    | 'url'
    | 'text'
    | 'lang'
    | 'hashtags'
    | 'links'
    | 'mentions'
    | 'reply_to'
    | 'target'
  > {
  readonly atMs: number | null;
  readonly frozen: FrozenFigures | null;
}

const TIME_DIGITS = 12;

/** Sorts posts from oldest to newest: those without a time come first, those of equal times by ID. */
export const keyOf = (atMs: number | null, id: string): string =>
  atMs === null ? `-${id}` : `${timeKey(atMs)}${id}`;

/** Sorts before the key of every post of that time or later. */
export const timeKey = (atMs: number): string => atMs.toString(16).padStart(TIME_DIGITS, '0');

/** Whether a key is of a post without a time. */
export const isUndated = (key: string): boolean => key.startsWith('-');

/** A sorted table of posts as JSON arrays, without the nulls at their ends. */
type Packed = readonly unknown[];

const packed = ({ frozen, ...content }: Content): Packed => {
  const row: unknown[] = [
    content.id,
    content.atMs,
    content.url,
    content.kind,
    content.media,
    content.text,
    content.lang,
    content.hashtags,
    content.links,
    content.mentions,
    content.reply_to && [content.reply_to.post, content.reply_to.account],
    content.target && [content.target.post, content.target.account],
    frozen && [
      frozen.observedMs,
      frozen.likes,
      frozen.replies,
      frozen.reposts,
      frozen.quotes,
      frozen.views,
      frozen.isOrdered ? 1 : 0,
    ],
  ];
  while (row.at(-1) === null) row.pop();
  return row;
};

const orNull = <T>(value: unknown): T | null => (value ?? null) as T | null;

const referenceOf = (pair: unknown): Content['target'] => {
  if (pair == null) return null;
  const [post, account] = pair as [string | null, string | null];
  return { post, account };
};

const frozenOf = (row: unknown): FrozenFigures | null => {
  if (row == null) return null;
  const [observedMs, likes, replies, reposts, quotes, views, ordered] = row as [number, ...(number | null)[]];
  return {
    observedMs,
    isOrdered: ordered === 1,
    likes: likes ?? null,
    replies: replies ?? null,
    reposts: reposts ?? null,
    quotes: quotes ?? null,
    views: views ?? null,
  };
};

const unpacked = (row: Packed): Content => ({
  id: row[0] as string,
  atMs: orNull(row[1]),
  url: orNull(row[2]),
  kind: row[3] as Post['kind'],
  media: orNull(row[4]),
  text: orNull(row[5]),
  lang: orNull(row[6]),
  hashtags: orNull(row[7]),
  links: orNull(row[8]),
  mentions: orNull(row[9]),
  reply_to: referenceOf(row[10]),
  target: referenceOf(row[11]),
  frozen: frozenOf(row[12]),
});

/** Packs posts with zstd, which leaves half of what the compression of Postgres does. */
export const encodeChunk = (posts: readonly Content[]): Buffer =>
  zstdCompressSync(JSON.stringify(posts.map(packed)));

export const decodeChunk = (bytes: Buffer): Content[] =>
  (JSON.parse(zstdDecompressSync(bytes).toString()) as Packed[]).map(unpacked);
