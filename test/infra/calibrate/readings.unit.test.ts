import { describe, expect, it } from 'vitest';
import { AT, observedOf } from '../../../infra/calibrate/observed.ts';
import { readAccount } from '../../../infra/calibrate/readings.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

const DAY = 86_400_000;
const RIPE = 3 * DAY;

const world = createWorld({ seed: 3_002, size: 20_000, clock: { now: () => AT } });

/** Accounts that are there all year and post about daily. */
const BUSY = Array.from({ length: 4_000 }, (_, index) => index)
  .filter((index) => {
    const { dormantFrom, rate, createdAt } = world.hidden.traits('x', index);
    const isThere = world.account('x', index, AT).status === 'active' && createdAt < AT - 500 * DAY;
    return isThere && dormantFrom === Infinity && rate > 5 && rate < 20;
  })
  .slice(0, 12);

const readOf = (index: number, days: number) =>
  readAccount(world, 'x', index, { anchorMs: AT, fromMs: AT - 120 * DAY, interval: days * DAY });

describe('the readings of a calibration', () => {
  it('leave the figures that the program recorded: of the first ripe reading, or the last with news', {
    tags: 'long',
  }, () => {
    for (const index of BUSY) {
      const { posts } = readOf(index, 1);
      const old = [...posts.digest.values()].filter(
        ({ atMs }) => atMs !== null && atMs > AT - 90 * DAY && atMs < AT - 5 * DAY,
      );
      expect(old.length).toBeGreaterThan(20);
      for (const post of old) {
        const atMs = post.atMs as number;
        expect(post.observedMs - atMs).toBeGreaterThanOrEqual(RIPE);
        const then = world.post('x', index, Number(post.id), post.observedMs);
        expect([post.likes, post.views]).toEqual([then?.likes, then?.views]);
      }
      // A reading that changes nothing of a ripe post does not count as one.
      expect(old.some(({ observedMs }) => observedMs < AT - 5 * DAY)).toBe(true);
    }
  });

  it('know every post since the first of them, and the followers at each', () => {
    for (const index of BUSY) {
      const { posts, points } = readOf(index, 8);
      expect(points).toHaveLength(15);
      expect(points.at(-1)).toEqual({ atMs: AT, followers: world.account('x', index, AT).followers });
      // The last reading with news: a post of the last days is recorded, and again at a ripe age.
      expect(Date.parse(posts.span?.to ?? '')).toBeGreaterThan(AT - 30 * DAY);
      const from = posts.span?.from;
      expect(from === null || Date.parse(from ?? '') < AT - 112 * DAY).toBe(true);
    }
  });

  it('are one to eight days apart, with an interval per account', () => {
    const intervals = BUSY.map((index) => {
      const points = observedOf(world, 'x', index, 120)?.points ?? [];
      return ((points.at(-1)?.atMs ?? 0) - (points.at(-2)?.atMs ?? 0)) / DAY;
    });
    expect(Math.min(...intervals)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...intervals)).toBeLessThanOrEqual(8);
    expect(new Set(intervals.map((days) => Math.round(days))).size).toBeGreaterThan(3);
  });
});
