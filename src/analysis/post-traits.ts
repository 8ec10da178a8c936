import { quantileSorted } from 'simple-statistics';
import type { AnalyzedPost } from './post.ts';
import { leastSquares } from './regression.ts';

export const TRAITS = ['media', 'hashtags', 'links', 'length'] as const;

/** Media; hashtags; links; a long text. */
export type Trait = (typeof TRAITS)[number];

/** So many posts on both sides: fewer do not tell a trait from the posts that have it. */
const LEAST_SIDE = 5;

/**
 * Lengths of texts without what links, hashtags and mentions add to them, by least squares: otherwise a post with a link
 * is a long one. Null if a post does not show its text.
 */
const textLengths = (posts: readonly AnalyzedPost[]): readonly number[] | null => {
  const lengths = posts.map(({ length }) => length).filter((length) => length !== null);
  if (lengths.length < posts.length) return null;
  const parts = posts.map(({ links, hashtags, mentions }) => [links ?? 0, hashtags ?? 0, mentions ?? 0]);
  const varying = [0, 1, 2].filter((k) => new Set(parts.map((part) => part[k])).size > 1);
  const fit = leastSquares(
    lengths,
    parts.map((part) => [1, ...varying.map((k) => part[k] as number)]),
  );
  return lengths.map((length, t) =>
    varying.reduce((sum, k, i) => sum - (fit?.coefficients[i + 1] ?? 0) * (parts[t]?.[k] as number), length),
  );
};

/** Code units by which short and long texts differ at least. */
const LEAST_SPREAD = 10;

/** Where the texts of an account divide: in the middle between its short and its long ones; null if all are alike. */
const middleOf = (lengths: readonly number[]): number | null => {
  const sorted = lengths.toSorted((a, b) => a - b);
  const [short, long] = [quantileSorted(sorted, 0.1), quantileSorted(sorted, 0.9)];
  return long - short < LEAST_SPREAD ? null : (short + long) / 2;
};

/** Whether a post has a trait; null if no surface showed it. */
const has = (post: AnalyzedPost, trait: Exclude<Trait, 'length'>): boolean | null => {
  if (trait === 'media') return post.media === null ? null : post.media === 'photo' || post.media === 'video';
  const count = post[trait];
  return count === null ? null : count > 0;
};

export interface TraitColumn {
  readonly trait: Trait;
  readonly column: readonly boolean[];
}

export interface PostTraits {
  /** Traits that enough posts have, and enough have not. */
  readonly columns: readonly TraitColumn[];
  /** Code units, without those of links, hashtags and mentions, from which a text of the account is long. */
  readonly longFrom: number | null;
}

export const postTraits = (posts: readonly AnalyzedPost[]): PostTraits => {
  const lengths = textLengths(posts);
  const longFrom = lengths === null ? null : middleOf(lengths);
  const columns = TRAITS.flatMap((trait): TraitColumn[] => {
    const column =
      trait === 'length'
        ? (longFrom === null ? [] : (lengths ?? [])).map((length) => length > (longFrom as number))
        : posts.map((post) => has(post, trait)).filter((one) => one !== null);
    const having = column.filter((one) => one).length;
    const isShown =
      column.length === posts.length && having >= LEAST_SIDE && column.length - having >= LEAST_SIDE;
    return isShown ? [{ trait, column }] : [];
  });
  return { columns, longFrom };
};
