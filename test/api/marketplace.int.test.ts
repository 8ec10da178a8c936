import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listListings } from '../../src/read/marketplace/listings.ts';
import type { ListingObservation } from '../../src/write/marketplace/listing.ts';
import { marketDay, offered, placed, plainRecorder } from '../support/market.ts';
import { itemsOf } from '../support/pages.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const sold = (n: number): Partial<ListingObservation> => ({
  status: 'sold',
  soldAt: marketDay(n),
  soldPrice: n * 1_000_000,
});

/** What is offered, has been sold, and was withdrawn. */
const OFFERS: readonly ListingObservation[] = [
  ...Array.from({ length: 30 }, (_, n) => {
    const seller = { id: `s${n % 3}`, name: `Seller ${n % 3}` };
    return offered(`a${n}`, n, {
      price: (n + 1) * 10_000_000,
      details: { seller, followers: 1_000 * (n + 10) },
    });
  }),
  ...Array.from({ length: 12 }, (_, n) =>
    offered(`b${n}`, 30, {
      platform: 'tiktok',
      ...sold(n + 1),
      details: { seller: { id: 's0', name: 'Seller 0' }, followers: 20_000 },
    }),
  ),
  offered('hidden', 29, { price: null, details: { handle: null, followers: null, seller: null } }),
  offered('gone', 3, { status: 'withdrawn' }),
];

let program: TestProgram;
let key: string;
let free: string;
beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  free = await program.issueKey(undefined, { holder: 'free', plan: 'free' });
  await plainRecorder(program.log).record([
    ...OFFERS,
    ...Array.from({ length: 11 }, (_, n) => placed(`p${n}`, 1, { platform: 'youtube', price: 20_000_000 })),
  ]);
  await program.append('x', 'a3', sighted('a3', marketDay(20), { followers: 777, verified: true }));
  await program.project();
});
afterAll(() => program.close());

const get = (path: string, using = key) => program.get(`/v2/marketplace/${path}`, using);

