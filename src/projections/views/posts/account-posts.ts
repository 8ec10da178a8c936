import type { Platform } from '../../../kernel/platform.ts';
import type { AccountEventData } from '../../../write/accounts/events.ts';
import { extendedSpan, textHashOf } from '../../../write/accounts/known-posts.ts';
import { noOwner, type Owner } from '../../../write/accounts/owner.ts';
import { FIGURES, type Figures, type MovedPost, type Post, type Span } from '../../../write/accounts/post.ts';
import { CHUNK_POSTS, type Content, isUndated, keyOf, timeKey } from './chunk.ts';
import type { DigestPost } from './digest.ts';

/** Posts of a digest, and how many of the newest stay when it is full. */
export const DIGEST_POSTS = 500;
export const DIGEST_KEPT = 400;

/** Posts whose content is kept. A chunk goes when as many newer ones are there without it. */
export const KEPT_POSTS = 2_000;
/** Content of older posts goes, by the account's newest sighting. */
export const KEPT_MS = 400 * 86_400_000;

/** A chunk of an account: it holds the posts from its floor up to the next one's. */
export interface ChunkRef {
  readonly floor: string;
  readonly n: number;
}

/** What a stream has shown of an account's posts. Folding changes it in place. */
export interface AccountPosts {
  readonly platform: Platform;
  readonly handle: string;
  /** Revision of the last event that concerns posts or the owner; -1 before any. */
  revision: number;
  owner: Owner;
  /** Whether the last reading found no account. */
  isGone: boolean;
  followers: number | null;
  /** The newest sighting that changed something here: figures and retention refer to it. */
  observedMs: number;
  /** In the order in which they were recorded. */
  digest: Map<string, DigestPost>;
  span: Span | null;
  /** From the oldest to the newest. */
  chunks: ChunkRef[];
  /** Content of the chunks that are in memory, by floor, sorted by key. */
  readonly loaded: Map<string, Content[]>;
  readonly changedChunks: Set<string>;
  readonly removedChunks: Set<string>;
}

export const emptyPosts = (platform: Platform, handle: string): AccountPosts => ({
  platform,
  handle,
  revision: -1,
  owner: noOwner,
  isGone: false,
  followers: null,
  observedMs: 0,
  digest: new Map(),
  span: null,
  chunks: [],
  loaded: new Map(),
  changedChunks: new Set(),
  removedChunks: new Set(),
});

/** Index of the chunk that a key belongs to: that of the highest floor up to it, or the first. */
const indexOf = (chunks: readonly ChunkRef[], key: string): number => {
  let at = chunks.length - 1;
  while (at > 0 && (chunks[at] as ChunkRef).floor > key) at -= 1;
  return at;
};

/** Floor of the chunk that a key belongs to; null if there is no chunk. */
const floorFor = (chunks: readonly ChunkRef[], key: string): string | null =>
  chunks[indexOf(chunks, key)]?.floor ?? null;

