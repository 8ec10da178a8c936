import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/kernel/errors.ts';
import { createListQueue, type ListQueue, type ListQueueBounds } from '../../../src/read/lists.ts';
import { until } from '../../support/wait.ts';

const BOUNDS: ListQueueBounds = {
  slots: 3,
  slotsOfOne: 2,
  maxWaiting: 6,
  maxWaitingPerHolder: 4,
  waitMs: 60_000,
  quickMs: 50,
  maxMs: 1_000,
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

const laneOf = (bounds: Partial<ListQueueBounds> = {}): ListQueue =>
  createListQueue({ ...BOUNDS, ...bounds }, () => now);

/** A statement that ends when it is told to. @returns what became of it. */
const ask = (queue: ListQueue, holder: string): Promise<string> =>
  queue
    .run({ holder, allowedMs: USED_MS }, () => {
      begun.push(holder);
      return new Promise<string>((resolve) => ends.push(() => resolve('done')));
    })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
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

describe('a list queue', () => {
  it('runs a limited number of statements of one holder, and of all', async () => {
    const queue = laneOf();
    for (const holder of ['a', 'b']) void ask(queue, holder);
    await end(2);
    begun = [];
    for (const holder of ['a', 'a', 'a', 'b', 'b']) void ask(queue, holder);
    await settled();
    expect(begun).toEqual(['a', 'a', 'b']);
    await end();
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
    await end();
    expect(begun).toEqual(['a', 'a', 'b', 'a', 'b']);
  });

  it('runs one statement at a time for new or slow holders', async () => {
    const queue = laneOf();
    for (let i = 0; i < 4; i++) void ask(queue, 'a');
    await settled();
    expect(begun).toHaveLength(1);
    now = 51;
    await end();
    expect(begun).toHaveLength(2);
    now = 52;
    await end();
    expect(begun).toHaveLength(4);
  });

  it('lets a holder use no more time than its plan, or one holder’s share, allows', async () => {
    const queue = laneOf();
    const run = (allowedMs: number) =>
      queue.run({ holder: 'a', allowedMs }, async () => {
        now += 600;
      });
    await run(500);
    await expect(run(500)).rejects.toThrow(ServiceError);
    await run(5_000);
    await expect(run(5_000)).rejects.toThrow(ServiceError);
  });

  it('serves waiting holders round-robin, whoever came first', async () => {
    const queue = laneOf({ slots: 1, slotsOfOne: 1 });
    for (const holder of ['a', 'a', 'a', 'a', 'b', 'c']) void ask(queue, holder);
    await end(5);
    // The first began before the others came.
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'a']);
  });

  it('refuses at once what has no room to wait, of one holder and of all', async () => {
    const queue = laneOf({ slots: 1, slotsOfOne: 1 });
    const many = Array.from({ length: 7 }, () => ask(queue, 'a'));
    expect(await Promise.all(many.slice(5))).toEqual(Array(2).fill('service_unavailable 1'));
    void ask(queue, 'b');
    void ask(queue, 'c');
    expect(await ask(queue, 'd')).toBe('service_unavailable 1');
    await end(7);
    expect(await Promise.all(many.slice(0, 5))).toEqual(Array(5).fill('done'));
  });

  it('refuses what has waited too long, without starting it', async () => {
    const queue = laneOf({ slots: 1, slotsOfOne: 1, waitMs: 100 });
    const first = ask(queue, 'a');
    const second = ask(queue, 'b');
    now = 101;
    expect(await second).toBe('service_unavailable 1');
    await end();
    expect(await first).toBe('done');
    expect(begun).toEqual(['a']);
  });

  it('rejects a holder that has used its time until the minute ends, and no other', async () => {
    const queue = laneOf();
    now = 5_000;
    const slow = [ask(queue, 'a'), ask(queue, 'a')];
    await settled();
    now = 6_500;
    await end();
    // The second waited for its turn, which does not come any more.
    expect(await slow[1]).toBe('rate_limited 59');
    expect(begun).toEqual(['a']);
    now = 64_000;
    expect(await ask(queue, 'a')).toBe('rate_limited 1');
    const other = ask(queue, 'b');
    await end();
    expect(await other).toBe('done');
    now = 65_000;
    const later = ask(queue, 'a');
    await end();
    expect(await later).toBe('done');
  });

  it('counts the time of failed statements, and continues after them', async () => {
    const queue = laneOf({ slots: 1, slotsOfOne: 1 });
    const failing = queue.run({ holder: 'a', allowedMs: USED_MS }, () => {
      now += 2_000;
      return Promise.reject(new Error('stopped'));
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(await ask(queue, 'a')).toBe('rate_limited 58');
    void ask(queue, 'b');
    await until('the other one has begun', () => begun.includes('b'));
  });

  it('does not count waiting time', async () => {
    const queue = laneOf({ slots: 1, slotsOfOne: 1 });
    void ask(queue, 'a');
    const waiting = ask(queue, 'b');
    await settled();
    now = 50_000;
    await end(2);
    expect(await waiting).toBe('done');
    const again = ask(queue, 'b');
    await end();
    expect(await again).toBe('done');
  });
});
