import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { correctClock, systemClock } from '../../../src/kernel/clock.ts';
import { followDatabaseClock } from '../../../src/kernel/postgres/database-clock.ts';
import type { Queryable } from '../../../src/kernel/postgres/pool.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  correctClock(0);
});

/** A database whose clock is ahead by what `aheadMs` says. */
const follow = async (ahead: { ms: number }) => {
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  const db = { query: async () => ({ rows: [{ ms: Date.now() + ahead.ms }], rowCount: 1 }) };
  const clock = await followDatabaseClock(db as unknown as Queryable, logger);
  let lost: string | null = null;
  void clock.lost.then((reason) => {
    lost = reason;
  });
  return { lines, clock, lost: () => lost };
};

describe('the clock of a process', () => {
  it.each([0, 500, -500, 1_900, -1_900])('shows the time of a database that is %d ms ahead', async (ms) => {
    const { lines, clock } = await follow({ ms });
    // What a round trip takes explains a few milliseconds.
    expect(Math.abs(systemClock.now() - (NOW + ms))).toBeLessThan(100);
    expect(lines).toEqual([]);
    clock.stop();
  });

  it.each([
    [60_000, 'the clock of this host is 60 s behind the database'],
    [-299_000, 'the clock of this host is 299 s ahead of the database'],
  ])('shows it and warns where it is %d ms ahead', async (ms, said) => {
    const { lines, clock } = await follow({ ms });
    expect(Math.abs(systemClock.now() - (NOW + ms))).toBeLessThan(100);
    expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining(said)]);
    clock.stop();
  });

  it.each([301_000, -301_000, 86_400_000, -86_400_000])('is refused where it is %d ms ahead', async (ms) => {
    await expect(follow({ ms })).rejects.toMatchObject({ code: 'clock_wrong' });
    expect(systemClock.now()).toBe(NOW);
  });

  it('is compared every hour: a small step is followed, a large one ends the service', async () => {
    const ahead = { ms: 0 };
    const { lost, clock } = await follow(ahead);
    ahead.ms = 30_000;
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(Math.abs(systemClock.now() - (NOW + HOUR_MS + 30_000))).toBeLessThan(100);
    expect(lost()).toBeNull();
    ahead.ms = 400_000;
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(lost()).toContain('400 s behind');
    // It goes on with what it knew until it ends.
    expect(Math.abs(systemClock.now() - (NOW + 2 * HOUR_MS + 30_000))).toBeLessThan(100);
    clock.stop();
  });
});
