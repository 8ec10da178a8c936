import { describe, expect, it } from 'vitest';
import { sizeBandOf } from '../../../../src/kernel/size-bands.ts';
import { emptyPosts } from '../../../../src/projections/views/posts/account-posts.ts';
import type { DigestPost } from '../../../../src/projections/views/posts/digest.ts';
import { derivedOf } from '../../../../src/projections/views/posts/projection.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);

const post = (daysOld: number | null, more: Partial<DigestPost> = {}): DigestPost => ({
  id: `${daysOld} ${JSON.stringify(more)}`,
  atMs: daysOld === null ? null : NOW - daysOld * DAY_MS,
  kind: 'original',
  media: null,
  observedMs: NOW,
  followers: 1_000,
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

const derived = (posts: readonly DigestPost[], more: object = {}) =>
  derivedOf({
    ...emptyPosts('x', 'ada'),
    owner: { id: '1', isSeen: true, isAbsent: false },
    followers: 500,
    observedMs: NOW,
    span: { from: null, to: new Date(NOW).toISOString() },
    digest: new Map(posts.map((one) => [one.id, one])),
    ...more,
  });

describe('an account’s contribution to its population', () => {
  it('is medians of its originals, engagement by followers at each post and by views', () => {
    const { figures } = derived(nine((n) => ({ reposts: n, views: 100 * n, followers: 100 * n })));
    expect(figures).toMatchObject({
      handle: 'ada',
      followers: 500,
      posts: 9,
      median_likes: 5,
      median_views: 500,
      engagement_rate_followers: 0.02,
      engagement_rate_views: 0.02,
      posts_per_week: (9 * 7) / 30,
    });
  });

  it('leaves out posts that are not ripe, outside the window, undated, or not original', () => {
    const others = [
      post(5, { likes: 900, observedMs: NOW - 4 * DAY_MS }),
      post(31, { likes: 900 }),
      post(-1, { likes: 900 }),
      post(null, { likes: 900 }),
      post(5, { likes: 900, kind: 'reply' }),
      post(5, { likes: 900, kind: 'repost' }),
      post(5, { likes: 900, kind: 'quote' }),
    ];
    expect(derived([...nine(), ...others]).figures?.median_likes).toBe(5);
    expect(derived([...nine(), post(5, { likes: 900 })]).figures?.median_likes).toBe(5.5);
  });

  it('is unknown, not 0, where a platform hides a count or too few posts show it', () => {
    expect(derived(nine()).figures).toMatchObject({ median_views: null, engagement_rate_views: null });
    expect(derived(nine().slice(2))).toMatchObject({ figures: null, viral: [] });
    expect(derived(nine(() => ({ followers: 0 }))).figures?.engagement_rate_followers).toBeNull();
    const none = derived(nine(() => ({ likes: 0, views: 0 })));
    expect(none.figures).toMatchObject({ median_likes: 0, median_views: 0, engagement_rate_views: null });
  });

  it('counts in its size band, and nowhere if it is gone, never seen or hides its followers', () => {
    expect(derived(nine()).contributions.map(({ band, metric }) => [band, metric])).toEqual([
      [1, 'followers'],
      [1, 'median_likes'],
      [1, 'engagement_rate_followers'],
      [1, 'posts_per_week'],
    ]);
    const nothing = { contributions: [], counts: null, figures: null, viral: [] };
    expect(derived(nine(), { isGone: true })).toEqual(nothing);
    expect(derived(nine(), { followers: null })).toEqual(nothing);
    expect(derived(nine(), { owner: { id: '1', isSeen: false, isAbsent: false } })).toEqual(nothing);
  });

  it('falls into one of eight bands', () => {
    const edges = [
      0, 99, 100, 999, 1_000, 9_999, 10_000, 49_999, 50_000, 250_000, 1_000_000, 10_000_000, 9e9,
    ];
    expect(edges.map(sizeBandOf)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7]);
  });

  it('counts its posts, those with figures, and of these the ones with views and in order of time', () => {
    const posts = [
      ...nine((n) => ({ views: n > 3 ? n : null, isOrdered: n > 5 })),
      post(2, { kind: 'reply' }),
    ];
    expect(derived(posts).counts).toEqual({
      accounts: 1,
      with_posts: 1,
      with_figures: 1,
      posts: 10,
      sampled: 9,
      with_views: 6,
      ordered: 4,
    });
    expect(derived(nine().slice(2)).counts).toMatchObject({ with_figures: 0, posts: 7, sampled: 0 });
  });

  it('has the three posts furthest above the others, and none that is only slightly above', () => {
    const far = [400, 900, 300, 800].map((likes) => post(5, { likes }));
    const { viral } = derived([...nine((n) => ({ likes: 20 + n })), ...far]);
    expect(viral.map(({ engagement }) => engagement)).toEqual([900, 800, 400]);
    expect(viral[0]).toMatchObject({ handle: 'ada', multiple: 900 / 27 });
    expect(derived([...nine((n) => ({ likes: 20 + n })), post(5, { likes: 60 })]).viral).toEqual([]);
  });
});
