import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import { marketDay, offered, placed, plainRecorder } from '../support/market.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

let program: TestProgram;
let key: string;
let tools: readonly Endpoint[];

// biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
type Answer = { status: number; data: any; meta: any; error: any };

const call = async (name: string, body: unknown): Promise<Answer> => {
  const { status, body: answered } = await program.post(`/v2/tools/${name}`, body, key);
  const endpoint = tools.find(({ path }) => path === `/tools/${name}`);
  if (status === 200 && endpoint !== undefined)
    expect(z.parse(endpoint.data, answered.data)).toEqual(answered.data);
  return { status, ...answered };
};

/** A listing that was sold for so much, of an account with so many followers. */
const soldFor = (native: string, platform: Platform, followers: number, usd: number) =>
  offered(native, 3, {
    platform,
    status: 'sold',
    soldAt: marketDay(2),
    soldPrice: Math.round(usd * 1_000_000),
    price: Math.round(usd * 1_300_000),
    details: { handle: native, followers },
  });

const timeline = (at: string, views: number | null) => {
  const posts = Array.from({ length: 20 }, (_, n) => ({
    id: `p${n}`,
    at: daysAgo(5 + n / 2),
    likes: 20 + n,
    replies: 0,
    reposts: 0,
    quotes: 0,
    views: views === null ? null : views + n,
  }));
  const event = posted(at, ...posts);
  if (event.type !== 'PostsSighted') throw new Error('no posts');
  return { ...event, data: { ...event.data, order: 'time' as const } };
};

