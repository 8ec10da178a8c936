import { describe, expect, it } from 'vitest';
import { creationRuns, FALSE_ALARMS } from '../../../src/analysis/audit/audit.ts';
import { seededRandom } from '../../../src/kernel/random.ts';

const DAY = 86_400_000;
const BORN = Date.UTC(2015, 0, 1);
const random = seededRandom(9);

/** Creation times of followers, most of them of the last years, as of a young audience. */
const audience = (n: number, days = 4_000): (number | null)[] =>
  Array.from({ length: n }, () => BORN + (1 - random.next() ** 2) * days * DAY);

describe('runs of followers that were created together', () => {
  it('are named with their positions and dates', () => {
    const times = audience(400);
    for (let position = 120; position < 150; position++)
      times[position] = BORN + (3_000 + (position % 3)) * DAY;
    const [run, ...others] = creationRuns(times);
    expect(others).toEqual([]);
    expect(run?.members).toEqual(Array.from({ length: 30 }, (_, n) => 120 + n));
    expect([run?.createdFromMs, run?.createdToMs]).toEqual([BORN + 3_000 * DAY, BORN + 3_002 * DAY]);
    expect(run?.p).toBeLessThan(1e-12);
  });

  it('may contain other followers and accounts of unknown age', () => {
    const times = audience(400);
    for (let position = 200; position < 260; position += 3) times[position] = BORN + 2_000 * DAY;
    times[201] = null;
    expect(creationRuns(times)[0]?.members).toHaveLength(20);
  });

  it('are separate where one follows another', () => {
    const times = audience(400);
    for (let position = 100; position < 120; position++) times[position] = BORN + 1_000 * DAY;
    for (let position = 120; position < 150; position++) times[position] = BORN + 1_100 * DAY;
    expect(creationRuns(times).map(({ members }) => members.length)).toEqual([30, 20]);
  });

  it('stand out against the rest of a list, however small, and need a rest', () => {
    const run = Array.from({ length: 60 }, (_, position) => BORN + (position % 5) * DAY);
    expect(creationRuns([...audience(10), ...run])[0]?.members).toHaveLength(60);
    expect(creationRuns(run)).toEqual([]);
  });

  it('are not found where accounts of one week are spread over the whole list', () => {
    const times = audience(400);
    for (let position = 0; position < 400; position += 25) times[position] = BORN + 1_000 * DAY;
    expect(creationRuns(times)).toEqual([]);
  });

  it.each([4_000, 400])('are found by chance no more often than stated in audiences of %d days', (days) => {
    const audiences = 400;
    const alarms = Array.from({ length: audiences }, () => creationRuns(audience(300, days))).filter(
      (runs) => runs.length > 0,
    ).length;
    expect(alarms / audiences).toBeLessThanOrEqual(2 * FALSE_ALARMS);
  });

  it('handles 3,000 followers in a moment', () => {
    const times = audience(3_000);
    for (let position = 0; position < 1_000; position++) times[position] = BORN + (position % 100) * 30 * DAY;
    expect(creationRuns(times).length).toBeLessThan(100);
  });
});