/** All pages of a list, joined. */
const all = async (path: string): Promise<readonly Record<string, unknown>[]> => {
  const found: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const { body, status } = await get(`${path}&limit=7${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    found.push(...body.data);
    cursor = body.meta.next_cursor;
  } while (cursor !== null);
  return found;
};

describe('listListings', () => {
  it('lists active listings, last changed first, as any plan allows', async () => {
    for (const path of ['listings/market.example:a3', 'stats', 'sellers', 'pricing'])
      expect((await get(path, free)).status).toBe(200);
    const { status, body } = await get('listings?limit=3', free);
    expect(status).toBe(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      'market.example:hidden',
      'market.example:a29',
      'market.example:a28',
    ]);
    expect(body.data[0]).toMatchObject({
      handle: null,
      price_usd: null,
      seller: null,
      verified_metrics: null,
    });
    expect(body.data[1]).toMatchObject({
      price_usd: '300.00',
      price_per_1k_followers: '7.692308',
      seller: { id: 'market.example:s2', name: 'Seller 2' },
      status: 'active',
    });
    expect(body.meta).toMatchObject({ source: 'catalog' });
    expect(body.meta.cache_age_s).toBeGreaterThan(0);
  });

  it('shows the catalog’s own reading of an account where there is one', async () => {
    const { body } = await get('listings/market.example:a3');
    expect(body.data.followers).toBe(13_000);
    expect(body.data.verified_metrics).toMatchObject({
      handle: 'a3',
      followers: 777,
      verified: true,
      status: 'active',
      observed_at: marketDay(20),
    });
    expect(body.data.verified_metrics.stale_s).toBeGreaterThan(0);
  });

  it('dates active listings by the last sweep of their source, others by their last change', async () => {
    const ageOf = async (id: string) =>
      Math.round((await get(`listings/market.example:${id}`)).body.meta.cache_age_s / 86_400);
    const [active, sold] = [await ageOf('a5'), await ageOf('b5')];
    await plainRecorder(program.log).swept('market.example', marketDay(40));
    await program.project();
    expect(await ageOf('a5')).toBe(active - 35);
    expect(await ageOf('b5')).toBe(sold);
    const { body } = await get('listings?sort=price&limit=3');
    expect(Math.round(body.meta.cache_age_s / 86_400)).toBe(active - 35);
    expect(body.data[0].updated_at).toBe(marketDay(0));
    for (const path of ['stats', 'pricing', 'sellers?sort=active']) {
      const market = await get(path);
      expect([path, Math.round(market.body.meta.cache_age_s / 86_400)]).toEqual([path, active - 35]);
    }
  });

  it('dates listings by their account’s metrics where these are older', async () => {
    const { body } = await get('listings/market.example:a3');
    expect(body.meta.cache_age_s).toBeGreaterThanOrEqual(body.data.verified_metrics.stale_s);
    expect(Date.parse(body.meta.generated_at) - body.meta.cache_age_s * 1_000).toBeLessThan(
      Date.parse(marketDay(20)) + 1_000,
    );
  });

  it.each([
    ['recent', 'updated_at', -1],
    ['price', 'price_usd', 1],
    ['price_desc', 'price_usd', -1],
    ['price_per_1k_followers', 'price_per_1k_followers', 1],
    ['followers', 'followers', -1],
  ] as const)(
    'is complete and ordered by %s over all pages, unknown values last',
    async (sort, field, sign) => {
      const found = await all(`listings?sort=${sort}`);
      expect(new Set(found.map(({ id }) => id)).size).toBe(31);
      expect(found).toHaveLength(31);
      const values = found.map((each) =>
        field === 'updated_at' ? Date.parse(String(each[field])) : each[field],
      );
      if (field !== 'updated_at') expect(values.at(-1)).toBeNull();
      const known = values.filter((value) => value !== null).map(Number);
      expect(known).toEqual(known.toSorted((a, b) => sign * (a - b)));
    },
  );

  const isActive = ({ status }: ListingObservation) => status === 'active';
  const isBetween = (value: number | null, least: number, most: number) =>
    value !== null && value >= least && value <= most;
  const dollarsBetween = (least: number, most: number) => (offer: ListingObservation) =>
    isActive(offer) && isBetween(offer.price, least * 1_000_000, most * 1_000_000);
  const followersBetween = (least: number, most: number) => (offer: ListingObservation) =>
    isActive(offer) && isBetween(offer.details.followers, least, most);

  it.each<[string, number, (offer: ListingObservation) => boolean]>([
    ['platform=tiktok', 0, (offer) => isActive(offer) && offer.platform === 'tiktok'],
    ['platform=x', 31, (offer) => isActive(offer) && offer.platform === 'x'],
    ['platform=tiktok&status=sold', 12, ({ platform, status }) => platform === 'tiktok' && status === 'sold'],
    ['status=withdrawn', 1, ({ status }) => status === 'withdrawn'],
    ['seller=market.example:s1', 10, (offer) => isActive(offer) && offer.details.seller?.id === 's1'],
    ['min_price_usd=100&max_price_usd=200.00', 11, dollarsBetween(100, 200)],
    ['min_price_usd=100&max_price_usd=200&sort=price', 11, dollarsBetween(100, 200)],
    ['min_price_usd=0&sort=price', 30, dollarsBetween(0, 1_000)],
    ['max_price_usd=200&sort=price_desc', 20, dollarsBetween(0, 200)],
    ['min_followers=20000', 20, followersBetween(20_000, 1_000_000)],
    ['max_followers=20000&sort=followers', 11, followersBetween(0, 20_000)],
    ['min_followers=0&max_followers=9007199254740991', 30, followersBetween(0, 1_000_000)],
    ['seller=nobody', 0, () => false],
  ])('is filtered by %s', async (query, count, isWanted) => {
    const wanted = OFFERS.filter(isWanted).map(({ native }) => `market.example:${native}`);
    expect(wanted).toHaveLength(count);
    const found = await all(`listings?${query}`);
    expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  });

  it('is complete where a filter ends pages early', async () => {
    const filters = { status: 'active' as const, maxPrice: 50_000_000 };
    const found = await itemsOf((after) =>
      listListings(program.services.queuedReads.of('t', 100), program.builds, filters, 'recent', 3, after, 4),
    );
    expect(found.map(({ id }) => id)).toEqual(
      ['a4', 'a3', 'a2', 'a1', 'a0'].map((id) => `market.example:${id}`),
    );
  });

  it('finds a listing by its ID in any status with getListing', async () => {
    expect((await get('listings/market.example:gone')).body.data).toMatchObject({ status: 'withdrawn' });
    expect((await get('listings/market.example:b3')).body.data).toMatchObject({
      sold_price_usd: '4.00',
      sold_at: marketDay(4),
    });
    const missing = await get('listings/market.example:none');
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it.each([
    'platform=myspace',
    'platform=X',
    'status=any',
    'sort=cheapest',
    'min_price_usd=-1',
    'min_price_usd=1e300',
    'min_price_usd=NaN',
    'max_price_usd=99999999999',
    'max_price_usd=0.12345678901234567',
    'min_price_usd=1,000',
    'min_price_usd=',
    'min_followers=1.5',
    `min_followers=${'9'.repeat(400)}`,
    `seller=${'x'.repeat(401)}`,
    'seller=%00',
    'min_price_usd=10&max_price_usd=9.99',
    'min_followers=10&max_followers=9',
    'limit=0',
    'limit=1001',
    'price=5',
    'platform=x&platform=tiktok',
    "seller=a'&sort=price';drop table listings",
  ])('answers 400 with details for %s', async (query) => {
    const { status, body, headers } = await get(`listings?${query}`);
    expect(status).toBe(400);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.details.length).toBeGreaterThan(0);
  });

  it('refuses an ID that is too long, and a key without the scope', async () => {
    expect((await get(`listings/${'x'.repeat(401)}`)).status).toBe(400);
    const other = await program.issueKey(['accounts:read'], { holder: 'free' });
    for (const path of ['listings', 'listings/a:b', 'stats', 'sellers', 'pricing'])
      expect((await get(path, other)).body.error?.code).toBe('scope_missing');
  });
});

describe('the market', () => {
  it('getMarketplaceStats has statistics by platform, null where nothing is known and 0 where it is measured', async () => {
    const { body } = await get('stats');
    expect(body.data).toMatchObject({ active: 31, sold: 12, withdrawn: 1, sellers: 3, placements: 11 });
    const of = (platform: string) =>
      body.data.platforms.find((each: { platform: string }) => each.platform === platform);
    expect(of('x')).toMatchObject({
      active: 31,
      sold: 0,
      withdrawn: 1,
      volume_usd: '0.00',
      median_time_to_sell_s: null,
    });
    expect(of('x').sold_usd).toEqual({ n: 0, p25: null, p50: null, p75: null });
    expect(Number(of('x').asking_usd.p50)).toBeGreaterThan(145);
    expect(Number(of('x').asking_usd.p50)).toBeLessThan(165);
    expect(of('tiktok')).toMatchObject({ active: 0, sold: 12, volume_usd: '78.00' });
    expect(of('tiktok').median_time_to_sell_s / 86_400).toBeCloseTo(6, 0);
    expect(of('tiktok').asking_usd).toEqual({ n: 0, p25: null, p50: null, p75: null });
    expect(Number(of('youtube').cpm_usd.p50)).toBeCloseTo(5, 1);
    expect(body.meta.cache_age_s).toBeGreaterThan(0);
  });

  it('listSellers has sellers by each order, over pages', async () => {
    const sold = await all('sellers?sort=sold');
    expect(sold[0]).toMatchObject({
      id: 'market.example:s0',
      name: 'Seller 0',
      active: 10,
      sold: 12,
      priced_sales: 12,
      volume_usd: '78.00',
    });
    expect(sold[1]).toMatchObject({ sold: 0, volume_usd: '0.00', median_time_to_sell_s: null });
    expect(sold).toHaveLength(3);
    for (const sort of ['active', 'volume']) {
      const { body } = await get(`sellers?sort=${sort}&limit=1`);
      const next = await get(`sellers?sort=${sort}&limit=2&cursor=${body.meta.next_cursor}`);
      expect(new Set([...body.data, ...next.body.data].map(({ id }) => id)).size).toBe(3);
    }
    expect((await get('sellers?sort=name')).status).toBe(400);
  });

  it('getMarketplacePricing has prices a thousand followers by band, asking and paid apart, none of too few values', async () => {
    const { body } = await get('pricing');
    const bands = body.data.bands as readonly Record<string, Record<string, unknown>>[];
    const tiktok = bands.find(({ platform }) => (platform as unknown) === 'tiktok');
    expect(tiktok).toMatchObject({ min_followers: 10_000, max_followers: 49_999 });
    expect(tiktok?.asking_per_1k_usd).toEqual({ n: 0, p25: null, p50: null, p75: null });
    expect(tiktok?.sold_per_1k_usd?.n).toBe(12);
    expect(Number(tiktok?.sold_per_1k_usd?.p50)).toBeCloseTo(0.3, 1);
    const one = await get('pricing?platform=x');
    expect(one.body.data.bands.every(({ platform }: { platform: string }) => platform === 'x')).toBe(true);
    expect((await get('pricing?platform=linkedin')).body.data).toEqual({ bands: [] });
    expect((await get('pricing?platform=nowhere')).status).toBe(400);
  });
});

it('is as old as the source confirmed longest ago', async () => {
  const ageOf = async (path: string) => {
    const { meta } = (await get(path)).body;
    return Math.round(
      (Date.parse(meta.generated_at) - meta.cache_age_s * 1_000 - Date.parse(marketDay(0))) / 86_400_000,
    );
  };
  await plainRecorder(program.log).record([
    offered('z1', 33, { source: 'other.example', platform: 'bluesky' }),
  ]);
  await program.project();
  // Without a sweep nothing confirms the listings of a source: they are at least as old as any on sale.
  expect(await ageOf('stats')).toBe(0);
  await plainRecorder(program.log).swept('other.example', marketDay(34));
  await program.project();
  expect(await ageOf('stats')).toBe(34);
  expect(await ageOf('pricing')).toBe(34);
  await plainRecorder(program.log).record([
    offered('z1', 35, { source: 'other.example', platform: 'bluesky', status: 'withdrawn' }),
  ]);
  await program.project();
  expect(await ageOf('stats')).toBe(40);
});