beforeAll(async () => {
  tools = (await loadEndpoints()).filter(({ tool }) => tool !== undefined);
  program = await createTestProgram();
  key = await program.issueKey(['tools:run']);
  const sizes = Array.from({ length: 14 }, (_, n) => 1_000 * 1.6 ** n);
  await plainRecorder(program.log).record([
    // A price in proportion to followers, a little off in turn.
    ...sizes.map((size, n) =>
      soldFor(`s${n}`, 'x', Math.round(size), size * 0.02 * (n % 2 === 0 ? 0.8 : 1.25)),
    ),
    ...sizes.slice(0, 9).map((size, n) => soldFor(`t${n}`, 'tiktok', Math.round(size), size * 0.01)),
    ...sizes.map((size, n) =>
      offered(`a${n}`, 3, {
        details: { handle: `a${n}`, followers: Math.round(size) },
        price: Math.round(size * 30_000),
      }),
    ),
    // Without a price, and without followers: no comparables.
    offered('silent', 3, { status: 'sold', soldAt: marketDay(2), soldPrice: null }),
    offered('sizeless', 3, { status: 'sold', soldPrice: 9e12, details: { followers: null } }),
    ...Array.from({ length: 12 }, (_, n) =>
      placed(`pl${n}`, 1, { price: Math.round(20_000_000 * 1.1 ** (n - 6)), views: 4_000 }),
    ),
    ...Array.from({ length: 9 }, (_, n) => placed(`pt${n}`, 1, { platform: 'tiktok' })),
    // Each states twice the views that its posts have.
    ...Array.from({ length: 20 }, (_, n) =>
      placed(`sell_er${n}`, 1, { platform: 'telegram', price: 10_000_000, views: 2_000 }),
    ),
  ]);
  await program.append(
    'x',
    'ada',
    sighted('ada', daysAgo(0), { followers: 10_000, created_at: '2020-01-01T00:00:00.000Z' }),
    timeline(daysAgo(0), 2_000),
  );
  await program.append(
    'x',
    'bea',
    sighted('bea', daysAgo(0), { followers: null }),
    timeline(daysAgo(0), null),
  );
  await program.append(
    'tiktok',
    'tia',
    sighted('tia', daysAgo(0), { followers: 5_000 }),
    timeline(daysAgo(0), 10),
  );
  await program.append('x', 'empty', sighted('empty', daysAgo(0), { followers: 0 }));
  await program.append('linkedin', 'lin', sighted('lin', daysAgo(0), { followers: 700 }));
  for (let n = 0; n < 30; n++)
    await program.append(
      'telegram',
      'grow_er',
      sighted('grow_er', daysAgo(60 - 2 * n), { followers: 1_003 + 10 * n }),
    );
  for (let n = 0; n < 20; n++)
    await program.append(
      'telegram',
      `sell_er${n}`,
      sighted(`sell_er${n}`, daysAgo(0), { followers: 5_000 }),
      timeline(daysAgo(0), 1_000),
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
    ['leap_ing', [14, 10], [9, 11], [5, 400], [0, 420]],
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

describe('runValuation', () => {
  it('has what accounts were sold for apart from what is asked, and the factors that make it', async () => {
    const { data, meta } = await call('valuation', { platform: 'x', handle: '@ada' });
    expect(data).toMatchObject({ handle: 'ada', followers: 10_000, currency: 'USD', comparables_n: 14 });
    expect(Number(data.mid)).toBeGreaterThan(140);
    expect(Number(data.mid)).toBeLessThan(280);
    expect(Number(data.low) < Number(data.mid) && Number(data.mid) < Number(data.high)).toBe(true);
    expect(data.sold).toMatchObject({ n: 23, mid: data.mid });
    expect(Number(data.asking.mid)).toBeGreaterThan(Number(data.mid));
    expect(data.asking.n).toBe(14);
    const product = data.factors.reduce(
      (sum: number, { multiple }: { multiple: number | null }) => sum * (multiple ?? 1),
      Number(data.typical),
    );
    expect(product / Number(data.mid)).toBeCloseTo(1, 1);
    expect(data.factors.map(({ factor }: { factor: string }) => factor)).toEqual([
      'followers',
      'platform',
      'age',
      'engagement',
    ]);
    expect(data.confidence).toBe(0.8);
    expect(data.inputs.map(({ input }: { input: string }) => input)).toEqual(['account', 'comparables']);
    expect(data.inputs[1].observed_at).toBe(marketDay(3));
    expect(meta.coverage).toEqual({ sampled: 23, total: null, capped: false });
  });

  it('refuses fewer than ten sales of the platform, and unknown followers', async () => {
    const few = await call('valuation', { platform: 'tiktok', handle: 'tia' });
    expect([few.status, few.error.code]).toEqual([422, 'insufficient_data']);
    expect(few.error.details).toEqual([{ path: 'comparables', message: 'has 9, needs 10' }]);
    const none = await call('valuation', { platform: 'linkedin', handle: 'lin' });
    expect(none.error.details).toEqual([{ path: 'comparables', message: 'has 0, needs 10' }]);
    const sizeless = await call('valuation', { platform: 'x', handle: 'bea' });
    expect(sizeless.error.details).toEqual([{ path: 'followers', message: 'has 0, needs 1' }]);
    const empty = await call('valuation', { platform: 'x', handle: 'empty' });
    expect([empty.status, empty.error.details]).toEqual([
      422,
      [{ path: 'followers', message: 'are 0: a price takes at least one' }],
    ]);
    expect((await call('valuation', { platform: 'x', handle: 'nobody' })).status).toBe(404);
  });
});

describe('runPostPrice', () => {
  it('is what placements cost a thousand views times the median views of the account', async () => {
    const { data } = await call('post-price', { platform: 'x', handle: 'ada' });
    expect(data).toMatchObject({ placements_n: 12, measured_n: 0, basis: 'stated_views', posts_n: 20 });
    expect(data.median_views.value).toBe(2_009.5);
    // Five dollars a thousand views.
    expect(Number(data.cpm.mid)).toBeCloseTo(5, 0);
    expect(Number(data.mid)).toBeGreaterThan(8);
    expect(Number(data.mid)).toBeLessThan(12);
    expect(Number(data.low) < Number(data.mid) && Number(data.mid) < Number(data.high)).toBe(true);
    expect(data.inputs.map(({ input }: { input: string }) => input)).toEqual([
      'account',
      'posts',
      'placements',
      'population',
    ]);
    expect(data.inputs[2].observed_at).toBe(marketDay(1));
  });

  it('is of measured views where placements of accounts with measured views are enough', async () => {
    const { data } = await call('post-price', { platform: 'telegram', handle: 'sell_er3' });
    expect(data).toMatchObject({ placements_n: 20, measured_n: 20, basis: 'measured_views' });
    // Five dollars a thousand views as stated are ten as measured.
    expect(Number(data.cpm.mid)).toBeGreaterThan(9.5);
    expect(Number(data.cpm.mid)).toBeLessThan(10.5);
  });

  it('refuses fewer than ten placements, and posts without views', async () => {
    const few = await call('post-price', { platform: 'tiktok', handle: 'tia' });
    expect([few.status, few.error.details]).toEqual([
      422,
      [{ path: 'placements', message: 'has 9, needs 10' }],
    ]);
    const blind = await call('post-price', { platform: 'x', handle: 'bea' });
    expect([blind.status, blind.error.details]).toEqual([
      422,
      [{ path: 'views', message: 'has 0, needs 8' }],
    ]);
    expect((await call('post-price', { platform: 'linkedin', handle: 'lin' })).status).toBe(400);
    expect((await call('post-price', { platform: 'x', handle: 'nobody' })).status).toBe(404);
  });
});

describe('runGrowthProjection', () => {
  it('has a number, its bands, and the part of the trend that persists', async () => {
    const { data, meta } = await call('growth-projection', {
      platform: 'telegram',
      handle: 'grow_er',
      days: 30,
    });
    expect(data).toMatchObject({ handle: 'grow_er', followers: 1_293, readings: 30, comparisons: null });
    expect(data.at).toBe(daysAgo(2 - 30));
    const [inner, outer] = data.bands;
    expect([inner.level, outer.level]).toEqual([0.5, 0.95]);
    expect([outer.low, outer.high]).toEqual([data.low, data.high]);
    expect(outer.low <= inner.low && inner.low <= data.projected && data.projected <= inner.high).toBe(true);
    expect(inner.high <= outer.high).toBe(true);
    expect(data.projected).toBeGreaterThan(1_293);
    expect(data.daily_slope).toBeCloseTo((data.projected - 1_293) / 30, 0);
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

  it('refuses a history of fewer than fourteen days, of fewer than four readings, and days out of bounds', async () => {
    const of = (handle: string, days = 30) =>
      call('growth-projection', { platform: 'telegram', handle, days });
    expect((await of('new_one')).error.details).toEqual([{ path: 'days', message: 'has 5, needs 14' }]);
    expect((await of('rarely_read')).error.details).toEqual([
      { path: 'readings', message: 'has 3, needs 4' },
    ]);
    // A reading of another time is no part of it.
    expect((await of('long_ago')).error.details).toEqual([{ path: 'days', message: 'has 5, needs 14' }]);
    for (const days of [0, 181, 1.5]) expect((await of('grow_er', days)).status).toBe(400);
    expect((await of('nobody_here')).status).toBe(404);
  });

  it('refuses bands beyond what any platform has, and has those of rounded counts as wide as their steps', async () => {
    const of = (handle: string, days: number) =>
      call('growth-projection', { platform: 'telegram', handle, days });
    const leaping = await of('leap_ing', 180);
    expect([leaping.status, leaping.error.code, leaping.error.details[0].path]).toEqual([
      422,
      'insufficient_data',
      'bands',
    ]);
    const { data, meta } = await of('round_ed', 30);
    expect([data.low < 1_150_000, data.high > 1_250_000]).toEqual([true, true]);
    expect(meta.warnings).toEqual(['counts_rounded', 'population_unknown']);
    // The first reading of those that it was taken from.
    expect(data.inputs[0]).toMatchObject({ input: 'followers', observed_at: daysAgo(15) });
  });
});
