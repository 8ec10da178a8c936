import { describe, expect, it } from 'vitest';
import { PING_MS, Silence } from '../../../src/runtime/api-process/channel.ts';

/** The silence after ticks that came so many milliseconds apart. */
const ticked = (silence: Silence, move: (ms: number) => void, gaps: readonly number[]): number => {
  let silentMs = 0;
  for (const gap of gaps) {
    move(gap);
    silentMs = silence.tick();
  }
  return silentMs;
};

const begin = () => {
  let now = 1_000;
  const silence = new Silence(() => now);
  return { silence, move: (ms: number) => (now += ms) };
};

describe('the silence of another process', () => {
  it('grows with time, and ends with a message', () => {
    const { silence, move } = begin();
    expect(ticked(silence, move, [PING_MS, PING_MS, PING_MS])).toBe(3 * PING_MS);
    silence.heard();
    expect(ticked(silence, move, [PING_MS])).toBe(PING_MS);
  });

  it('does not grow while this process itself was stalled', () => {
    const { silence, move } = begin();
    expect(ticked(silence, move, [PING_MS, 60_000, PING_MS])).toBeLessThanOrEqual(4 * PING_MS);
    // Stalled again and again, it still notices that nothing comes.
    expect(ticked(silence, move, Array<number>(20).fill(2_000))).toBeGreaterThan(5_000);
  });
});