const contentOf = (state: AccountPosts, floor: string): Content[] => {
  const content = state.loaded.get(floor);
  if (content === undefined)
    throw new Error(`chunk ${floor} of ${state.platform}:${state.handle} is not loaded`);
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

interface Place {
  readonly index: number;
  readonly floor: string;
  readonly posts: Content[];
  readonly at: number;
  readonly found: Content | undefined;
}

const placeOf = (state: AccountPosts, key: string): Place | null => {
  const index = indexOf(state.chunks, key);
  const floor = state.chunks[index]?.floor;
  if (floor === undefined) return null;
  const posts = contentOf(state, floor);
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

/** Notes a chunk's new content. An empty one is removed, an overfull one split. */
const settleChunk = (state: AccountPosts, { index, floor, posts, at }: Place): void => {
  if (posts.length === 0) {
    state.chunks.splice(index, 1);
    dropChunk(state, floor);
    return;
  }
  state.changedChunks.add(floor);
  if (posts.length <= CHUNK_POSTS) {
    state.chunks[index] = { floor, n: posts.length };
    return;
  }
  // Posts are mostly added at the new end: the chunk before stays full.
  const isNewest = index === state.chunks.length - 1 && at === posts.length - 1;
  const upper = posts.splice(isNewest ? posts.length - 1 : posts.length >> 1);
  const { atMs, id } = upper[0] as Content;
  const upperFloor = keyOf(atMs, id);
  state.chunks.splice(index, 1, { floor, n: posts.length }, { floor: upperFloor, n: upper.length });
  state.loaded.set(upperFloor, upper);
  state.changedChunks.add(upperFloor);
  state.removedChunks.delete(upperFloor);
};

const dropChunk = (state: AccountPosts, floor: string): void => {
  state.loaded.delete(floor);
  state.changedChunks.delete(floor);
  state.removedChunks.add(floor);
};

const putContent = (state: AccountPosts, content: Content): void => {
  const key = keyOf(content.atMs, content.id);
  if (state.chunks.length === 0) {
    state.chunks.push({ floor: key, n: 0 });
    state.loaded.set(key, []);
    state.removedChunks.delete(key);
  }
  const place = placeOf(state, key) as Place;
  if (place.found === undefined) place.posts.splice(place.at, 0, content);
  else if (JSON.stringify(place.found) === JSON.stringify(content)) return;
  else place.posts[place.at] = content;
  settleChunk(state, place);
};

/** Takes a post's content out of its chunk. */
const takeContent = (state: AccountPosts, key: string): Content | undefined => {
  const place = placeOf(state, key);
  if (place?.found === undefined) return undefined;
  place.posts.splice(place.at, 1);
  settleChunk(state, place);
  return place.found;
};

/** A post as recorded now. What the surface did not show keeps its known value. */
const mergedContent = (post: Post, atMs: number | null, before: Content | undefined): Content => ({
  id: post.id,
  atMs,
  url: post.url ?? before?.url ?? null,
  kind: post.kind,
  media: post.media ?? before?.media ?? null,
  text: post.text ?? before?.text ?? null,
  lang: post.lang ?? before?.lang ?? null,
  hashtags: post.hashtags ?? before?.hashtags ?? null,
  links: post.links ?? before?.links ?? null,
  mentions: post.mentions ?? before?.mentions ?? null,
  reply_to: post.reply_to ?? before?.reply_to ?? null,
  target: post.target ?? before?.target ?? null,
  frozen: before?.frozen ?? null,
});

const mergedDigest = (
  post: Post,
  content: Content,
  before: Figures | null,
  isOrdered: boolean,
  observedMs: number,
): DigestPost => ({
  id: post.id,
  atMs: content.atMs,
  kind: post.kind,
  media: content.media,
  observedMs,
  isOrdered,
  likes: post.likes ?? before?.likes ?? null,
  replies: post.replies ?? before?.replies ?? null,
  reposts: post.reposts ?? before?.reposts ?? null,
  quotes: post.quotes ?? before?.quotes ?? null,
  views: post.views ?? before?.views ?? null,
  textHash: content.text === null ? null : textHashOf(content.text),
  length: content.text?.length ?? null,
  hashtags: content.hashtags?.length ?? null,
  links: content.links,
  mentions: content.mentions?.length ?? null,
});

/**
 * Adds a post to the digest.
 * @param pending content that this reading changed and that is not in its chunk yet, by post.
 */
const addPost = (
  state: AccountPosts,
  post: Post,
  isOrdered: boolean,
  observedMs: number,
  pending: Map<string, Content>,
): void => {
  const known = state.digest.get(post.id);
  const atMs = post.at === null ? (known?.atMs ?? null) : Date.parse(post.at);
  const key = keyOf(atMs, post.id);
  const oldKey = known === undefined ? key : keyOf(known.atMs, post.id);
  const stored = oldKey === key ? placeOf(state, key)?.found : takeContent(state, oldKey);
  const before = pending.get(post.id) ?? stored;
  const content = mergedContent(post, atMs, before);
  pending.set(post.id, content);
  const figures = known ?? before?.frozen ?? null;
  state.digest.set(
    post.id,
    mergedDigest(post, content, figures, isOrdered || known?.isOrdered === true, observedMs),
  );
};

const movePost = (state: AccountPosts, { id, ...moved }: MovedPost, observedMs: number): void => {
  const known = state.digest.get(id);
  // The figures of posts that left the digest are final.
  if (known === undefined) return;
  const figures = Object.fromEntries(FIGURES.map((figure) => [figure, moved[figure] ?? known[figure]]));
  state.digest.set(id, { ...known, ...(figures as unknown as Figures), observedMs });
};

/** The posts of a digest that are not among its newest, from the oldest on; of equal times those recorded first. */
const oldest = (digest: ReadonlyMap<string, DigestPost>, kept: number): readonly DigestPost[] =>
  [...digest.values()]
    .sort((a, b) => (a.atMs ?? -1) - (b.atMs ?? -1))
    .slice(0, Math.max(0, digest.size - kept));

const freeze = (state: AccountPosts, post: DigestPost): void => {
  state.digest.delete(post.id);
  const place = placeOf(state, keyOf(post.atMs, post.id));
  if (place?.found === undefined) return;
  const { observedMs, likes, replies, reposts, quotes, views } = post;
  place.posts[place.at] = { ...place.found, frozen: { observedMs, likes, replies, reposts, quotes, views } };
  state.changedChunks.add(place.floor);
};

/** Removes the oldest chunks as long as everything in them may go. */
export const retain = (state: AccountPosts): void => {
  let total = state.chunks.reduce((sum, { n }) => sum + n, 0);
  const cutoff = timeKey(Math.max(0, state.observedMs - KEPT_MS));
  for (;;) {
    const [first, second] = state.chunks;
    if (first === undefined || second === undefined) return;
    const isOld = !isUndated(second.floor) && second.floor <= cutoff;
    if (!isOld && total - first.n < KEPT_POSTS) return;
    total -= first.n;
    state.chunks.shift();
    dropChunk(state, first.floor);
  }
};

/** Adds what a reading showed of the posts. The chunks of `floorsFor` must be loaded. */
export const sightPosts = (state: AccountPosts, data: AccountEventData['PostsSighted']): void => {
  const observedMs = Date.parse(data.observed_at);
  const pending = new Map<string, Content>();
  for (const post of data.posts) addPost(state, post, data.order === 'time', observedMs, pending);
  // The oldest first, so that chunks fill up in order.
  const keyed = [...pending.values()].map((content) => ({ key: keyOf(content.atMs, content.id), content }));
  for (const { content } of keyed.sort((a, b) => (a.key < b.key ? -1 : 1))) putContent(state, content);
  for (const moved of data.moved) movePost(state, moved, observedMs);
  state.span = extendedSpan(state.span, data.span);
  if (state.digest.size <= DIGEST_POSTS) return;
  for (const post of oldest(state.digest, DIGEST_KEPT)) freeze(state, post);
};

/** Forgets all posts: they are of the handle's former owner. */
export const clearPosts = (state: AccountPosts): void => {
  state.digest.clear();
  state.span = null;
  for (const { floor } of state.chunks.splice(0)) dropChunk(state, floor);
};

/** Floors of the stored chunks that folding these posts may change. */
export const floorsFor = (
  state: AccountPosts,
  posts: readonly Pick<Post, 'id' | 'at'>[],
): ReadonlySet<string> => {
  const floors = new Set<string>();
  const want = (atMs: number | null, id: string) => {
    const floor = floorFor(state.chunks, keyOf(atMs, id));
    if (floor !== null && !state.loaded.has(floor)) floors.add(floor);
  };
  let added = 0;
  for (const { id, at } of posts) {
    const known = state.digest.get(id);
    want(at === null ? null : Date.parse(at), id);
    if (known === undefined) added += 1;
    else want(known.atMs, id);
  }
  // Some may leave the digest, and take their figures along.
  if (state.digest.size + added > DIGEST_POSTS) {
    for (const { atMs, id } of oldest(state.digest, DIGEST_KEPT - added)) want(atMs, id);
  }
  return floors;
};
