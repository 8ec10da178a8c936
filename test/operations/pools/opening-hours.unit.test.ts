import { describe, expect, it } from 'vitest';
import { isScheduled } from '../../../src/crawlers/pools/current-pools.ts';
import { openingHours, openSince, scheduleTimes } from '../../../src/operations/pools/pool-settings.ts';

const MONDAY = Date.UTC(2026, 2, 2);
const HOUR = 3_600;
const DAY = 24 * HOUR;

const meanGap = (schedule: string | null, intervalS: number): number => {
  const gaps = openingHours(schedule, MONDAY).gapsOf(intervalS);
  expect(gaps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  return 1 / gaps.reduce((sum, { seconds, share }) => sum + share / seconds, 0);
};

describe('opening hours', () => {
  it('are all minutes without a schedule, and each account is read when due', () => {
    expect(openingHours(null, MONDAY).open).toBe(1);
    expect(openingHours(null, MONDAY).gapsOf(5_000)).toEqual([{ seconds: 5_000, share: 1 }]);
  });

  it('are the share of minutes in the schedule, by day or date', () => {
    expect(openingHours('* 0-5 * * *', MONDAY).open).toBeCloseTo(1 / 4, 9);
    expect(openingHours('* * * * 6,0', MONDAY).open).toBeCloseTo(2 / 7, 9);
    expect(openingHours('* * 24 12 *', MONDAY).open).toBeCloseTo(1 / 371, 9);
    expect(openingHours('* * 29 2 *', MONDAY).open).toBe(0);
  });

  it('delay accounts that are due in closed minutes', () => {
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

describe('the time since which a pool was open for some hours', () => {
  const since = (schedule: string | null, at: number, hours: number) => {
    const found = openSince(schedule, MONDAY + at * 1_000 * HOUR, hours * HOUR);
    return found === null ? null : (found - MONDAY) / (1_000 * HOUR);
  };

  it('is as long ago without a schedule', () => {
    expect(since(null, 20.25, 2.4)).toBeCloseTo(17.85, 9);
  });

  it('leaves out closed hours', () => {
    // Open from 0:00 to 6:00.
    expect(since('* 0-5 * * *', 20.25, 2.4)).toBeCloseTo(3.6, 9);
    expect(since('* 0-5 * * *', 4, 2.4)).toBeCloseTo(1.6, 9);
    expect(since('* 0-5 * * *', 1, 2.4)).toBeCloseTo(-24 + 4.6, 9);
    expect(since('* 0-5 * * *', 1.0125, 2.4)).toBeCloseTo(-24 + 4.6125, 9);
  });

  it('leaves out closed days', () => {
    // Open on Saturdays and Sundays; MONDAY is the 2nd of March.
    expect(since('* * * * 6,0', 12, 30)).toBeCloseTo(-30, 9);
    expect(since('* * * * 6,0', 12, 60)).toBeCloseTo(-7 * 24 - 12, 9);
  });

  it('is undefined if the pool was not open for as long within a year', () => {
    expect(since('* * 29 2 *', 0, 1)).toBeNull();
  });
});

describe('a preview of a schedule', () => {
  it('has the next times in which a pool is crawled, from now on', () => {
    const at = (hour: number) => new Date(MONDAY + hour * 3_600_000).toISOString();
    const preview = scheduleTimes('* 0-5,12 * * *', MONDAY + 3 * 3_600_000, 3);
    expect(preview.open).toBeCloseTo(7 / 24, 9);
    expect(preview.times).toEqual([
      { from: at(3), until: at(6) },
      { from: at(12), until: at(13) },
      { from: at(24), until: at(30) },
    ]);
  });

  it('of a pool that is always crawled has no end, and one without a minute no time', () => {
    expect(scheduleTimes(null, MONDAY, 3)).toEqual({
      open: 1,
      times: [{ from: new Date(MONDAY).toISOString(), until: null }],
    });
    expect(scheduleTimes('* * 29 2 *', MONDAY, 3)).toEqual({ open: 0, times: [] });
  });

  it('agrees with the minutes in which crawlers take the pool', () => {
    for (const schedule of ['* 0-5 * * *', '*/7 3 * * 1', '0 0 * * *', '* * 3-4 3 *']) {
      const { times } = scheduleTimes(schedule, MONDAY, 50);
      for (let minute = 0; minute < 4 * 1_440; minute++) {
        const ms = MONDAY + minute * 60_000;
        const isOpen = times.some(
          ({ from, until }) => Date.parse(from) <= ms && (until === null || ms < Date.parse(until)),
        );
        if (times.length < 50 || ms < Date.parse(times.at(-1)?.from ?? ''))
          expect([schedule, minute, isOpen]).toEqual([schedule, minute, isScheduled(schedule, new Date(ms))]);
      }
    }
  });
});
