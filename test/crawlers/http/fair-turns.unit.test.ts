import { describe, expect, it } from 'vitest';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { createFairTurns } from '../../../src/crawlers/http/rate-limited-http.ts';

/** Turns that a test gives one by one. */
const createSource = () => {
  const waiting: { give: () => void; fail: (error: Error) => void }[] = [];
  const turns = createFairTurns<'x' | 'y'>(
    (_, signal) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ give: resolve, fail: reject });
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    turns,
    settle,
    asked: () => waiting.length,
    give: async () => {
      waiting.shift()?.give();
      await settle();
    },
    fail: async (error: Error) => {
      waiting.shift()?.fail(error);
      await settle();
    },
  };
};

describe('turns', () => {
  it('alternate between holders, so that one with many requests waits for itself', async () => {
    const { turns, give } = createSource();
    const order: string[] = [];
    const want = (holder: string, n: number) =>
      Array.from({ length: n }, () => turns.take('x', holder).then(() => order.push(holder)));
    const all = [...want('a', 5), ...want('b', 2), ...want('c', 1)];
    for (let i = 0; i < 8; i++) await give();
    await Promise.all(all);
    expect(order.join('')).toBe('abcabaaa');
  });

  it('are independent for different subjects', async () => {
    const { turns, asked } = createSource();
    void turns.take('x', 'a');
    void turns.take('y', 'a');
    expect(asked()).toBe(2);
  });

  it('skip holders that have left, and serve those that come later', async () => {
    const { turns, give, asked, settle } = createSource();
    const leaving = new AbortController();
    const gone = turns.take('x', 'a', leaving.signal).catch((error: FetchError) => error.reason);
    leaving.abort(new FetchError('timeout', 'late'));
    const meanwhile = turns.take('x', 'b').then(() => 'taken');
    expect(await gone).toBe('timeout');
    await give();
    expect(await meanwhile).toBe('taken');
    const alone = new AbortController();
    const alsoGone = turns.take('x', 'a', alone.signal).catch((error: FetchError) => error.reason);
    alone.abort(new FetchError('timeout', 'late'));
    expect(await alsoGone).toBe('timeout');
    await settle();
    const later = turns.take('x', 'b').then(() => 'taken');
    expect(asked()).toBe(2);
    await give();
    await give();
    expect(await later).toBe('taken');
  });

  it('that cannot be taken fail for everybody who waits, and not for later callers', async () => {
    const { turns, give, fail } = createSource();
    const both = [turns.take('x', 'a'), turns.take('x', 'b')].map((turn) =>
      turn.catch((error: Error) => error.message),
    );
    await fail(new Error('paused'));
    expect(await Promise.all(both)).toEqual(['paused', 'paused']);
    const later = turns.take('x', 'a').then(() => 'taken');
    await give();
    expect(await later).toBe('taken');
  });
});
