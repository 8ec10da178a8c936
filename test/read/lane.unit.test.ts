import { beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/kernel/errors.ts';
import { createLane, type Lane, type LaneBounds } from '../../src/read/lane.ts';
import { until } from '../support/wait.ts';

const BOUNDS: LaneBounds = {
  slots: 3,
  slotsOfOne: 2,
  mostWaiting: 6,
  mostWaitingOfOne: 4,
  waitMs: 60_000,
  quickMs: 50,
  mostMs: 1_000,
};
const USED_MS = 2_000;

let now: number;
let begun: string[];
let ends: (() => void)[];

beforeEach(() => {
  now = 0;
  begun = [];
  ends = [];
});

const laneOf = (bounds: Partial<LaneBounds> = {}): Lane => createLane({ ...BOUNDS, ...bounds }, () => now);

/** A statement that ends when it is told to. @returns what became of it. */
const ask = (lane: Lane, holder: string): Promise<string> =>
  lane
    .run({ holder, allowedMs: USED_MS }, () => {
      begun.push(holder);
      return new Promise<string>((resolve) => ends.push(() => resolve('done')));
    })
    .catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return `${error.code} ${error.retryAfterS}`;
    });

const settled = () => new Promise((resolve) => setImmediate(resolve));
const end = async (count = 1) => {
  for (let i = 0; i < count; i++) {
    await settled();
    ends.shift()?.();
    await settled();
  }
};

describe('a lane', () => {
  it('runs no more of one holder, and no more of all, than it may', async () => {
    const lane = laneOf();
    for (const holder of ['a', 'b']) void ask(lane, holder);
    await end(2);
    begun = [];
    for (const holder of ['a', 'a', 'a', 'b', 'b']) void ask(lane, holder);
    await settled();
    expect(begun).toEqual(['a', 'a', 'b']);
    await end();
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
    await end();
    expect(begun).toEqual(['a', 'a', 'b', 'a', 'b']);
  });

  it('runs one at a time of whoever has not shown that they are quick, and of whose are slow', async () => {
    const lane = laneOf();
    for (let i = 0; i < 4; i++) void ask(lane, 'a');
    await settled();
    expect(begun).toHaveLength(1);
    now = 51;
    await end();
    expect(begun).toHaveLength(2);
    now = 52;
    await end();
    expect(begun).toHaveLength(4);
  });

  it('lets a holder use no more time than its plan allows, nor than there is for one', async () => {
    const lane = laneOf();
    const run = (allowedMs: number) =>
      lane.run({ holder: 'a', allowedMs }, async () => {
        now += 600;
      });
    await run(500);
    await expect(run(500)).rejects.toThrow(Failure);
    await run(5_000);
    await expect(run(5_000)).rejects.toThrow(Failure);
  });

  it('goes round those who wait, whoever came first', async () => {
    const lane = laneOf({ slots: 1, slotsOfOne: 1 });
    for (const holder of ['a', 'a', 'a', 'a', 'b', 'c']) void ask(lane, holder);
    await end(5);
    // The first began before the others came.
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'a']);
  });

  it('refuses at once what has no room to wait, of one holder and of all', async () => {
    const lane = laneOf({ slots: 1, slotsOfOne: 1 });
    const many = Array.from({ length: 7 }, () => ask(lane, 'a'));
    expect(await Promise.all(many.slice(5))).toEqual(Array(2).fill('service_unavailable 1'));
    void ask(lane, 'b');
    void ask(lane, 'c');
    expect(await ask(lane, 'd')).toBe('service_unavailable 1');
    await end(7);
    expect(await Promise.all(many.slice(0, 5))).toEqual(Array(5).fill('done'));
  });

  it('refuses what has waited too long, without having begun it', async () => {
    const lane = laneOf({ slots: 1, slotsOfOne: 1, waitMs: 100 });
    const first = ask(lane, 'a');
    const second = ask(lane, 'b');
    now = 101;
    expect(await second).toBe('service_unavailable 1');
    await end();
    expect(await first).toBe('done');
    expect(begun).toEqual(['a']);
  });

  it('refuses whoever has used its time of the minute, until the minute ends, and nobody else', async () => {
    const lane = laneOf();
    now = 5_000;
    const slow = [ask(lane, 'a'), ask(lane, 'a')];
    await settled();
    now = 6_500;
    await end();
    // The second waited for its turn, which does not come any more.
    expect(await slow[1]).toBe('rate_limited 59');
    expect(begun).toEqual(['a']);
    now = 64_000;
    expect(await ask(lane, 'a')).toBe('rate_limited 1');
    const other = ask(lane, 'b');
    await end();
    expect(await other).toBe('done');
    now = 65_000;
    const later = ask(lane, 'a');
    await end();
    expect(await later).toBe('done');
  });

  it('counts the time of statements that fail, and goes on after them', async () => {
    const lane = laneOf({ slots: 1, slotsOfOne: 1 });
    const failing = lane.run({ holder: 'a', allowedMs: USED_MS }, () => {
      now += 2_000;
      return Promise.reject(new Error('stopped'));
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(await ask(lane, 'a')).toBe('rate_limited 58');
    void ask(lane, 'b');
    await until('the other one has begun', () => begun.includes('b'));
  });

  it('does not mistake time that was waited for time that was used', async () => {
    const lane = laneOf({ slots: 1, slotsOfOne: 1 });
    void ask(lane, 'a');
    const waiting = ask(lane, 'b');
    await settled();
    now = 50_000;
    await end(2);
    expect(await waiting).toBe('done');
    const again = ask(lane, 'b');
    await end();
    expect(await again).toBe('done');
  });
});
