import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLiveTurns } from '../../../src/api/pipeline/live-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const BOUNDS = { slots: { tool: 1, read: 2 }, waiting: 2, waitMs: 1_000 } as const;

/** Work that ends when it is told to. */
const work = () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const run = vi.fn(() => promise);
  return { run, end: () => resolve('done') };
};

const CROWDED = { code: 'live_rate_limited', retryAfterS: expect.any(Number) };

it('a call beyond those that may wait is refused at once, and one that waits too long later', async () => {
  const turns = createLiveTurns(BOUNDS);
  const [first, second, third, fourth] = [work(), work(), work(), work()] as const;
  const running = turns.run('a', 'tool', first.run);
  const waiting = [turns.run('a', 'tool', second.run), turns.run('a', 'tool', third.run)];
  await expect(turns.run('a', 'tool', fourth.run)).rejects.toMatchObject(CROWDED);
  const refused = Promise.allSettled(waiting);
  await vi.advanceTimersByTimeAsync(BOUNDS.waitMs);
  for (const one of await refused) expect(one).toMatchObject({ status: 'rejected', reason: CROWDED });
  first.end();
  expect(await running).toBe('done');
  for (const { run } of [second, third, fourth]) expect(run).not.toHaveBeenCalled();
});

it('calls of a holder begin in their order, whether those before them succeed or fail', async () => {
  const turns = createLiveTurns(BOUNDS);
  const begun: number[] = [];
  const all = [0, 1, 2].map((n) =>
    turns.run('a', 'tool', async () => {
      begun.push(n);
      if (n === 0) throw new Error('fails');
    }),
  );
  await Promise.allSettled(all);
  expect(begun).toEqual([0, 1, 2]);
});

it('lanes and holders have their own slots', async () => {
  const turns = createLiveTurns(BOUNDS);
  const all = (['a tool', 'a tool', 'a read', 'a read', 'a read', 'b tool'] as const).map((name) => {
    const [holder, lane] = name.split(' ') as [string, 'tool' | 'read'];
    const each = work();
    return { name, ...each, done: turns.run(holder, lane, each.run) };
  });
  const begun = all.filter(({ run }) => run.mock.calls.length > 0).map(({ name }) => name);
  expect(begun).toEqual(['a tool', 'a read', 'a read', 'b tool']);
  for (const { end } of all) end();
  await Promise.all(all.map(({ done }) => done));
});
