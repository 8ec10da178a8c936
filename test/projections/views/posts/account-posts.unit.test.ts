import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/kernel/random.ts';
import {
  type AccountPosts,
  clearPosts,
  DIGEST_POSTS,
  emptyPosts,
  floorsFor,
  sightPosts,
} from '../../../../src/projections/views/posts/account-posts.ts';
import {
  ALWAYS_KEPT_POSTS,
  CHUNK_POSTS,
  type Content,
  KEPT_MS,
  KEPT_POSTS,
  keyOf,
  noChunks,
  retainChunks,
} from '../../../../src/projections/views/posts/chunks.ts';
import type { AccountEvent, AccountEventData } from '../../../../src/write/accounts/account.ts';
import { FIGURES } from '../../../../src/write/accounts/post.ts';
import { postHistory } from '../../../support/generated-posts.ts';
import { posted } from '../../../support/program.ts';

type PostsSighted = AccountEventData['PostsSighted'];

const sightings = (seed: number, readings: number, pace?: number): PostsSighted[] =>
  [...postHistory(seededRandom(seed), readings, pace)].flatMap((event) =>
    event.type === 'PostsSighted' ? [event.data] : [],
  );

const fold = (state: AccountPosts, data: PostsSighted): void => {
  sightPosts(state, data);
  state.observedMs = Math.max(state.observedMs, Date.parse(data.observed_at));
  retainChunks(state.chunks, state.observedMs);
};

const folded = (events: readonly PostsSighted[]): AccountPosts => {
  const state = emptyPosts('x', 'generated');
  for (const event of events) fold(state, event);
  return state;
};

const contents = (state: AccountPosts): Content[] =>
  state.chunks.refs.flatMap(({ floor }) => state.chunks.loaded.get(floor) ?? []);

/** Last known values of every post, the plain way: a field that a reading hides keeps its value. */
const plainly = (events: readonly PostsSighted[]): Map<string, Record<string, unknown>> => {
  const posts = new Map<string, Record<string, unknown>>();
  for (const { posts: whole, moved } of events) {
    for (const post of whole) {
      const before = posts.get(post.id) ?? {};
      const shown = Object.entries(post).filter(([, value]) => value !== null);
      posts.set(post.id, {
        ...Object.fromEntries(Object.keys(post).map((k) => [k, null])),
        ...before,
        ...Object.fromEntries(shown),
      });
    }
    for (const { id, ...figures } of moved) {
      const before = posts.get(id);
      if (before !== undefined) posts.set(id, { ...before, ...figures });
    }
  }
  return posts;
};

const dataOf = (event: AccountEvent): PostsSighted => event.data as PostsSighted;

