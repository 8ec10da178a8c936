import { describe, expect, it } from 'vitest';
import { openingHours } from '../../../src/operations/pools/opening-hours.ts';

const MONDAY = Date.UTC(2026, 2, 2);
const HOUR = 3_600;
const DAY = 24 * HOUR;

const meanGap = (schedule: string | null, intervalS: number): number => {
  const gaps = openingHours(schedule, MONDAY).gapsOf(intervalS);
  expect(gaps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  return 1 / gaps.reduce((sum, { seconds, share }) => sum + share / seconds, 0);
};

describe('opening hours', () => {
  it('are all minutes without a schedule, and each account is read when it is due', () => {
    expect(openingHours(null, MONDAY).open).toBe(1);
    expect(openingHours(null, MONDAY).gapsOf(5_000)).toEqual([{ seconds: 5_000, share: 1 }]);
  });

  it('are the share of minutes that the schedule has, by day or by date', () => {
    expect(openingHours('* 0-5 * * *', MONDAY).open).toBeCloseTo(1 / 4, 9);
    expect(openingHours('* * * * 6,0', MONDAY).open).toBeCloseTo(2 / 7, 9);
    expect(openingHours('* * 24 12 *', MONDAY).open).toBeCloseTo(1 / 371, 9);
    expect(openingHours('* * 29 2 *', MONDAY).open).toBe(0);
  });

  it('let accounts wait that are due in closed minutes', () => {
    // Due after eight hours: read at the next opening, a day after the last one.
    const [only, ...others] = openingHours('0 0 * * *', MONDAY).gapsOf(8 * HOUR);
    expect(others).toEqual([]);
    expect(only?.seconds).toBe(DAY);
    expect(only?.share).toBeCloseTo(1, 9);
    // Several times a night, then not until the next one.
    const night = openingHours('* 0-5 * * *', MONDAY).gapsOf(2 * HOUR);
    expect(Math.min(...night.map(({ seconds }) => seconds))).toBeLessThanOrEqual(3 * HOUR);
    expect(Math.max(...night.map(({ seconds }) => seconds))).toBeGreaterThan(18 * HOUR);
    expect(meanGap('* 0-5 * * *', 2 * HOUR)).toBeGreaterThan(6 * HOUR);
  });

  it('hardly matter to accounts that are read once in weeks', () => {
    const mean = meanGap('* 0-5 * * *', 30 * DAY);
    expect(mean).toBeGreaterThan(29.5 * DAY);
    expect(mean).toBeLessThan(31 * DAY);
  });
});
