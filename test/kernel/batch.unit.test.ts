import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBatcher } from '../../src/kernel/batch.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The event loop's next turn, which is not faked. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a late call of a batcher delays only its own keys', async () => {
  const calls: { readonly keys: readonly string[]; readonly answer: () => void }[] = [];
  const batch = createBatcher<string, string>(
    (keys) =>
      new Promise((resolve) => {
        calls.push({ keys, answer: () => resolve(keys.map((key) => key.toUpperCase())) });
      }),
    { inFlight: 1 },
  );
  const late = batch('late');
  await turn();
  expect(calls).toHaveLength(1);
  const next = [batch('a'), batch('b')];
  vi.advanceTimersByTime(999);
  await turn();
  expect(calls).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['late'], ['a', 'b']]);
  calls[1]?.answer();
  expect(await Promise.all(next)).toEqual(['A', 'B']);
  calls[0]?.answer();
  expect(await late).toBe('LATE');
  // It is one in flight again, not two.
  void batch('c');
  await turn();
  expect(calls).toHaveLength(3);
  void batch('d');
  vi.advanceTimersByTime(500);
  await turn();
  expect(calls).toHaveLength(3);
});
