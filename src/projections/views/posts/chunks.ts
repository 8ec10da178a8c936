/** Content of posts in chunks of consecutive times. */

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
const timeKey = (atMs: number): string => atMs.toString(16).padStart(TIME_DIGITS, '0');

/** Whether a key is of a post without a time. */
const isUndated = (key: string): boolean => key.startsWith('-');

/** A post as it is stored: what is null is left out. */
export type StoredContent = Pick<Content, 'id' | 'kind'> & Partial<Content>;

const EMPTY: Omit<Content, 'id' | 'kind'> = {
  atMs: null,
  url: null,
  media: null,
  text: null,
  lang: null,
  hashtags: null,
  links: null,
  mentions: null,
  reply_to: null,
  target: null,
  frozen: null,
};

export const storedOf = (content: Content): StoredContent =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null)) as StoredContent;

export const contentOf = (stored: StoredContent): Content => ({ ...EMPTY, ...stored });

/** Posts whose content is kept. A chunk goes when as many newer ones are there without it. */
export const KEPT_POSTS = 2_000;
/** Content of older posts goes, by the account's newest sighting, except for the newest posts. */
export const KEPT_MS = 400 * 86_400_000;
/** Posts that are kept whatever their age: an account that stopped publishing keeps what it shows. */
export const ALWAYS_KEPT_POSTS = 500;

/** A chunk of an account: it holds the posts from its floor up to the next one's. */
export interface ChunkRef {
  readonly floor: string;
  readonly n: number;
}

/** The chunks of an account, which folding mutates. */
export interface Chunks {
  /** From the oldest to the newest. */
  readonly refs: ChunkRef[];
  /** Content of the chunks that are in memory, by floor, sorted by key. */
  readonly loaded: Map<string, Content[]>;
  readonly changed: Set<string>;
  readonly removed: Set<string>;
}

export const noChunks = (): Chunks => ({
  refs: [],
  loaded: new Map(),
  changed: new Set(),
  removed: new Set(),
});

/** Index of the chunk that a key belongs to: that of the highest floor up to it; -1 below the first. */
const indexOf = (refs: readonly ChunkRef[], key: string): number => {
  let at = refs.length - 1;
  while (at >= 0 && (refs[at] as ChunkRef).floor > key) at -= 1;
  return at;
};

/** Floor of the chunk that a key belongs to; null if there is no chunk. */
export const floorFor = ({ refs }: Chunks, key: string): string | null =>
  refs[indexOf(refs, key)]?.floor ?? null;

const loadedContent = (chunks: Chunks, floor: string): Content[] => {
  const content = chunks.loaded.get(floor);
  if (content === undefined) throw new Error(`chunk ${floor} is not loaded`);
  return content;
};

/** Index of the first post whose key is not lower. */
const lowerBound = (posts: readonly Content[], key: string): number => {
  let [low, high] = [0, posts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { atMs, id } = posts[middle] as Content;
    if (keyOf(atMs, id) < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

interface Location {
  readonly index: number;
  readonly floor: string;
  readonly posts: Content[];
  readonly at: number;
  readonly found: Content | undefined;
}

const locate = (chunks: Chunks, key: string): Location | null => {
  const index = indexOf(chunks.refs, key);
  const floor = chunks.refs[index]?.floor;
  if (floor === undefined) return null;
  const posts = loadedContent(chunks, floor);
  const at = lowerBound(posts, key);
  const found = posts[at];
  return {
    index,
    floor,
    posts,
    at,
    found: found !== undefined && keyOf(found.atMs, found.id) === key ? found : undefined,
  };
};

/**
 * Notes a chunk's new content; an overfull one is split. An empty one stays: without it, its range would be that of
 * another chunk, which need not be in memory.
 */
const settleChunk = (chunks: Chunks, { index, floor, posts, at }: Location): void => {
  chunks.changed.add(floor);
  if (posts.length <= CHUNK_POSTS) {
    chunks.refs[index] = { floor, n: posts.length };
    return;
  }
  // Posts are mostly added at the new end: the chunk before stays full.
  const isNewest = index === chunks.refs.length - 1 && at === posts.length - 1;
  const upper = posts.splice(isNewest ? posts.length - 1 : posts.length >> 1);
  const { atMs, id } = upper[0] as Content;
  const upperFloor = keyOf(atMs, id);
  chunks.refs.splice(index, 1, { floor, n: posts.length }, { floor: upperFloor, n: upper.length });
  chunks.loaded.set(upperFloor, upper);
  chunks.changed.add(upperFloor);
  chunks.removed.delete(upperFloor);
};

const dropChunk = (chunks: Chunks, floor: string): void => {
  chunks.loaded.delete(floor);
  chunks.changed.delete(floor);
  chunks.removed.add(floor);
};

export const putContent = (chunks: Chunks, content: Content): void => {
  const key = keyOf(content.atMs, content.id);
  if (indexOf(chunks.refs, key) < 0) {
    chunks.refs.unshift({ floor: key, n: 0 });
    chunks.loaded.set(key, []);
    chunks.removed.delete(key);
  }
  const location = locate(chunks, key) as Location;
  if (location.found === undefined) location.posts.splice(location.at, 0, content);
  else if (JSON.stringify(location.found) === JSON.stringify(content)) return;
  else location.posts[location.at] = content;
  settleChunk(chunks, location);
};

/** Takes a post's content out of its chunk. */
export const takeContent = (chunks: Chunks, key: string): Content | undefined => {
  const location = locate(chunks, key);
  if (location?.found === undefined) return undefined;
  location.posts.splice(location.at, 1);
  settleChunk(chunks, location);
  return location.found;
};

/** The stored content of a post; undefined if its chunk went. */
export const contentAt = (chunks: Chunks, key: string): Content | undefined => locate(chunks, key)?.found;

/** Forgets all content. */
export const clearChunks = (chunks: Chunks): void => {
  for (const { floor } of chunks.refs.splice(0)) dropChunk(chunks, floor);
};

/** Removes the oldest chunks as long as everything in them may go. */
export const retainChunks = (chunks: Chunks, newestMs: number): void => {
  let total = chunks.refs.reduce((sum, { n }) => sum + n, 0);
  const cutoff = timeKey(Math.max(0, newestMs - KEPT_MS));
  for (;;) {
    const [first, second] = chunks.refs;
    if (first === undefined || second === undefined) return;
    const isOld = !isUndated(second.floor) && second.floor <= cutoff;
    const kept = isOld ? ALWAYS_KEPT_POSTS : KEPT_POSTS;
    if (first.n > 0 && total - first.n < kept) return;
    total -= first.n;
    chunks.refs.shift();
    dropChunk(chunks, first.floor);
  }
};
