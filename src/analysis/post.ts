import type { Figures, Post } from '../write/accounts/post.ts';

/** Version of the formulas in this folder. It rises when an answer to the same posts may change. */
export const INSIGHTS_METHOD_VERSION = '1';

/** What the formulas need of a post. Times are in milliseconds since 1970; null is unknown, never 0. */
export interface AnalyzedPost extends Figures {
  readonly id: string;
  readonly atMs: number | null;
  /** The reading that showed the oldest of its figures. */
  readonly observedMs: number;
  readonly kind: Post['kind'];
  readonly media: Post['media'];
  /** Whether a surface listed it that sorts by time; otherwise the platform may have selected it. */
  readonly isOrdered: boolean;
  /** Followers of the author at the last reading before the post, or at the first reading; within a bin. */
  readonly followers: number | null;
  /** Length of the text in UTF-16 code units. */
  readonly length: number | null;
  readonly hashtags: number | null;
  readonly links: number | null;
  readonly mentions: number | null;
}

/** A post whose time is known. */
export type Dated<Post extends AnalyzedPost> = Post & { readonly atMs: number };
export type DatedPost = Dated<AnalyzedPost>;

/** Likes, replies, reposts and quotes, as far as they are shown; null if the likes are not. */
export const engagementOf = ({ likes, replies, reposts, quotes }: Figures): number | null =>
  likes === null ? null : likes + (replies ?? 0) + (reposts ?? 0) + (quotes ?? 0);