describe('the posts of an account', () => {
  it('keep what a later reading does not show, with the figures shown last', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const events = sightings(seed, 40);
      const state = folded(events);
      const expected = plainly(events);
      expect(state.digest.size).toBe(expected.size);
      for (const [id, post] of expected) {
        const inBrief = state.digest.get(id);
        expect(inBrief).toMatchObject(Object.fromEntries(FIGURES.map((figure) => [figure, post[figure]])));
        expect(inBrief).toMatchObject({ kind: post.kind, media: post.media });
        expect(inBrief?.atMs).toBe(post.at === null ? null : Date.parse(String(post.at)));
      }
      const stored = new Map(contents(state).map((content) => [content.id, content]));
      for (const [id, { url, text, lang, hashtags, links }] of expected) {
        expect(stored.get(id)).toMatchObject({ url, text, lang, hashtags, links });
      }
    }
  });

  it('stand in sorted chunks that neither overlap nor overflow, each post once', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const state = folded(sightings(seed, 90));
      const keys = contents(state).map(({ atMs, id }) => keyOf(atMs, id));
      expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : 1)));
      expect(new Set(contents(state).map(({ id }) => id)).size).toBe(keys.length);
      for (const { floor, n } of state.chunks.refs) {
        expect(state.chunks.loaded.get(floor)).toHaveLength(n);
        expect(n).toBeLessThanOrEqual(CHUNK_POSTS);
      }
    }
  });

  it.for([1, 2, 7])(
    'fold alike whether all chunks are in memory or only those that %i readings may change',
    { tags: 'long' },
    (size) => {
      for (let seed = 1; seed <= 4; seed++) {
        const events = sightings(seed, 400, 12);
        const stored = new Map<string, string>();
        let state = emptyPosts('x', 'generated');
        for (let n = 0; n < events.length; n += size) {
          const batch = events.slice(n, n + size);
          // Begins with nothing in memory, as after a restart.
          state = { ...state, chunks: { ...noChunks(), refs: state.chunks.refs } };
          const { refs, loaded, changed, removed } = state.chunks;
          for (const floor of floorsFor(
            state,
            batch.flatMap(({ posts }) => posts),
          )) {
            loaded.set(floor, JSON.parse(stored.get(floor) as string));
          }
          for (const event of batch) fold(state, event);
          for (const floor of removed) stored.delete(floor);
          for (const floor of changed) stored.set(floor, JSON.stringify(loaded.get(floor)));
          expect([...stored.keys()].sort()).toEqual(refs.map(({ floor }) => floor));
        }
        const whole = folded(events);
        expect([...state.digest]).toEqual([...whole.digest]);
        expect(state.chunks.refs).toEqual(whole.chunks.refs);
        for (const { floor } of whole.chunks.refs) {
          expect(stored.get(floor)).toBe(JSON.stringify(whole.chunks.loaded.get(floor)));
        }
        expect(whole.chunks.refs.length).toBeGreaterThan(10);
      }
    },
  );

  it('leave a full digest from the oldest on, with their last figures', () => {
    const hour = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString();
    const events = Array.from({ length: 30 }, (_, page) =>
      dataOf(
        posted(
          hour(page * 20 + 20),
          ...Array.from({ length: 20 }, (_, i) => ({
            id: `p${page * 20 + i}`,
            at: hour(page * 20 + i),
            likes: page,
          })),
        ),
      ),
    );
    const state = folded(events);
    expect(state.digest.size).toBeLessThanOrEqual(DIGEST_POSTS);
    expect(state.digest.has('p599')).toBe(true);
    expect(state.digest.has('p0')).toBe(false);
    const first = contents(state).find(({ id }) => id === 'p0');
    expect(first?.frozen).toEqual({
      observedMs: Date.parse(hour(20)),
      isOrdered: false,
      likes: 0,
      replies: null,
      reposts: null,
      quotes: null,
      views: null,
    });
    // Later figures of it are not recorded.
    fold(state, { ...dataOf(posted(hour(700))), moved: [{ id: 'p0', likes: 9 }] });
    expect(state.digest.has('p0')).toBe(false);
  });

  it('expire a chunk at a time: what is neither among the newest nor recent', () => {
    const hour = (n: number) => new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString();
    const page = (from: number, seen: number) =>
      dataOf(
        posted(
          hour(seen),
          ...Array.from({ length: 100 }, (_, i) => ({ id: `p${from + i}`, at: hour(from + i) })),
        ),
      );
    const many = folded(Array.from({ length: 30 }, (_, n) => page(n * 100, n * 100 + 100)));
    const kept = contents(many);
    expect(kept.length).toBeGreaterThanOrEqual(KEPT_POSTS);
    expect(kept.length).toBeLessThan(KEPT_POSTS + CHUNK_POSTS);
    expect(kept.at(-1)?.id).toBe('p2999');
    const aged = folded(Array.from({ length: 8 }, (_, n) => page(n * 100, n * 100 + 100)));
    aged.observedMs = Date.parse(hour(220)) + KEPT_MS;
    retainChunks(aged.chunks, aged.observedMs);
    expect(contents(aged)[0]?.id).toBe('p200');
    // Of an account that stopped publishing the newest stay.
    aged.observedMs = Date.parse(hour(5_000)) + KEPT_MS;
    retainChunks(aged.chunks, aged.observedMs);
    expect(contents(aged)).toHaveLength(ALWAYS_KEPT_POSTS);
  });

  it('are forgotten when the handle has a new owner', () => {
    const state = folded(sightings(3, 50));
    const floors = state.chunks.refs.map(({ floor }) => floor);
    clearPosts(state);
    expect([state.digest.size, state.chunks.refs, state.chunks.loaded.size]).toEqual([0, [], 0]);
    expect([...state.chunks.removed]).toEqual(expect.arrayContaining(floors));
  });
});
