import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { type ToolCall, toolCalls } from '../support/tools.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

let program: TestProgram;
let call: ToolCall;

beforeAll(async () => {
  program = await createTestProgram();
  call = await toolCalls(program, await program.issueKey(['tools:run']));
  for (let n = 0; n < 30; n++)
    await program.append(
      'telegram',
      'grow_er',
      sighted('grow_er', daysAgo(60 - 2 * n), { followers: 1_003 + 10 * n }),
    );
  // Every ten days, up and down.
  for (let n = 0; n < 45; n++)
    await program.append(
      'youtube',
      `crowd${n}`,
      ...Array.from({ length: 30 }, (_, k) =>
        sighted(`crowd${n}`, daysAgo(290 - 10 * k), {
          followers: Math.round(100_000 * Math.exp(0.05 * Math.sin(k * (1 + n / 7)))),
        }),
      ),
    );
  await program.append(
    'telegram',
    'new_one',
    ...Array.from({ length: 6 }, (_, n) => sighted('new_one', daysAgo(13 - n), { followers: 50 + n })),
  );
  await program.append(
    'telegram',
    'rarely_read',
    ...[40, 20, 0].map((days) => sighted('rarely_read', daysAgo(days), { followers: 50 + days })),
  );
  for (const [handle, ...readings] of [
    ['leap_ing', [14, 10], [9, 11], [5, 400_000], [0, 420_000]],
    ['long_ago', [98, 50], [5, 51], [4, 51], [3, 52], [2, 52], [1, 53], [0, 53]],
    ['round_ed', [15, 1_200_000], [10, 1_200_000], [5, 1_200_000], [0, 1_200_000]],
  ] as const)
    await program.append(
      'telegram',
      handle,
      ...readings.map(([days, followers]) => sighted(handle, daysAgo(days), { followers })),
    );
  await program.project();
  await computeLadders({ db: program.database.db, log: program.log });
  await program.project();
});
afterAll(() => program.close());

describe('runGrowthProjection', () => {
  it('has a number, its bands, and the share of the trend that persists', async () => {
    const { data, meta } = await call('growth-projection', {
      platform: 'telegram',
      handle: 'grow_er',
      days: 14,
    });
    expect(data).toMatchObject({ handle: 'grow_er', followers: 1_293, readings: 30, comparisons: null });
    expect(data.at).toBe(daysAgo(2 - 14));
    const [inner, outer] = data.bands;
    expect([inner.level, outer.level]).toEqual([0.5, 0.95]);
    expect([outer.low, outer.high]).toEqual([data.low, data.high]);
    expect(outer.low <= inner.low && inner.low <= data.projected && data.projected <= inner.high).toBe(true);
    expect(inner.high <= outer.high).toBe(true);
    expect(data.projected).toBeGreaterThan(1_293);
    expect(data.daily_slope).toBeCloseTo((data.projected - 1_293) / 14, 0);
    // Of the logarithm: a little more than five at the last number.
    expect(data.trend).toBeGreaterThan(5);
    expect(data.trend).toBeLessThan(6);
    expect(meta.warnings).toEqual(['population_unknown']);
  });

  it('is compared with what became of other accounts of the platform', async () => {
    const { data, meta } = await call('growth-projection', {
      platform: 'youtube',
      handle: 'crowd7',
      days: 30,
    });
    expect(data.comparisons).toBeGreaterThanOrEqual(200);
    expect(meta.warnings).toEqual([]);
    expect(data.inputs.map(({ input }: { input: string }) => input)).toEqual(['followers', 'comparisons']);
    // Followers that swing by a twentieth are within a fifth.
    expect(data.low).toBeGreaterThan(0.8 * data.followers);
    expect(data.high).toBeLessThan(1.2 * data.followers);
  });

  it('refuses less than fourteen days or four readings of history, and days out of bounds', async () => {
    const of = (handle: string, days = 30) =>
      call('growth-projection', { platform: 'telegram', handle, days });
    expect((await of('new_one')).error.details).toEqual([{ path: 'days', message: 'has 5, needs 14' }]);
    expect((await of('rarely_read')).error.details).toEqual([
      { path: 'readings', message: 'has 3, needs 4' },
    ]);
    // A reading of another time is no part of it.
    expect((await of('long_ago')).error.details).toEqual([{ path: 'days', message: 'has 5, needs 14' }]);
    // Without accounts to compare, readings tell of half their own time.
    expect((await of('grow_er', 30)).error.details).toEqual([{ path: 'days', message: 'has 58, needs 60' }]);
    for (const days of [0, 181, 1.5]) expect((await of('grow_er', days)).status).toBe(400);
    expect((await of('nobody_here')).status).toBe(404);
  });

  it('refuses bands beyond any platform’s size, and widens bands of rounded counts to their steps', async () => {
    const of = (handle: string, days: number) =>
      call('growth-projection', { platform: 'telegram', handle, days });
    const leaping = await of('leap_ing', 7);
    expect([leaping.status, leaping.error.code, leaping.error.details[0].path]).toEqual([
      422,
      'insufficient_data',
      'bands',
    ]);
    const { data, meta } = await of('round_ed', 7);
    expect([data.low < 1_150_000, data.high > 1_250_000]).toEqual([true, true]);
    expect(meta.warnings).toEqual(['counts_rounded', 'population_unknown']);
    // The first reading of those that it was taken from.
    expect(data.inputs[0]).toMatchObject({ input: 'followers', observed_at: daysAgo(15) });
  });
});
