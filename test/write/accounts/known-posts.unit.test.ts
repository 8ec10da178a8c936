import { describe, expect, it } from 'vitest';
import { MAX_KNOWN, noPosts, postNews, withPosts } from '../../../src/write/accounts/known-posts.ts';
import { type MovedPost, type Post, type Span, UNTAGGED } from '../../../src/write/accounts/post.ts';

const NOW = Date.UTC(2026, 10, 22);
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

const post = (id: string, hours: number | null, more: Partial<Post> = {}): Post => ({
  id,
  url: null,
  at: hours === null ? null : ago(hours),
  kind: 'original',
  media: null,
  text: id,
  ...UNTAGGED,
  likes: 1_000,
  replies: null,
  reposts: null,
  quotes: null,
  views: null,
  ...more,
});
/** Posts as a reading recorded them, half an hour ago. */
const knownAfter = (posts: readonly Post[], moved: readonly MovedPost[] = [], span: Span | null = null) =>
  withPosts(noPosts, { posts, moved, span, observed_at: ago(0.5) });
const READING = { observedMs: NOW, ripeMs: 72 * HOUR };
const news = (known: readonly Post[], ...found: Post[]) => postNews(knownAfter(known), found, READING);

describe('figures of a known post', () => {
  it('are recorded at any change while the post is young', () => {
    const young = post('a', 71);
    expect(news([young], { ...young, likes: 1_001 })).toMatchObject({
      posts: [],
      moved: [{ id: 'a', likes: 1_001 }],
    });
    expect(news([young], young)).toMatchObject({ posts: [], moved: [] });
  });

  it('are recorded later if one moved by 2 percent, with everything shown beside it', () => {
    const older = post('a', 73, { views: 50_000 });
    expect(news([older], { ...older, likes: 1_019, views: 50_999 }).moved).toEqual([]);
    expect(news([older], { ...older, likes: 1_020, views: 50_999 }).moved).toEqual([
      { id: 'a', likes: 1_020, views: 50_999 },
    ]);
    expect(news([older], { ...older, likes: 980 }).moved).toEqual([{ id: 'a', likes: 980, views: 50_000 }]);
    const unliked = post('b', 100, { likes: 0 });
    expect(news([unliked], { ...unliked, likes: 1 }).moved).toEqual([{ id: 'b', likes: 1 }]);
  });

  it('are recorded once when first read at a ripe age, moved or not', () => {
    const still = { ...post('a', null), likes: 0, views: 7 };
    const publishedMs = NOW - 200 * HOUR;
    const at = new Date(publishedMs).toISOString();
    for (const everyHours of [6, 12, 24, 50]) {
      let known = noPosts;
      const recorded: number[] = [];
      for (let age = 1; age < 300; age += everyHours) {
        const observedMs = publishedMs + age * HOUR;
        const found = postNews(known, [{ ...still, at }], { observedMs, ripeMs: 72 * HOUR });
        if (found.moved.length + found.posts.length > 0) recorded.push(age);
        known = withPosts(known, { ...found, span: null, observed_at: new Date(observedMs).toISOString() });
      }
      expect(recorded, `every ${everyHours} hours`).toEqual([1, recorded[1]]);
      expect(recorded[1]).toBeGreaterThanOrEqual(72);
      expect(recorded[1]).toBeLessThan(72 + everyHours);
      expect((known.byId.get('a')?.observedMs ?? 0) - publishedMs).toBeGreaterThanOrEqual(72 * HOUR);
    }
  });

  it('do not ripen by a surface that shows only some of them', () => {
    const known = withPosts(noPosts, {
      ...{ posts: [post('a', 100, { views: 70 })], moved: [], span: null },
      observed_at: ago(90),
    });
    const partial = post('a', 100, { views: null });
    expect(postNews(known, [partial], READING).moved).toEqual([]);
    expect(postNews(known, [{ ...partial, views: 70 }], READING).moved).toEqual([
      { id: 'a', likes: 1_000, views: 70 },
    ]);
  });

  it('ripen at their platform’s age, even beyond the recording age', () => {
    const video = post('a', 91 * 24);
    const known = withPosts(noPosts, { posts: [video], moved: [], span: null, observed_at: ago(88 * 24) });
    const ripeMs = 90 * 24 * HOUR;
    expect(postNews(known, [video], { observedMs: NOW, ripeMs }).moved).toEqual([{ id: 'a', likes: 1_000 }]);
    expect(postNews(known, [video], { observedMs: NOW - 2 * 24 * HOUR, ripeMs }).moved).toEqual([]);
  });

  it('are not recorded for posts older than 60 days', () => {
    const old = post('a', 61 * 24);
    expect(news([old], { ...old, likes: 9_000 })).toMatchObject({ posts: [], moved: [] });
  });

  it('stay as they are where a surface does not show them', () => {
    const shown = post('a', 1, { views: 70 });
    expect(news([shown], { ...shown, views: null }).moved).toEqual([]);
    const known = withPosts(knownAfter([shown]), {
      posts: [],
      moved: [{ id: 'a', likes: 2 }],
      span: null,
      observed_at: ago(0),
    });
    expect(known.byId.get('a')).toMatchObject({ likes: 2, views: 70 });
  });

  it('are recorded when a surface shows them for the first time', () => {
    const hidden = post('a', 500);
    expect(news([hidden], { ...hidden, views: 3 }).moved).toEqual([{ id: 'a', likes: 1_000, views: 3 }]);
  });
});

