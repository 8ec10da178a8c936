import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binOf } from '../../../../src/kernel/log-bins.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../../src/kernel/platform.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { activeBuild } from '../../../../src/projections/builds/builds.ts';
import { verify } from '../../../../src/projections/verify.ts';
import { listings } from '../../../../src/projections/views/listings/projection.ts';
import { byId } from '../../../../src/projections/views/listings/tables.ts';
import { createMarketStates } from '../../../../src/read/marketplace/market-states.ts';
import {
  decideListing,
  evolveListing,
  type ListingObservation,
  noListing,
} from '../../../../src/write/marketplace/listing.ts';
import { marketDay, offered, placed, plainRecorder } from '../../../support/market.ts';
import { createTestProgram, type TestProgram } from '../../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [listings] });
});
afterAll(() => program.close());

const schema = async (): Promise<string> =>
  (await activeBuild(program.database.db, listings.name, listings.version))?.schema ?? '';

const rows = async (sql: (schema: string) => string): Promise<readonly Record<string, unknown>[]> =>
  (await program.database.db.query(sql(await schema()))).rows;

const record = async (...observations: Parameters<ReturnType<typeof plainRecorder>['record']>[0]) => {
  await plainRecorder(program.log).record(observations);
  await program.project();
};

const verified = () =>
  verify(listings, {
    db: program.database.db,
    log: program.log,
    logger: silentLogger,
    signal: new AbortController().signal,
    max: 10,
  });

const sellerOf = async (seller: string) =>
  (await rows((s) => `select active, sold, priced, volume from ${s}.sellers where seller = '${seller}'`))[0];

