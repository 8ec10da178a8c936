import { describe, expect, it } from 'vitest';
import { sizeBandOf } from '../../../../src/kernel/size-bands.ts';
import type { DigestPost } from '../../../../src/projections/views/posts/digest.ts';
import { contributionsOf, postFiguresOf } from '../../../../src/projections/views/posts/figures.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);

const post = (daysOld: number | null, more: Partial<DigestPost> = {}): DigestPost => ({
  id: String(daysOld),
  atMs: daysOld === null ? null : NOW - daysOld * DAY_MS,
  kind: 'original',
  media: null,
  observedMs: NOW,
  isOrdered: true,
  likes: null,
  replies: null,
  reposts: null,
  quotes: null,
  views: null,
  textHash: null,
  length: null,
  hashtags: null,
  links: null,
  mentions: null,
  ...more,
});

/** Nine posts of the fourth to the twelfth day before the sighting, with 1 to 9 likes. */
const nine = (more: (n: number) => Partial<DigestPost> = () => ({})) =>
  Array.from({ length: 9 }, (_, i) => post(4 + i, { likes: i + 1, ...more(i + 1) }));

describe('figures of a digest', () => {
  it('are medians of its own posts, engagement by followers and by views', () => {
    const figures = postFiguresOf(
      nine((n) => ({ reposts: n, views: 100 * n })),
      1_000,
      NOW,
    );
    expect(figures).toEqual({
      likes: 5,
      views: 500,
      engagement_followers: 10 / 1_000,
      engagement_views: 0.02,
      posts_per_week: (9 * 7) / 12,
    });
  });

  it('leave out what is not ripe, older than the window, later than the sighting, undated, a reply or a repost', () => {
    const others = [
      post(1, { likes: 900 }),
      post(31, { likes: 900 }),
      post(-1, { likes: 900 }),
      post(null, { likes: 900 }),
      post(5, { likes: 900, kind: 'reply' }),
      post(5, { likes: 900, kind: 'repost' }),
    ];
    expect(postFiguresOf([...nine(), ...others], 1_000, NOW).likes).toBe(5);
    expect(postFiguresOf([...nine(), post(5, { likes: 900, kind: 'quote' })], 1_000, NOW).likes).toBe(5.5);
  });

  it('are unknown, not 0, where a platform hides a count or too few posts show it', () => {
    expect(postFiguresOf(nine(), 1_000, NOW)).toMatchObject({ views: null, engagement_views: null });
    expect(postFiguresOf(nine().slice(2), 1_000, NOW)).toMatchObject({ likes: null, posts_per_week: null });
    expect(postFiguresOf(nine(), null, NOW).engagement_followers).toBeNull();
    expect(postFiguresOf(nine(), 0, NOW).engagement_followers).toBeNull();
    expect(
      postFiguresOf(
        nine(() => ({ likes: 0, views: 0 })),
        10,
        NOW,
      ),
    ).toMatchObject({ likes: 0, views: 0, engagement_views: null });
  });
});

describe('what an account contributes', () => {
  const account = {
    owner: { id: '1', isSeen: true, isAbsent: false },
    isGone: false,
    followers: 500,
    observedMs: NOW,
    digest: new Map(nine().map((one) => [one.id, one])),
  };

  it('is of its size band, and nothing where it is gone, was never seen or hides its followers', () => {
    expect(contributionsOf(account).map(({ band, metric }) => [band, metric])).toEqual([
      [1, 'followers'],
      [1, 'likes'],
      [1, 'engagement_followers'],
      [1, 'posts_per_week'],
    ]);
    expect(contributionsOf({ ...account, isGone: true })).toEqual([]);
    expect(contributionsOf({ ...account, followers: null })).toEqual([]);
    expect(contributionsOf({ ...account, owner: { ...account.owner, isSeen: false } })).toEqual([]);
  });

  it('falls into one of eight bands', () => {
    const edges = [
      0, 99, 100, 999, 1_000, 9_999, 10_000, 49_999, 50_000, 250_000, 1_000_000, 10_000_000, 9e9,
    ];
    expect(edges.map(sizeBandOf)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7]);
  });
});
