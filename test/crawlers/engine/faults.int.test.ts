import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FAULT_KINDS, type FaultKind, supports } from '../../../infra/simulator/faults.ts';
import { truthOf } from '../../../infra/simulator/ground-truth.ts';
import { PLATFORMS, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import type { UnknownReason } from '../../../src/crawlers/platforms/adapter.ts';
import { createTestCrawl, NOW, type TestCrawl } from '../../support/crawl.ts';
import { until } from '../../support/wait.ts';

const REASONS: Readonly<Record<FaultKind, UnknownReason>> = {
  rate_limited: 'rate_limited',
  server_error: 'http_error',
  timeout: 'timeout',
  slow_drip: 'timeout',
  login_wall: 'login_wall',
  challenge: 'challenge',
  truncated: 'http_error',
  cut_short: 'layout_changed',
  layout_changed: 'layout_changed',
  oversized: 'too_large',
  gzip_bomb: 'too_large',
  redirect_away: 'http_error',
  empty: 'layout_changed',
  script_only: 'layout_changed',
};

/** YouTube's wall is the page that asks for consent. */
const reasonOf = (platform: Platform, kind: FaultKind): UnknownReason =>
  platform === 'youtube' && kind === 'login_wall' ? 'challenge' : REASONS[kind];

/** How many accounts of each platform are read again and again. */
const WATCHED = 4;
const CONCLUSIVE = ['present', 'private'] as const;

let crawl: TestCrawl;
let withConnectionErrors: ReadonlyMap<Platform, readonly string[]>;

beforeAll(async () => {
  // Long enough for an honest answer on a machine that is busy with other things.
  const limits = { headersMs: 5_000, bodyMs: 20_000, maxBytes: 2 << 20, retries: 0 };
  crawl = await createTestCrawl({ size: 40, limits, retryMs: 100 });
  const { world } = crawl.simulator;
  withConnectionErrors = new Map(
    PLATFORMS.map((platform) => {
      const there = Array.from({ length: 40 }, (_, index) => truthOf(world, platform, index, NOW)).filter(
        (truth) => truth.visible[0]?.status === 'present',
      );
      return [platform, there.slice(0, WATCHED).map(({ handle }) => handle)];
    }),
  );
  await crawl.seed(8);
  crawl.run();
  await crawl.settled();
});
afterAll(() => crawl.close());
beforeEach(() => crawl.simulator.faults.clear());

/** Waits until every platform has outcomes, of readings since a position, that satisfy. */
const outcomes = async (
  what: string,
  since: bigint,
  platforms: readonly Platform[],
  enough: (kinds: readonly string[]) => boolean,
) => {
  let seen: Awaited<ReturnType<TestCrawl['outcomesSince']>> = new Map();
  await until(what, async () => {
    seen = await crawl.outcomesSince(since);
    return platforms.every((platform) => enough(Object.keys(seen.get(platform) ?? {})));
  });
  return seen;
};

const unavailable = async (since: bigint): Promise<readonly string[]> => {
  const streams: string[] = [];
  for await (const page of crawl.program.log.readAll(since, { types: ['AccountUnavailable'] }))
    streams.push(...page.events.map(({ stream }) => stream));
  return streams;
};

/** One of each reason; `npm run test:faults` has all of them. */
const EXAMPLES: readonly FaultKind[] = [
  'rate_limited',
  'server_error',
  'timeout',
  'login_wall',
  'challenge',
  'layout_changed',
  'oversized',
];

describe.for(FAULT_KINDS)('%s', (kind) => {
  const tags = EXAMPLES.includes(kind) ? [] : ['long'];
  it('is inconclusive for every account, and crawling resumes when it is over', { tags }, async () => {
    const struck = PLATFORMS.filter((platform) => supports(platform, kind));
    for (const platform of PLATFORMS) await crawl.makeDue(platform, []);
    await crawl.outcomesSince(0n);
    const before = await crawl.program.log.head();
    for (const platform of struck) crawl.simulator.faults.set(platform, kind, { retryAfterS: 0 });
    for (const platform of struck) await crawl.makeDue(platform, withConnectionErrors.get(platform) ?? []);
    const found = await outcomes(`readings under ${kind} came`, before, struck, (kinds) => kinds.length > 0);
    const failed = struck.filter((platform) => {
      const expected = `unknown:${reasonOf(platform, kind)}`;
      // A busy machine may take longer for an honest answer than the limit; that says nothing about the fault.
      const kinds = Object.keys(found.get(platform) ?? {}).filter(
        (each) => each === expected || each !== 'unknown:timeout',
      );
      // Half a page may still hold all that is looked for, and calls need no script.
      const isPartial = kind === 'cut_short' || kind === 'script_only';
      const unknown = isPartial ? kinds.filter((each) => each !== 'present') : kinds;
      if (unknown.length > 0) expect(unknown, platform).toEqual([expected]);
      return unknown.length > 0;
    });
    // The accounts of two platforms are shown by pages alone.
    expect(failed.length).toBeGreaterThan(kind === 'script_only' ? 1 : 2);

    const cleared = await crawl.program.log.head();
    crawl.simulator.faults.clear();
    await outcomes(`${kind} was over and accounts were seen again`, cleared, failed, (kinds) =>
      kinds.some((each) => CONCLUSIVE.some((one) => one === each)),
    );
    expect(await unavailable(before)).toEqual([]);
  });
});

describe('an engine that its platform limits', () => {
  it('says so once, and once when it is over', async () => {
    const engineEvents = async (since: bigint) => {
      const types: string[] = [];
      const filter = { types: ['EngineDegraded', 'EngineRecovered'], streamPrefixes: ['engine-telegram'] };
      for await (const page of crawl.program.log.readAll(since, filter))
        types.push(...page.events.map(({ type }) => type));
      return types;
    };
    const alarms = (types: readonly string[]) =>
      types.reduce((sum, type) => sum + (type === 'EngineDegraded' ? 1 : -1), 0);
    await crawl.makeDue('telegram', []);
    // The fault before this one may have left an alarm, which ends a moment after the reading that ends it.
    await until('what was before is over', async () => alarms(await engineEvents(0n)) === 0);
    const before = await crawl.program.log.head();
    crawl.simulator.faults.set('telegram', 'rate_limited', { retryAfterS: 0 });
    await crawl.makeDue('telegram', withConnectionErrors.get('telegram') ?? []);
    // Limited requests are not enough: a reading whose first one is limited may succeed on another surface.
    await until('it said so', async () => (await engineEvents(before)).includes('EngineDegraded'));
    crawl.simulator.faults.clear();
    await until('it recovered', async () => (await engineEvents(before)).includes('EngineRecovered'));
    expect(await engineEvents(before)).toEqual(['EngineDegraded', 'EngineRecovered']);
  });
});
