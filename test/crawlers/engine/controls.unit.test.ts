import { describe, expect, it } from 'vitest';
import { createControls } from '../../../src/crawlers/engine/controls.ts';
import type { Queryable } from '../../../src/kernel/postgres/pool.ts';

/** A database whose answers take a time, by a clock that tests move. */
const slowDatabase = (tookMs: () => number) => {
  const state = { nowMs: 0, asked: 0, paused: false };
  const db = {
    query: async () => {
      state.asked += 1;
      const { paused } = state;
      state.nowMs += tookMs();
      return { rows: [{ engine: 'x', paused, rate_per_s: paused ? null : 2.5 }] };
    },
  } as unknown as Queryable;
  return { state, controls: createControls(db, () => state.nowMs) };
};

describe('controls of engines', () => {
  it('are read once for all engines and requests within 250 ms', async () => {
    const { state, controls } = slowDatabase(() => 1);
    const all = await Promise.all([
      controls.engine('x'),
      controls.engine('marketplace'),
      controls.engine('x'),
    ]);
    expect(all.map(({ ratePerS }) => ratePerS)).toEqual([2.5, null, 2.5]);
    state.nowMs += 240;
    await controls.engine('tiktok');
    expect(state.asked).toBe(1);
    state.paused = true;
    state.nowMs += 20;
    expect(await controls.engine('x')).toEqual({ paused: true, ratePerS: null });
    expect(state.asked).toBe(2);
  });

  it('are read again if the answer took so long that it may have changed', async () => {
    const took = [2_500, 1_600, 10];
    const { state, controls } = slowDatabase(() => {
      // The pause is committed while the first answer is on its way.
      state.paused = true;
      return took.shift() ?? 0;
    });
    expect(await controls.engine('x')).toEqual({ paused: true, ratePerS: null });
    expect(state.asked).toBe(3);
  });

  it('are unknown, and block every request, while the database does not answer', async () => {
    const db = { query: () => Promise.reject(new Error('gone')) } as unknown as Queryable;
    const controls = createControls(db);
    await expect(controls.engine('x')).rejects.toThrow('gone');
    await expect(controls.engine('x')).rejects.toThrow('gone');
  });
});
