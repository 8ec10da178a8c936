import { z } from 'zod';
import { address, count, instant, key, list, repaired, text } from '../log/event-definition.ts';

/** Maximum length of a normalized handle, a native ID and a post ID. */
export const MAX_KEY = 256;

const names = (maxName: number, max: number) =>
  list(key(maxName), { max, maxChars: max * maxName, charsOf: (one) => one.length }).nullable();

/** A post that another one answers or cites. A part is null if the surface does not show it. */
const referenceSchema = z.strictObject({
  /** Native ID of the post. */
  post: key(MAX_KEY).nullable(),
  /** Its author: the normalized handle, or the native ID if the surface shows only that. */
  account: key(MAX_KEY).nullable(),
});

export type PostReference = z.infer<typeof referenceSchema>;

/** The figures of a post, which change after its publication. */
export const FIGURES = ['likes', 'replies', 'reposts', 'quotes', 'views'] as const;

export type Figure = (typeof FIGURES)[number];

/** An object with one value per figure. */
export const perFigure = <Value>(of: (figure: Figure) => Value): Record<Figure, Value> =>
  Object.fromEntries(FIGURES.map((figure) => [figure, of(figure)])) as Record<Figure, Value>;

/** A post as one reading saw it. `null` is unknown. A count of 0 and an empty list were shown by the platform. */
export const postSchema = z.strictObject({
  id: key(MAX_KEY),
  url: address(4_096).nullable(),
  /** When it was published. For a repost: when it was reposted, if the surface shows that. */
  at: instant.nullable(),
  kind: z.enum(['original', 'reply', 'repost', 'quote']),
  media: z.enum(['none', 'photo', 'video', 'link', 'other']).nullable(),
  text: text(20_000).nullable(),
  /** Language as the platform tagged it, a BCP 47 tag. */
  lang: text(35).nullable(),
  /** Hashtags without their sign, in lower case. */
  hashtags: names(140, 60),
  /** Number of links in the text. */
  links: z.int().nonnegative().max(1_000).nullable(),
  /** Accounts named in the text: normalized handles, or native IDs. */
  mentions: names(MAX_KEY, 60),
  reply_to: referenceSchema.nullable(),
  /** The post that a repost or quote cites. */
  target: referenceSchema.nullable(),
  ...perFigure(() => count.nullable()),
});

export type Post = z.infer<typeof postSchema>;
export type Figures = Pick<Post, Figure>;

/** A post without tags. */
export const UNTAGGED = {
  lang: null,
  hashtags: null,
  links: null,
  mentions: null,
  reply_to: null,
  target: null,
} as const satisfies Partial<Post>;

/** All shown figures of a known post, of which at least one changed. Absent figures were not shown. */
export const movedPostSchema = z.strictObject({ id: key(MAX_KEY), ...perFigure(() => count.optional()) });

export type MovedPost = z.infer<typeof movedPostSchema>;

/**
 * The span of time for which a reading saw every post of the account. `from` is null if it begins with the account's first post.
 */
export const spanSchema = z.strictObject({ from: instant.nullable(), to: instant });

export type Span = z.infer<typeof spanSchema>;

/** `time`: newest first. `unknown`: the surface selects or sorts posts in a way that it does not state. */
export const ORDERS = ['time', 'unknown'] as const;

export type PostOrder = (typeof ORDERS)[number];

const tagChars = (tags: readonly string[] | null): number =>
  tags === null ? 0 : tags.reduce((sum, tag) => sum + tag.length, 0);

/**
 * Bounds of the posts of one event. With a full profile they fit into one append of the most restrictive log, in
 * any script.
 */
export const POSTS_BOUNDS = {
  max: 200,
  maxChars: 100_000,
  charsOf: ({ id, url, text, hashtags, mentions }: Post): number =>
    id.length + (url?.length ?? 0) + (text?.length ?? 0) + tagChars(hashtags) + tagChars(mentions),
};

export const MOVED_BOUNDS = {
  max: 500,
  maxChars: 50_000,
  charsOf: ({ id }: MovedPost): number => id.length,
};

/** Brings posts within an event's bounds: removes characters that no store accepts, and truncates what is too long. */
export const boundedPosts = (posts: readonly Post[]): readonly Post[] =>
  // Nearly all posts fit, and checking that costs half as much as a repair.
  posts.flatMap((post) => {
    const fit = postSchema.safeParse(post);
    // A post that can't be repaired must not keep the others from being stored.
    const result = fit.success ? fit : postSchema.safeParse(repaired(postSchema, post));
    return result.success ? [result.data] : [];
  });