describe('the view of listings', () => {
  it('keeps asking and paid prices apart, and counts a listing once, by its present state', async () => {
    await record(
      offered('a', 1),
      offered('b', 1, { price: null }),
      offered('c', 1, { details: { followers: null } }),
    );
    expect(await sellerOf('market.example:sam')).toEqual({
      active: '3',
      sold: '0',
      priced: '0',
      volume: '0',
    });
    const bins = () =>
      rows(
        (s) =>
          `select band, side, metric, bin, n from ${s}.price_counts where platform = 'x' order by 1, 2, 3`,
      );
    expect(await bins()).toEqual([
      { band: -1, side: 'asking', metric: 'price', bin: binOf(1e8), n: '1' },
      { band: 3, side: 'asking', metric: 'per_1k', bin: binOf(1e7), n: '1' },
      { band: 3, side: 'asking', metric: 'price', bin: binOf(1e8), n: '1' },
    ]);
    await record(offered('a', 4, { status: 'sold', soldAt: marketDay(3), soldPrice: 60_000_000 }));
    expect(await bins()).toEqual([
      { band: -1, side: 'asking', metric: 'price', bin: binOf(1e8), n: '1' },
      { band: 3, side: 'sold', metric: 'per_1k', bin: binOf(6e6), n: '1' },
      { band: 3, side: 'sold', metric: 'price', bin: binOf(6e7), n: '1' },
    ]);
    expect(await sellerOf('market.example:sam')).toEqual({
      active: '2',
      sold: '1',
      priced: '1',
      volume: '60000000',
    });
    expect(await rows((s) => `select scope, name, bin, n from ${s}.sale_times order by 1`)).toEqual([
      { scope: 'platform', name: 'x', bin: binOf(3 * 86_400), n: '1' },
      { scope: 'seller', name: 'market.example:sam', bin: binOf(3 * 86_400), n: '1' },
    ]);
  });

  it('drops counters and sellers that count nothing', async () => {
    await record(offered('lone', 1, { platform: 'bluesky', details: { seller: { id: 'lee', name: null } } }));
    expect(await sellerOf('market.example:lee')).toMatchObject({ active: '1' });
    await record(offered('lone', 2, { platform: 'bluesky', status: 'withdrawn' }));
    expect(await sellerOf('market.example:lee')).toBeUndefined();
    expect(await rows((s) => `select * from ${s}.price_counts where platform = 'bluesky'`)).toEqual([]);
    expect(await rows((s) => `select status, n from ${s}.totals where platform = 'bluesky'`)).toEqual([
      { status: 'withdrawn', n: '1' },
    ]);
  });

  it('adds up sales beyond the range of a column’s integers', { tags: 'long' }, async () => {
    const dear = Array.from({ length: 20_000 }, (_, i) =>
      offered(`dear${i}`, 1, {
        platform: 'linkedin',
        status: 'sold',
        soldPrice: 1e15,
        details: { seller: { id: 'rich', name: null }, handle: null },
      }),
    );
    await record(...dear);
    expect(await sellerOf('market.example:rich')).toMatchObject({
      sold: '20000',
      volume: `${20_000}${'0'.repeat(15)}`,
    });
  });

  it('gives decisions the stream’s state', async () => {
    const history: readonly ListingObservation[] = [
      offered('known', 1),
      offered('known', 2, { price: 50_000_000, details: { title: null, followers: 20_000 } }),
      offered('known', 3, { status: 'sold', soldPrice: 5 }),
    ];
    for (const [n, each] of history.entries()) {
      await record(each);
      const state = history
        .slice(0, n + 1)
        .reduce((all, one) => decideListing(all, one).reduce(evolveListing, all), noListing);
      const states = createMarketStates(program.database.db, program.builds, silentLogger);
      const found = (await states.listings(['market.example:known', 'market.example:unknown'])).get(
        'market.example:known',
      );
      expect(found?.state).toEqual(state);
      const [last] = await program.log.readStream('listing-market.example:known', {
        direction: 'backwards',
        limit: 1,
      });
      expect(found?.revision).toBe(last?.revision);
    }
    await record(placed('p', 1));
    const states = createMarketStates(program.database.db, program.builds, silentLogger);
    const [placement] = (await states.placements(['market.example/placement:p'])).values();
    const { kind: _, source: __, native: ___, ...offer } = placed('p', 1);
    expect(placement).toEqual({ state: offer, revision: 0n });
  });

  it.each(['listings', 'placements'] as const)(
    'finds %s by index with any plan, even one made for an empty table',
    async (table) => {
      const s = await schema();
      const results = (await program.database.db.query(
        `begin; truncate ${s}.${table}; explain (generic_plan, costs off) ${byId(s, table, []).text}; rollback`,
      )) as unknown as readonly { readonly rows: readonly { readonly 'QUERY PLAN': string }[] }[];
      const text = results[2]?.rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).toMatch(/Index (?:Only )?Scan/);
      expect(text).not.toMatch(/Seq Scan/);
    },
  );

  it('equals a rebuild after random histories, in pages of any size', { tags: 'long' }, async () => {
    const random = seededRandom(5);
    const pick = <T>(...from: readonly T[]): T => from[random.int(from.length)] as T;
    const platformOf = (n: number) => PLATFORMS[n % PLATFORMS.length] ?? 'x';
    for (let step = 0; step < 12; step++) {
      const batch = Array.from({ length: 60 }, () => {
        const n = random.int(40);
        if (random.int(5) === 0)
          return placed(`q${n}`, step, { price: 1_000 * (1 + random.int(3)), views: pick(null, 0, 5_000) });
        return offered(`r${n}`, step, {
          platform: platformOf(n),
          status: pick('active', 'active', 'sold', 'withdrawn'),
          price: pick(null, 1, 100_000_000, 1e15),
          soldPrice: pick(null, 70_000_000, 1e15),
          soldAt: pick(null, marketDay(step)),
          details: {
            followers: pick(null, 0, 1, 10_000, 1e15),
            seller: pick(null, { id: 'sam', name: null }, { id: 'ann', name: 'Ann' }),
          },
        });
      });
      await plainRecorder(program.log).record(batch);
      await plainRecorder(program.log).swept(`s${step % 2}.example`, marketDay(step));
      if (step % 3 !== 0) await program.project();
    }
    await program.project();
    const found = await verified();
    expect(found).toMatchObject({ different: 0, differences: [], tables: 8 });
    expect(found.equal).toBeGreaterThan(100);
  });
});
