import { medianSorted } from 'simple-statistics';
import type { AnalyzedPost, DatedPost } from './post.ts';
import type { Sample } from './sample.ts';

type Kind = AnalyzedPost['kind'];
type Media = NonNullable<AnalyzedPost['media']>;

/** Shares, 0 to 1; null where no post shows what they are of. */
export interface ContentShares {
  /** Posts of all kinds in the window. */
  readonly posts: number;
  readonly kinds: Readonly<Record<Kind, number | null>>;
  /** Of originals that show it. */
  readonly media: Readonly<Record<Media, number | null>>;
  readonly with_links: number | null;
  readonly with_hashtags: number | null;
  readonly with_mentions: number | null;
  /** UTF-16 code units. */
  readonly median_length: number | null;
}

const shareOf = <Value>(values: readonly Value[], isCounted: (value: Value) => boolean): number | null =>
  values.length === 0 ? null : values.filter(isCounted).length / values.length;

const known = <Value>(values: readonly (Value | null)[]): readonly Value[] =>
  values.filter((value) => value !== null);

/**
 * What an account posts: plain shares of the posts of a window, whether they are ripe or not. Replies and reposts are
 * counted as far as the surface that was read lists them.
 */
export const contentShares = (
  posts: Iterable<AnalyzedPost>,
  { published, fromMs, anchorMs }: Sample,
): ContentShares => {
  const kinds = [...posts].flatMap(({ atMs, kind }) =>
    atMs !== null && atMs > fromMs && atMs <= anchorMs ? [kind] : [],
  );
  const media = known(published.map((post) => post.media));
  const some = (field: 'links' | 'hashtags' | 'mentions') =>
    shareOf(known(published.map((post: DatedPost) => post[field])), (count) => count > 0);
  const lengths = known(published.map(({ length }) => length)).toSorted((a, b) => a - b);
  const ofKind = (kind: Kind) => shareOf(kinds, (one) => one === kind);
  const ofMedia = (one: Media) => shareOf(media, (other) => other === one);
  return {
    posts: kinds.length,
    kinds: {
      original: ofKind('original'),
      reply: ofKind('reply'),
      repost: ofKind('repost'),
      quote: ofKind('quote'),
    },
    media: {
      none: ofMedia('none'),
      photo: ofMedia('photo'),
      video: ofMedia('video'),
      link: ofMedia('link'),
      other: ofMedia('other'),
    },
    with_links: some('links'),
    with_hashtags: some('hashtags'),
    with_mentions: some('mentions'),
    median_length: lengths.length === 0 ? null : medianSorted(lengths as number[]),
  };
};
