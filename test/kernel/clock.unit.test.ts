import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLOCK_VARIABLE, paceOf, timeAt } from '../../src/kernel/clock.ts';

const ORIGIN = Date.UTC(2026, 0, 1);

describe('the pace of the clock', () => {
  it('without a pace the clock shows the real time', () => {
    expect(paceOf(undefined)).toEqual(paceOf(''));
    for (const ms of [0, 1, ORIGIN + 7]) expect(timeAt(paceOf(undefined), ms)).toBe(ms);
  });

  it('a clock of a pace shows the real time at its origin and goes as many times as fast from there', () => {
    const pace = paceOf(`${ORIGIN},48`);
    expect(timeAt(pace, ORIGIN)).toBe(ORIGIN);
    expect(timeAt(pace, ORIGIN + 1_800_000)).toBe(ORIGIN + 86_400_000);
    expect(timeAt(paceOf(`${ORIGIN},0.5`), ORIGIN + 3)).toBe(ORIGIN + 1);
  });

  it.each(['48', '1,0', '1,', 'now,48', '1,-2', '1,48,2'])('the pace %s is refused', (text) => {
    expect(() => paceOf(text)).toThrow(RangeError);
  });
});

/** What a process with this pace says of its clock, its ages and its waits. */
const readingsWith = (pace: string) => {
  const module = fileURLToPath(new URL('../../src/kernel/clock.ts', import.meta.url));
  const script = `import { systemClock, elapsedMs, realMs } from ${JSON.stringify(module)};
    const before = Date.now(); const now = systemClock.now(); const after = Date.now();
    const steady = [performance.now(), elapsedMs(), performance.now()];
    console.log(JSON.stringify({ before, now, after, steady, wait: realMs(4_800) }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, [CLOCK_VARIABLE]: pace },
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as {
    before: number;
    now: number;
    after: number;
    steady: [number, number, number];
    wait: number;
  };
};

it('a process takes the pace of its time, its ages and its waits from its environment', () => {
  const { before, now, after, steady, wait } = readingsWith(`${ORIGIN},48`);
  expect(now).toBeGreaterThanOrEqual(ORIGIN + (before - ORIGIN) * 48);
  expect(now).toBeLessThanOrEqual(ORIGIN + (after - ORIGIN) * 48);
  expect(steady[1]).toBeGreaterThanOrEqual(steady[0] * 48);
  expect(steady[1]).toBeLessThanOrEqual(steady[2] * 48);
  expect(wait).toBe(100);
});
