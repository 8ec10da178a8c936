import type { Platform } from '../../../kernel/platform.ts';
import type { AccountEventData } from '../../../write/accounts/events.ts';
import { extendedSpan, figuresAt, textHashOf } from '../../../write/accounts/known-posts.ts';
import { noOwner, type Owner } from '../../../write/accounts/owner.ts';
import { FIGURES, type Figures, type MovedPost, type Post, type Span } from '../../../write/accounts/post.ts';
import { type Content, keyOf } from './chunk.ts';
import {
  type Chunks,
  clearChunks,
  contentAt,
  floorFor,
  noChunks,
  putContent,
  takeContent,
} from './chunk-list.ts';
import type { DigestPost } from './digest.ts';

/** Posts of a digest, and how many of the newest stay when it is full. */
export const DIGEST_POSTS = 500;
const DIGEST_KEPT = 400;

/** What a stream has shown of an account's posts. Folding mutates it. */
export interface AccountPosts {
  readonly platform: Platform;
  readonly handle: string;
  /** Revision of the last event that concerns posts or the owner; -1 before any. */
  revision: number;
  /** Revision of the last event that showed posts; -1 before any. */
  postsRevision: number;
  owner: Owner;
  /** Whether the last reading found no account. */
  isGone: boolean;
  followers: number | null;
  /** The newest sighting that changed something here: figures and retention refer to it. */
  observedMs: number;
  /** In the order in which they were recorded. */
  digest: Map<string, DigestPost>;
  span: Span | null;
  readonly chunks: Chunks;
}

export const emptyPosts = (platform: Platform, handle: string): AccountPosts => ({
  platform,
  handle,
  revision: -1,
  postsRevision: -1,
  owner: noOwner,
  isGone: false,
  followers: null,
  observedMs: 0,
  digest: new Map(),
  span: null,
  chunks: noChunks(),
});

/** Figures, and when the oldest of them was shown. */
type KnownFigures = Figures & Pick<DigestPost, 'observedMs'>;

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
  before: KnownFigures | null,
  { followers, isOrdered, observedMs }: Pick<DigestPost, 'followers' | 'isOrdered' | 'observedMs'>,
): DigestPost => ({
  id: post.id,
  atMs: content.atMs,
  kind: post.kind,
  media: content.media,
  observedMs: figuresAt(before, post, observedMs),
  followers,
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
  const stored = oldKey === key ? contentAt(state.chunks, key) : takeContent(state.chunks, oldKey);
  const before = pending.get(post.id) ?? stored;
  const content = mergedContent(post, atMs, before);
  pending.set(post.id, content);
  const figures = known ?? before?.frozen ?? null;
  state.digest.set(
    post.id,
    mergedDigest(post, content, figures, {
      followers: known === undefined ? state.followers : known.followers,
      isOrdered: isOrdered || known?.isOrdered === true,
      observedMs,
    }),
  );
};

const movePost = (state: AccountPosts, { id, ...moved }: MovedPost, observedMs: number): void => {
  const known = state.digest.get(id);
  // The figures of posts that left the digest are final.
  if (known === undefined) return;
  const figures = Object.fromEntries(FIGURES.map((figure) => [figure, moved[figure] ?? known[figure]]));
  state.digest.set(id, {
    ...known,
    ...(figures as unknown as Figures),
    observedMs: figuresAt(known, moved, observedMs),
  });
};

/** The posts of a digest that are not among its newest, from the oldest on; of equal times those recorded first. */
const oldest = (digest: ReadonlyMap<string, DigestPost>, kept: number): readonly DigestPost[] =>
  [...digest.values()]
    .sort((a, b) => (a.atMs ?? -1) - (b.atMs ?? -1))
    .slice(0, Math.max(0, digest.size - kept));

const freeze = (state: AccountPosts, post: DigestPost): void => {
  state.digest.delete(post.id);
  const content = contentAt(state.chunks, keyOf(post.atMs, post.id));
  if (content === undefined) return;
  const { observedMs, likes, replies, reposts, quotes, views } = post;
  putContent(state.chunks, { ...content, frozen: { observedMs, likes, replies, reposts, quotes, views } });
};

/** Adds what a reading showed of the posts. The chunks of `floorsFor` must be loaded. */
export const sightPosts = (state: AccountPosts, data: AccountEventData['PostsSighted']): void => {
  const observedMs = Date.parse(data.observed_at);
  const pending = new Map<string, Content>();
  for (const post of data.posts) addPost(state, post, data.order === 'time', observedMs, pending);
  // The oldest first, so that chunks fill up in order.
  const keyed = [...pending.values()].map((content) => ({ key: keyOf(content.atMs, content.id), content }));
  for (const { content } of keyed.sort((a, b) => (a.key < b.key ? -1 : 1))) putContent(state.chunks, content);
  for (const moved of data.moved) movePost(state, moved, observedMs);
  state.span = extendedSpan(state.span, data.span);
  if (state.digest.size <= DIGEST_POSTS) return;
  for (const post of oldest(state.digest, DIGEST_KEPT)) freeze(state, post);
};

/** Forgets all posts: they are of the handle's former owner. */
export const clearPosts = (state: AccountPosts): void => {
  state.digest.clear();
  state.span = null;
  clearChunks(state.chunks);
};

/** Floors of the stored chunks that folding these posts may change. */
export const floorsFor = (
  state: AccountPosts,
  posts: readonly Pick<Post, 'id' | 'at'>[],
): ReadonlySet<string> => {
  const floors = new Set<string>();
  const want = (atMs: number | null, id: string) => {
    const floor = floorFor(state.chunks, keyOf(atMs, id));
    if (floor !== null && !state.chunks.loaded.has(floor)) floors.add(floor);
  };
  for (const { id, at } of posts) {
    const known = state.digest.get(id);
    want(at === null ? null : Date.parse(at), id);
    if (known !== undefined) want(known.atMs, id);
  }
  // Some may leave the digest, and take their figures along.
  if (state.digest.size + posts.length > DIGEST_POSTS) {
    for (const { atMs, id } of oldest(state.digest, DIGEST_KEPT - posts.length)) want(atMs, id);
  }
  return floors;
};
