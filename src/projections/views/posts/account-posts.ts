import { binOf } from '../../../kernel/log-bins.ts';
import type { Platform } from '../../../kernel/platform.ts';
import { type AccountEventData, noOwner, type Owner } from '../../../write/accounts/account.ts';
import { extendedSpan, figuresAt, textHashOf } from '../../../write/accounts/known-posts.ts';
import {
  FIGURES,
  type Figures,
  type MovedPost,
  type Post,
  perFigure,
  type Span,
} from '../../../write/accounts/post.ts';
import {
  type Chunks,
  type Content,
  clearChunks,
  contentAt,
  floorFor,
  keyOf,
  noChunks,
  putContent,
  takeContent,
} from './chunks.ts';
import type { DigestPost } from './digest.ts';

/** Number of posts in a digest, and of the newest ones that stay when it is full. */
export const DIGEST_POSTS = 500;
export const DIGEST_KEPT = 400;

/** Followers, and the reading that showed them first. */
export type Size = readonly [atMs: number, followers: number];

/** Number of follower counts that are kept: a year of changes of an account whose followers move by a fifth per month. */
const MAX_SIZES = 40;

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
  /** Followers by the time from which on readings showed them, whenever they moved by more than a bin. */
  sizes: Size[];
  /** The newest sighting that changed this state. Figures and retention refer to it. */
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
  sizes: [],
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

/** Notes what a reading shows of the followers. */
export const noteSize = (account: AccountPosts, followers: number | null, atMs: number): void => {
  account.followers = followers;
  const last = account.sizes.at(-1);
  if (followers === null || (last !== undefined && binOf(last[1]) === binOf(followers))) return;
  account.sizes = [...account.sizes, [atMs, followers] as const].slice(-MAX_SIZES);
};

/** Followers at a time, within a bin: those of the last reading before it, or of the first. */
const followersAt = ({ sizes, followers }: AccountPosts, atMs: number | null): number | null =>
  (atMs === null ? undefined : sizes.findLast(([from]) => from <= atMs)?.[1]) ?? sizes[0]?.[1] ?? followers;

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
  ...perFigure((figure) => post[figure] ?? before?.[figure] ?? null),
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
      followers: known === undefined ? followersAt(state, atMs) : known.followers,
      isOrdered: isOrdered || known?.isOrdered === true || before?.frozen?.isOrdered === true,
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
  const { observedMs, isOrdered } = post;
  const frozen = { observedMs, isOrdered, ...perFigure((figure) => post[figure]) };
  putContent(state.chunks, { ...content, frozen });
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
  state.sizes = [];
  state.span = null;
  clearChunks(state.chunks);
};

/** Forgets everything of an account that was erased. */
export const forgetAccount = (state: AccountPosts): void => {
  const { platform, handle, chunks } = state;
  clearChunks(chunks);
  Object.assign(state, { ...emptyPosts(platform, handle), chunks });
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
  // Some of them may leave the digest and take their figures along.
  if (state.digest.size + posts.length > DIGEST_POSTS) {
    for (const { atMs, id } of oldest(state.digest, DIGEST_KEPT - posts.length)) want(atMs, id);
  }
  return floors;
};