describe('a post', () => {
  it('is recorded whole when it is new, edited or tagged for the first time', () => {
    const known = post('a', 1);
    expect(news([known], post('b', 1)).posts.map(({ id }) => id)).toEqual(['b']);
    expect(news([known], { ...known, text: 'edited' }).posts.map(({ id }) => id)).toEqual(['a']);
    const tagged = { ...known, hashtags: ['x'] };
    expect(news([known], tagged).posts).toEqual([tagged]);
    expect(news([tagged], known)).toMatchObject({ posts: [], moved: [] });
  });

  it('is recorded once if it is listed twice', () => {
    expect(news([], post('a', 900), post('b', 1), post('a', 900)).posts).toHaveLength(2);
  });

  it('is not recorded again after it was forgotten as one of the oldest', () => {
    const all = Array.from({ length: MAX_KNOWN + 30 }, (_, n) => post(`p${n}`, n));
    const span = { from: ago(MAX_KNOWN + 30), to: ago(0) };
    const known = knownAfter(all, [], span);
    expect(known.byId.size).toBeLessThan(all.length);
    expect(postNews(known, all, READING).posts).toEqual([]);
    // Older than all that was seen: new.
    expect(postNews(known, [post('older', MAX_KNOWN + 31)], READING).posts).toHaveLength(1);
    // Without a span it can't be told from a new one.
    expect(postNews(knownAfter(all), all, READING).posts.length).toBeGreaterThan(0);
  });

  it('is recorded if it is listed late, however many are known', () => {
    const all = Array.from({ length: MAX_KNOWN + 30 }, (_, n) => post(`p${n}`, n + 1));
    const known = knownAfter(all, [], { from: ago(MAX_KNOWN + 31), to: ago(0) });
    expect(postNews(known, [post('late', 2.5)], READING).posts.map(({ id }) => id)).toEqual(['late']);
  });

  it('is not recorded at each reading if it is pinned for years', () => {
    const recent = Array.from({ length: MAX_KNOWN }, (_, n) => post(`p${n}`, n));
    const pinned = post('pinned', 700 * 24);
    let known = knownAfter([pinned, ...recent], [], { from: ago(MAX_KNOWN), to: ago(0) });
    let recorded = 0;
    for (let reading = 0; reading < 5; reading++) {
      const { posts } = postNews(known, [pinned, post(`new${reading}`, -reading)], READING);
      recorded += posts.filter(({ id }) => id === 'pinned').length;
      known = withPosts(known, { posts, moved: [], span: null, observed_at: ago(0) });
    }
    expect(recorded).toBe(0);
  });
});

describe('the time in which all posts are recorded', () => {
  const spanAfter = (...spans: (Span | null)[]) =>
    spans.reduce(
      (known, span) => withPosts(known, { posts: [], moved: [], span, observed_at: ago(0) }),
      noPosts,
    ).span;

  it('grows by overlapping readings', () => {
    expect(spanAfter({ from: ago(9), to: ago(5) }, { from: ago(6), to: ago(1) })).toEqual({
      from: ago(9),
      to: ago(1),
    });
    expect(spanAfter({ from: null, to: ago(5) }, { from: ago(6), to: ago(1) })).toEqual({
      from: null,
      to: ago(1),
    });
  });

  it('starts again after a gap', () => {
    expect(spanAfter({ from: ago(9), to: ago(5) }, { from: ago(4), to: ago(1) })).toEqual({
      from: ago(4),
      to: ago(1),
    });
  });

  it('stays when a reading does not state it', () => {
    expect(spanAfter({ from: ago(9), to: ago(5) }, null)).toEqual({ from: ago(9), to: ago(5) });
  });
});
