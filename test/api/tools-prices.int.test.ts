import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import { marketDay, offered, placed, plainRecorder } from '../support/market.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';
import { type ToolCall, toolCalls } from '../support/tools.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

let program: TestProgram;
let call: ToolCall;

/** A listing that was sold for so much, of an account with so many followers. */
const soldFor = (native: string, platform: Platform, followers: number, usd: number) =>
  offered(native, 3, {
    platform,
    status: 'sold',
    soldAt: marketDay(2),
    soldPrice: Math.round(usd * 1_000_000),
    price: Math.round(usd * 1_300_000),
    details: { handle: native, followers, seller: { id: native, name: null } },
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
  program = await createTestProgram();
  call = await toolCalls(program, await program.issueKey(['tools:run']));
  const sizes = Array.from({ length: 14 }, (_, n) => 1_000 * 1.6 ** n);
  await plainRecorder(program.log).record([
    // A price in proportion to followers, a little off in turn.
    ...sizes.map((size, n) =>
      soldFor(`s${n}`, 'x', Math.round(size), size * 0.02 * (n % 2 === 0 ? 0.8 : 1.25)),
    ),
    ...sizes.slice(0, 9).map((size, n) => soldFor(`t${n}`, 'tiktok', Math.round(size), size * 0.01)),
    ...sizes.map((size, n) =>
      offered(`a${n}`, 3, {
        details: { handle: `a${n}`, followers: Math.round(size), seller: { id: `a${n}`, name: null } },
        price: Math.round(size * 30_000),
      }),
    ),
    // Prices that no follower ever cost.
    soldFor('dear', 'x', 10, 700_000_000),
    soldFor('cheap', 'x', 900_000_000, 0.01),
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
  for (let n = 0; n < 20; n++)
    await program.append(
      'telegram',
      `sell_er${n}`,
      sighted(`sell_er${n}`, daysAgo(0), { followers: 5_000 }),
      timeline(daysAgo(0), 1_000),
    );
  await program.project();
  await computeLadders({ db: program.database.db, log: program.log });
  await program.project();
});
afterAll(() => program.close());

describe('runValuation', () => {
  const ada = () => call('valuation', { platform: 'x', handle: '@ada' });

  it('is what accounts of that size were sold for, within its bounds', async () => {
    const { data, meta } = await ada();
    expect(data).toMatchObject({ handle: 'ada', followers: 10_000, currency: 'USD', level: 0.8 });
    expect(Number(data.mid)).toBeGreaterThan(140);
    expect(Number(data.mid)).toBeLessThan(280);
    expect(Number(data.low) < Number(data.mid) && Number(data.mid) < Number(data.high)).toBe(true);
    expect(meta.coverage).toEqual({ sampled: 23, total: null, capped: false });
  });

  it('separates paid from asked prices', async () => {
    const { data } = await ada();
    expect(data).toMatchObject({
      comparables_n: 14,
      sold: { n: 23, mid: data.mid, left_out: 2 },
      asking: { n: 14, left_out: 0 },
    });
    expect(Number(data.asking.mid)).toBeGreaterThan(Number(data.mid));
  });

  it('is the typical price times its factors', async () => {
    const { data } = await ada();
    const factors: readonly { factor: string; multiple: number | null }[] = data.factors;
    expect(factors.map(({ factor }) => factor)).toEqual(['followers', 'platform', 'age', 'engagement']);
    const product = factors.reduce((sum, { multiple }) => sum * (multiple ?? 1), Number(data.typical));
    expect(product / Number(data.mid)).toBeCloseTo(1, 1);
  });

  it('names its inputs with the age of each', async () => {
    const { data } = await ada();
    expect(data.inputs).toMatchObject([
      { input: 'account' },
      { input: 'comparables', observed_at: marketDay(3) },
    ]);
  });

  it('refuses fewer than ten sales of the platform, and unknown followers', async () => {
    const few = await call('valuation', { platform: 'tiktok', handle: 'tia' });
    expect([few.status, few.error.code]).toEqual([422, 'insufficient_data']);
    expect(few.error.details).toEqual([{ path: 'comparables', message: 'has 9, needs 10' }]);
    const leads = await program.issueKey(['tools:run', 'leads:read']);
    const { body: none } = await program.post(
      '/v2/tools/valuation',
      { platform: 'linkedin', handle: 'lin' },
      leads,
    );
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
  it('is the placements’ price per thousand views times the account’s median views', async () => {
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

  it('uses measured views where enough placements have them', async () => {
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
