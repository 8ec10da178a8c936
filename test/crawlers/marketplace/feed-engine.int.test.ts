import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../infra/simulator/server.ts';
import { createSimClock, type SimClock } from '../../../infra/simulator/world/clock.ts';
import { parseParameters } from '../../../infra/simulator/world/parameters.ts';
import type { Controls, EngineControl } from '../../../src/crawlers/engine/controls.ts';
import { createHttpClient } from '../../../src/crawlers/http/http-client.ts';
import { FetchError, type Transport } from '../../../src/crawlers/http/port.ts';
import { FeedEngine } from '../../../src/crawlers/marketplace/feed-engine.ts';
import { type FeedCaps, loadPosition } from '../../../src/crawlers/marketplace/feed-store.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { listings } from '../../../src/projections/views/listings/projection.ts';
import { createMarketStates } from '../../../src/read/marketplace/market-states.ts';
import { engineReportStream, engineStream } from '../../../src/write/engines.ts';
import { createMarketRecorder } from '../../../src/write/marketplace/listing.ts';
import { alwaysAvailable } from '../../support/availability.ts';
import { uncontrolled } from '../../support/controls.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const START = Date.UTC(2026, 9, 1);
const HOUR = 3_600_000;
const SOURCE = 'market.example';
const URL_OF_FEED = 'https://market.example/api/v1/listings';

let program: TestProgram;
let clock: { at: number; now(): number };
beforeEach(async () => {
  program = await createTestProgram({ known: [listings] });
  clock = { at: START, now: () => clock.at };
  return () => program.close();
});

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

/** A feed that answers as a test says, and the URLs it was asked. */
const feedOf = (answer: (url: URL) => Answer | FetchError) => {
  const asked: URL[] = [];
  const http: Transport<'marketplace'> = {
    fetch: async ({ url }) => {
      const address = new URL(url);
      asked.push(address);
      const given = answer(address);
      if (given instanceof FetchError) throw given;
      const { status = 200, headers = {}, body = '' } = given;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { url, status, headers, body: text, bytes: text.length };
    },
    close: async () => undefined,
  };
  return { http, asked };
};

const engineOf = (
  http: Transport<'marketplace'>,
  more: { url?: string; source?: string; caps?: FeedCaps; controls?: Controls } = {},
): FeedEngine =>
  new FeedEngine({
    url: URL_OF_FEED,
    source: SOURCE,
    worker: 'test',
    http,
    db: program.database.db,
    schema: () => program.builds.schema('listings'),
    recorder: createMarketRecorder(
      program.log,
      createMarketStates(program.database.db, program.builds, silentLogger),
      clock,
    ),
    log: program.log,
    availability: alwaysAvailable,
    ...uncontrolled,
    clock,
    random: seededRandom(1),
    logger: silentLogger,
    ratePerS: 1_000,
    retryMs: 1_000,
    intervals: { pollMs: 60_000, sweepMs: HOUR },
    caps: { pages: 1_000, listings: 100_000 },
    ...more,
  });

const never = new AbortController().signal;

/** Reads pages until none is due, a second a page; at most so many. @returns how many steps that took. */
const readAll = async (engine: FeedEngine, most = 500): Promise<number> => {
  for (let steps = 1; steps <= most; steps++) {
    clock.at += 1_000;
    if ((await engine.step(never)) === 1_000) {
      await program.project();
      return steps;
    }
  }
  throw new Error(`pages were still due after ${most}`);
};

const listing = (n: number, more: object = {}) => ({
  id: `l${n}`,
  platform: 'x',
  handle: `account${n}`,
  price_usd: 100,
  followers: 1_000,
  status: 'open',
  ...more,
});
const many = (n: number) => Array.from({ length: n }, (_, i) => listing(i));

/** A feed of these listings, ten a page. */
const paged = (all: () => readonly object[]) =>
  feedOf((url) => {
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const rest = all();
    const next = from + 10 < rest.length ? String(from + 10) : null;
    return { body: { listings: rest.slice(from, from + 10), next_cursor: next } };
  });

