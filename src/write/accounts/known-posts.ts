import { fitting } from '../log/event-definition.ts';
import {
  FIGURES,
  type Figure,
  type Figures,
  MOVED_BOUNDS,
  type MovedPost,
  POSTS_BOUNDS,
  type Post,
  perFigure,
  type Span,
} from './post.ts';

/** The parts of a recorded post that decisions need: its figures, and whether its text or tags would be news. */
export interface KnownPost extends Figures {
  readonly at: string | null;
  /** Hash of the text; null if no surface has shown it. */
  readonly textHash: number | null;
  /** Whether a surface has shown its hashtags, links and mentions. */
  readonly isTagged: boolean;
  /** Time of the reading that showed the oldest of the figures, ms since 1970. */
  readonly observedMs: number;
}

/** The recorded posts of an account: the newest ones, and the span of time in which all posts are recorded. */
export interface KnownPosts {
  readonly byId: ReadonlyMap<string, KnownPost>;
  readonly span: Span | null;
}

export const noPosts: KnownPosts = { byId: new Map(), span: null };

/** Number of posts remembered per account. A page of a platform shows 12 to 40. */
export const MAX_KNOWN = 100;
/** Number of older posts remembered besides: those that were recorded last. */
const MAX_OLD = 20;

const HOUR = 3_600_000;
/** While a post is this young, every change of its figures is recorded. */
const YOUNG_MS = 72 * HOUR;
/** Figures of posts older than this are not recorded again. */
const OLD_MS = 60 * 24 * HOUR;
/** For posts between these ages, only changes of at least this fraction are recorded. */
const NEWS = 0.02;

/** 32-bit FNV-1a of UTF-16 code units. */
export const textHashOf = (text: string): number => {
  let hash = 0x81_1c_9d_c5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01_00_01_93);
  return hash >>> 0;
};

/** When the oldest known figure was shown. A reading may show only some of the known figures. */
export const figuresAt = (
  before: (Figures & Pick<KnownPost, 'observedMs'>) | null,
  shown: { readonly [Name in Figure]?: number | null | undefined },
  observedMs: number,
): number =>
  before !== null && FIGURES.some((figure) => before[figure] !== null && shown[figure] == null)
    ? before.observedMs
    : observedMs;

const knownOf = (post: Post, before: KnownPost | undefined, observedMs: number): KnownPost => ({
  observedMs: figuresAt(before ?? null, post, observedMs),
  at: post.at ?? before?.at ?? null,
  textHash: post.text === null ? (before?.textHash ?? null) : textHashOf(post.text),
  isTagged: post.hashtags !== null || before?.isTagged === true,
  ...perFigure((figure) => post[figure] ?? before?.[figure] ?? null),
});

/** The union of two spans if they touch, otherwise the later one. */
export const extendedSpan = (before: Span | null, span: Span | null): Span | null => {
  if (before === null || span === null) return span ?? before;
  const [first, last] = before.to <= span.to ? [before, span] : [span, before];
  if (last.from !== null && last.from > first.to) return last;
  const from =
    first.from === null || last.from === null ? null : first.from < last.from ? first.from : last.from;
  return { from, to: last.to };
};

const isNewer = (a: string | null, b: string | null): boolean => (a ?? '') > (b ?? '');

/**
 * Keeps the newest posts (of equally new ones those that were recorded last) and some older ones. Pinned posts and selections show
 * old posts at each reading, which would otherwise be recorded each time.
 */
export const newestPosts = (byId: Map<string, KnownPost>): Map<string, KnownPost> => {
  if (byId.size <= MAX_KNOWN) return byId;
  const ranked = [...byId]
    .reverse()
    .sort(([, a], [, b]) => (isNewer(a.at, b.at) ? -1 : isNewer(b.at, a.at) ? 1 : 0));
  const kept = new Set(ranked.slice(0, MAX_KNOWN).map(([id]) => id));
  const others = [...byId.keys()].filter((id) => !kept.has(id)).slice(-MAX_OLD);
  for (const id of others) kept.add(id);
  return new Map([...byId].filter(([id]) => kept.has(id)));
};

/** The recorded posts after an event. */
export const withPosts = (
  known: KnownPosts,
  {
    posts,
    moved,
    span,
    observed_at,
  }: {
    readonly posts: readonly Post[];
    readonly moved: readonly MovedPost[];
    readonly span: Span | null;
    readonly observed_at: string;
  },
): KnownPosts => {
  const byId = new Map(known.byId);
  const observedMs = Date.parse(observed_at);
  for (const post of posts) byId.set(post.id, knownOf(post, byId.get(post.id), observedMs));
  for (const { id, ...figures } of moved) {
    const before = byId.get(id);
    if (before === undefined) continue;
    const at = figuresAt(before, figures, observedMs);
    byId.set(id, { ...before, ...(figures as Partial<Figures>), observedMs: at });
  }
  return { byId: newestPosts(byId), span: extendedSpan(known.span, span) };
};

const isNews = (before: number | null, after: number, isYoung: boolean): boolean =>
  before === null || (isYoung ? after !== before : Math.abs(after - before) >= NEWS * Math.max(before, 1));

/**
 * Whether a reading is the first to show all known figures at a ripe age. They are recorded then even if none changed: otherwise
 * nothing would tell that they are final.
 */
const isRipening = (known: KnownPost, found: Post, atMs: number, reading: PostsReadAt): boolean =>
  known.observedMs - atMs < reading.ripeMs &&
  reading.observedMs - atMs >= reading.ripeMs &&
  figuresAt(known, found, reading.observedMs) === reading.observedMs;

/** The figures that a reading shows, so that their age is known; null if none is worth recording again. */
const movedOf = (id: string, known: KnownPost, found: Post, reading: PostsReadAt): MovedPost | null => {
  const at = found.at ?? known.at;
  const ageMs = at === null ? YOUNG_MS : reading.observedMs - Date.parse(at);
  const ripens = at !== null && isRipening(known, found, Date.parse(at), reading);
  if (ageMs > OLD_MS && !ripens) return null;
  const figures: Partial<Record<Figure, number>> = {};
  let isNew = ripens;
  for (const figure of FIGURES) {
    const after = found[figure];
    if (after === null) continue;
    figures[figure] = after;
    isNew ||= isNews(known[figure], after, ageMs < YOUNG_MS);
  }
  return isNew && Object.keys(figures).length > 0 ? { id, ...figures } : null;
};

/** Whether a known post has to be recorded in full again: its text was edited, or its tags are shown for the first time. */
const isEdited = (known: KnownPost, { text, hashtags }: Post): boolean =>
  (text !== null && known.textHash !== textHashOf(text)) || (hashtags !== null && !known.isTagged);

/**
 * Whether a post that is not remembered was recorded before and was forgotten as one of the oldest. A post that is newer than the
 * oldest remembered one was not recorded: the platform lists it late.
 */
const isForgotten = ({ byId, span }: KnownPosts, { at }: Post): boolean => {
  if (byId.size < MAX_KNOWN || at === null || span === null) return false;
  if (at > span.to || (span.from !== null && at < span.from)) return false;
  let newer = 0;
  for (const known of byId.values()) if (isNewer(known.at, at)) newer += 1;
  return newer >= MAX_KNOWN;
};

export interface PostNews {
  readonly posts: Post[];
  readonly moved: MovedPost[];
  /** Whether these contain everything that the reading found. */
  readonly isWhole: boolean;
}

/** When posts were read, and the age from which figures of their platform are final. */
export interface PostsReadAt {
  readonly observedMs: number;
  readonly ripeMs: number;
}

/**
 * New and edited posts, figures that changed, and figures that became final. The next reading adds what does not fit into one
 * event.
 */
export const postNews = (known: KnownPosts, found: readonly Post[], reading: PostsReadAt): PostNews => {
  const posts: Post[] = [];
  const moved: MovedPost[] = [];
  const seen = new Set<string>();
  for (const post of found) {
    // Pinned posts are listed twice.
    if (seen.has(post.id)) continue;
    seen.add(post.id);
    const before = known.byId.get(post.id);
    if (before === undefined) {
      if (!isForgotten(known, post)) posts.push(post);
    } else if (isEdited(before, post)) {
      posts.push(post);
    } else {
      const figures = movedOf(post.id, before, post, reading);
      if (figures !== null) moved.push(figures);
    }
  }
  const fit = fitting(posts, POSTS_BOUNDS);
  return {
    posts: posts.slice(0, fit),
    moved: moved.slice(0, fitting(moved, MOVED_BOUNDS)),
    isWhole: fit === posts.length,
  };
};