const byStatus = async (): Promise<Record<string, number>> => {
  const { rows } = await program.database.db.query<{ status: string; n: number }>(
    `select status, count(*)::int as n from ${program.builds.schema('listings')}.listings group by 1`,
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

const alarms = async (): Promise<readonly string[]> =>
  (await program.log.readStream(engineStream('marketplace'))).map(({ type, data }) =>
    `${type} ${(data as { reason?: string }).reason ?? ''}`.trim(),
  );

describe('a feed without end', () => {
  const endless = () =>
    feedOf((url) => {
      const from = Number(url.searchParams.get('cursor') ?? 0);
      const page = Array.from({ length: 10 }, (_, i) => listing(from + i));
      return { body: { listings: page, next_cursor: String(from + 10) } };
    });

  it('is read up to the source’s page limit, stored, and reported', async () => {
    const { http, asked } = endless();
    await readAll(engineOf(http, { caps: { pages: 3, listings: 1_000 } }));
    expect(asked).toHaveLength(3);
    expect(await byStatus()).toEqual({ active: 30 });
    expect(await alarms()).toEqual(['EngineDegraded feed_too_large']);
  });

  it('is read up to the source’s listing limit, also by a process that takes over', async () => {
    const { http, asked } = endless();
    const caps = { pages: 1_000, listings: 40 };
    const first = engineOf(http, { caps });
    clock.at += 1_000;
    await first.step(never);
    await readAll(engineOf(http, { caps }));
    expect(asked).toHaveLength(4);
    expect(await alarms()).toEqual(['EngineDegraded feed_too_large']);
  });

  it('withdraws nothing that the part read lacks', async () => {
    const whole = paged(() => many(35));
    const engine = engineOf(whole.http);
    await readAll(engine);
    clock.at += HOUR;
    await readAll(engineOf(whole.http, { caps: { pages: 2, listings: 1_000 } }));
    expect(await byStatus()).toEqual({ active: 35 });
  });
});

describe('the crawler of a feed', () => {
  it('reads no page while paused by an operator, and pages at the operator’s rate', async () => {
    const feed = paged(() => many(15));
    let control: EngineControl = { paused: true, ratePerS: null };
    const engine = engineOf(feed.http, { controls: { engine: async () => control } });
    expect(await engine.step(never)).toBe(1_000);
    expect(feed.asked).toEqual([]);
    control = { paused: false, ratePerS: 4 };
    expect(await engine.step(never)).toBe(250);
    expect(feed.asked.length).toBe(1);
  });

  it('sweeps, then reads changes only, and withdraws what a whole sweep lacks', async () => {
    let offers: readonly object[] = many(35);
    const { http, asked } = paged(() => offers);
    const engine = engineOf(http);
    await readAll(engine);
    expect(asked).toHaveLength(4);
    expect(await byStatus()).toEqual({ active: 35 });
    const head = await program.log.head();

    offers = many(30);
    clock.at += 60_000;
    await readAll(engine);
    expect(asked.at(-1)?.searchParams.get('updated_since')).not.toBeNull();
    // The reading of changes does not prove that five have left.
    expect(await program.log.head()).toBe(head);

    clock.at += HOUR;
    await readAll(engine);
    expect(asked.at(-1)?.searchParams.get('updated_since')).toBeNull();
    expect(await byStatus()).toEqual({ active: 30, withdrawn: 5 });
    expect(await alarms()).toEqual([]);
  });

  it('resumes at the next page after its process ended, and withdraws nothing', async () => {
    const { http, asked } = paged(() => many(45));
    const first = engineOf(http);
    clock.at += 1_000;
    await first.step(never);
    await first.step(never);
    expect(asked.map((url) => url.searchParams.get('cursor'))).toEqual([null, '10']);
    await readAll(engineOf(http));
    expect(asked.map((url) => url.searchParams.get('cursor'))).toEqual([null, '10', '20', '30', '40']);
    expect(await byStatus()).toEqual({ active: 45 });
  });

  it('takes the first version of a listing that a sweep shows on many pages', async () => {
    const { http } = feedOf((url) => {
      const page = Number(url.searchParams.get('cursor') ?? 0);
      const shown = [listing(0, { price_usd: 100 + page }), listing(page + 1)];
      return { body: { listings: shown, next_cursor: page < 5 ? page + 1 : null } };
    });
    await readAll(engineOf(http));
    const stream = await program.log.readStream(`listing-${SOURCE}:l0`);
    expect(stream.map(({ type }) => type)).toEqual(['ListingPublished']);
  });

  it('does not move a position that another process has moved', async () => {
    const { db } = program.database;
    const { http, asked } = paged(() => many(25));
    const slow = engineOf({
      ...http,
      fetch: async (request) => {
        const page = await http.fetch(request);
        // It has lost the lease meanwhile, and does not know.
        await engineOf(http).step(never);
        await engineOf(http).step(never);
        return page;
      },
    });
    await slow.step(never);
    expect((await loadPosition(db, SOURCE)).reading).toMatchObject({ cursor: '20', pages: 2 });
    await readAll(engineOf(http));
    expect(asked.map((url) => url.searchParams.get('cursor'))).toEqual([null, null, '10', '20']);
    expect(await byStatus()).toEqual({ active: 25 });
  });

  it('repeats a page that could not be stored, after a pause, without duplicates', async () => {
    const { http, asked } = paged(() => many(15));
    const { db } = program.database;
    const engine = engineOf(http);
    await engine.step(never);
    await db.query('alter table crawl.feed_listings rename to gone');
    for (let failures = 0; failures < 3; failures++) await engine.step(never);
    expect(await alarms()).toEqual(['EngineDegraded page_not_stored']);
    await engine.step(never);
    expect(asked.map((url) => url.searchParams.get('cursor'))).toEqual([null, '10', '10', '10']);
    await db.query('alter table crawl.gone rename to feed_listings');
    clock.at += 2_000;
    await readAll(engine);
    expect(asked.slice(4).map((url) => url.searchParams.get('cursor'))).toEqual(['10']);
    expect(await alarms()).toEqual(['EngineDegraded page_not_stored', 'EngineRecovered']);
    // The listings, the sweep, and both alarms.
    expect(await program.log.head()).toBe(18n);
  });

  it('pauses and raises an alarm even if the database takes no writes', async () => {
    const { http, asked } = paged(() => many(15));
    const { db } = program.database;
    const engine = engineOf(http);
    await engine.step(never);
    await db.query(`
      create function crawl.refuse() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
      create trigger refuse before insert or update on crawl.feeds execute function crawl.refuse();
      create trigger refuse before insert on crawl.feed_listings execute function crawl.refuse()`);
    for (let failures = 0; failures < 6; failures++) await engine.step(never).catch(() => undefined);
    expect(asked).toHaveLength(4);
    expect(await alarms()).toEqual(['EngineDegraded page_not_stored']);
  });

  it('does not withdraw a market whose feed ends early, and raises an alarm until it is whole', async () => {
    let offers: readonly object[] = many(100);
    const { http } = paged(() => offers);
    const engine = engineOf(http);
    await readAll(engine);
    offers = many(20);
    clock.at += HOUR;
    await readAll(engine);
    expect(await byStatus()).toEqual({ active: 100 });
    expect(await alarms()).toEqual(['EngineDegraded sweep_implausible']);
    offers = many(95);
    clock.at += HOUR;
    // A page says nothing of the whole, by which a process that was started since can't judge.
    const restarted = engineOf(http);
    await restarted.step(never);
    expect(await alarms()).toEqual(['EngineDegraded sweep_implausible']);
    await readAll(restarted);
    expect(await byStatus()).toEqual({ active: 95, withdrawn: 5 });
    expect(await alarms()).toEqual(['EngineDegraded sweep_implausible', 'EngineRecovered']);
  });

  it('keeps listings whose records are refused', async () => {
    let offers: readonly object[] = many(20);
    const { http } = paged(() => offers);
    const engine = engineOf(http);
    await readAll(engine);
    offers = many(20).map((each, i) => (i < 3 ? { ...each, price_usd: -1 } : each));
    clock.at += HOUR;
    await readAll(engine);
    expect(await byStatus()).toEqual({ active: 20 });
    offers = many(18).map((each, i) => (i === 0 ? { ...each, id: null } : each));
    clock.at += HOUR;
    await readAll(engine);
    expect(await byStatus()).toEqual({ active: 20 });
  });

  it.each([
    ['itself', () => '7'],
    ['another each time, with nothing new', (n: number) => `c${n}`],
  ])('stops reading a feed whose cursor leads to %s', async (_, cursorOf) => {
    let n = 0;
    const { http, asked } = feedOf(() => ({ body: { listings: many(10), next_cursor: cursorOf(n++) } }));
    await readAll(engineOf(http), 30);
    expect(asked.length).toBeLessThan(25);
    expect(await byStatus()).toEqual({ active: 10 });
    expect(await alarms()).toEqual(['EngineDegraded feed_endless']);
  });

  it('takes one event per sweep for ten thousand records of one ID, or listings that come and go', async () => {
    let price = 0;
    const { http } = feedOf(() => ({
      body: { listings: Array.from({ length: 10_000 }, () => listing(1, { price_usd: ++price })) },
    }));
    const engine = engineOf(http);
    for (let sweep = 0; sweep < 3; sweep++) {
      await readAll(engine);
      clock.at += HOUR;
    }
    // One of the listing and one of the sweep each time.
    expect(await program.log.head()).toBe(6n);
    let here = true;
    const flapping = paged(() => (here ? [...many(20)] : many(19)));
    const other = engineOf(flapping.http, { source: 'flapping.example' });
    for (let sweep = 0; sweep < 4; sweep++) {
      await readAll(other);
      here = !here;
      clock.at += HOUR;
    }
    const stream = await program.log.readStream('listing-flapping.example:l19');
    expect(stream.map(({ type }) => type)).toEqual([
      'ListingPublished',
      'ListingWithdrawn',
      'ListingPublished',
      'ListingWithdrawn',
    ]);
  });

  it('accepts hostile text and huge prices as they are', async () => {
    const hostile = [
      listing(1, { title: `=cmd|' /C calc'!A0\u0000\u202e\ud800${'x'.repeat(2 ** 20)}` }),
      listing(2, { price_usd: 1e300 }),
      listing(3, { price_usd: -1 }),
      listing(4, { handle: "'; drop table listings; --" }),
      listing(5, { id: '\u0007' }),
      listing(6, { id: 'x'.repeat(5_000) }),
      listing(7, { followers: 1e300 }),
      listing(8, { listed_at: '9999-99-99' }),
      { ...listing(9), constructor: { prototype: 1 } },
      [[[[[]]]]],
      null,
      listing(10, { price_usd: 999_999_999.999999 }),
    ];
    const { http } = feedOf(() => ({ body: { listings: hostile, next_cursor: null } }));
    const engine = engineOf(http);
    await readAll(engine);
    expect(await byStatus()).toEqual({ active: 3 });
    await engine.report();
    const [report] = await program.log.readStream(engineReportStream('marketplace'));
    expect(report?.data).toMatchObject({
      platform: null,
      worker: 'test',
      outcomes: { read: 1 },
      requests: 1,
    });
  });

  it.each([
    ['HTML', { body: '<html>Welcome</html>' }, 'layout_changed'],
    ['an empty page', { body: '' }, 'layout_changed'],
    ['errors', { status: 503 }, 'http_error'],
    ['time-outs', new FetchError('timeout', 'the body timed out'), 'timeout'],
    ['pages of half a gigabyte', new FetchError('too_large', 'too large'), 'too_large'],
  ])('pauses, with an alarm, while the feed answers with %s, and recovers', async (_, broken, reason) => {
    let isBroken = true;
    const { http, asked } = feedOf(() =>
      isBroken ? broken : { body: { listings: many(3), next_cursor: null } },
    );
    const engine = engineOf(http);
    for (let i = 0; i < 60; i++) {
      clock.at += 1_000;
      await engine.step(never);
    }
    expect(asked.length).toBeLessThan(12);
    expect(await alarms()).toEqual([`EngineDegraded ${reason}`]);
    isBroken = false;
    clock.at += HOUR;
    await readAll(engine);
    expect(await byStatus()).toEqual({ active: 3 });
    expect(await alarms()).toEqual([`EngineDegraded ${reason}`, 'EngineRecovered']);
  });

  it('sends nothing, in any process, until the feed’s limit is over', async () => {
    let isLimited = true;
    const { http, asked } = feedOf(() =>
      isLimited
        ? { status: 429, headers: { 'retry-after': '600' } }
        : { body: { listings: many(3), next_cursor: null } },
    );
    clock.at += 1_000;
    await engineOf(http).step(never);
    isLimited = false;
    const other = engineOf(http);
    clock.at += 599_000;
    await other.step(never);
    expect(asked).toHaveLength(1);
    clock.at += 2_000;
    await readAll(other);
    expect(await byStatus()).toEqual({ active: 3 });
  });

  it('starts over when a cursor is no longer valid', async () => {
    let isExpired = false;
    const { http, asked } = feedOf((url) =>
      url.searchParams.has('cursor') && isExpired
        ? { status: 400 }
        : {
            body: {
              listings: many(20).slice(url.searchParams.has('cursor') ? 10 : 0),
              next_cursor: url.searchParams.has('cursor') ? null : 'old',
            },
          },
    );
    const engine = engineOf(http);
    clock.at += 1_000;
    await engine.step(never);
    isExpired = true;
    await engine.step(never);
    isExpired = false;
    await readAll(engine);
    expect(asked.map((url) => url.searchParams.get('cursor'))).toEqual([null, 'old', null, 'old']);
    expect(await byStatus()).toEqual({ active: 20 });
  });
});

describe('the feed of the simulated marketplace', () => {
  let simulator: Simulator;
  let simClock: SimClock;
  beforeAll(async () => {
    simClock = createSimClock({ now: START, speed: 0 });
    simulator = await startSimulator({
      seed: 7,
      size: 1_500,
      clock: simClock,
      parameters: parseParameters({ market: { listed: 0.05 } }),
    });
  });
  afterAll(() => simulator.close());

  const live = () =>
    createHttpClient<'marketplace'>({
      hostsOf: () => ['accountmarket.example'],
      userAgent: 'test',
      simulatorUrl: simulator.url,
      limits: { headersMs: 500, bodyMs: 2_000, retries: 0 },
      clock,
      random: seededRandom(1),
    });
  const options = { url: 'https://accountmarket.example/api/v1/listings', source: 'accountmarket.example' };

  it('is followed through a year, and the view equals the feed', async () => {
    const http = live();
    const engine = engineOf(http, options);
    for (const days of [0, 30, 120, 365]) {
      simClock.set({ now: START + days * 24 * HOUR });
      clock.at = START + days * 24 * HOUR;
      await readAll(engine);
    }
    const expected: Record<string, number> = {};
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const answer = await fetch(`${simulator.url}/accountmarket.example/api/v1/listings?cursor=${cursor}`);
      const body = (await answer.json()) as { listings: { status: string }[]; next_cursor: string | null };
      for (const { status } of body.listings) {
        const own = status === 'open' ? 'active' : status;
        expected[own] = (expected[own] ?? 0) + 1;
      }
      cursor = body.next_cursor;
    }
    expect(await byStatus()).toEqual(expected);
    expect(expected.sold).toBeGreaterThan(100);
    await http.close();
  });

  it.each([
    'rate_limited',
    'server_error',
    'timeout',
    'truncated',
    'cut_short',
    'layout_changed',
    'oversized',
    'gzip_bomb',
    'redirect_away',
    'empty',
  ] as const)('stops nothing if it fails by %s', async (kind) => {
    const http = live();
    const engine = engineOf(http, options);
    simulator.faults.set('marketplace', kind, { retryAfterS: 60 });
    clock.at += 1_000;
    await engine.step(never);
    expect(simulator.requests.marketplace.faults).toBeGreaterThan(0);
    expect(await program.log.head()).toBeLessThanOrEqual(1n);
    simulator.faults.clear('marketplace');
    clock.at += HOUR;
    await readAll(engine);
    expect((await byStatus()).active).toBeGreaterThan(10);
    await http.close();
  });
});
