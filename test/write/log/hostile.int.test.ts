import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import { projections } from '../../../src/projections/registry.ts';
import { verify } from '../../../src/projections/verify.ts';
import { accountStream, recordSighting } from '../../../src/write/accounts/account.ts';
import { engineReportStream, engineStream } from '../../../src/write/engines.ts';
import { type EventType, eventTypes } from '../../../src/write/event-types.ts';
import { followsStream } from '../../../src/write/follows.ts';
import { ladderStream } from '../../../src/write/insights.ts';
import { companyStream, decisionMakerStream } from '../../../src/write/leads.ts';
import { repaired } from '../../../src/write/log/event-definition.ts';
import { LogRequestRejectedError } from '../../../src/write/log/port.ts';
import { listingId, listingStream } from '../../../src/write/marketplace/listing.ts';
import { poolStream } from '../../../src/write/pools/pool.ts';
import { loadControl } from '../../../src/write/projection-control.ts';
import { researchStream } from '../../../src/write/research/research.ts';
import { handle as addressOf, page } from '../../crawlers/platforms/pages.ts';
import { PAGES, withText } from '../../crawlers/platforms/pages-of-surfaces.ts';
import { faultCount } from '../../support/faults.ts';
import { hostileData, hostileText, ODD_TEXTS, textsOf, withTextAt } from '../../support/hostile.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { allFollowed } from '../../support/rebuilt.ts';

const SEED = 20_261_122;
const RUNS = 60;
const PAGE_RUNS = faultCount(240, 8);
/** Texts of an event that are replaced by odd ones, in turn. */
const TEXTS = faultCount(1_000, 12);

let program: TestProgram;
const { signal } = new AbortController();

beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

/** The read models follow the log to its head, all at once: thousands of events are a few pages. */
const follow = async (): Promise<void> => {
  const { db, url } = program.database;
  const { log } = program;
  const stop = new AbortController();
  const running = projections.map((projection) =>
    runProjection(projection, { db, connectionString: url, log, logger: silentLogger, signal: stop.signal }),
  );
  try {
    await allFollowed(db, log, projections);
  } catch (error) {
    const { rows } = await db.query('select projection, type, stream, reason from projections.stalls');
    throw new Error(`stalled: ${JSON.stringify(rows)}`, { cause: error });
  } finally {
    stop.abort();
    await Promise.all(running);
  }
};

/** Every read model has all that the log holds, with nothing parked, stalled or other than a rebuild has it. */
const expectSound = async () => {
  const { db } = program.database;
  const { log } = program;
  await follow();
  for (const projection of projections) {
    expect([...(await loadControl(log, projection)).sequences.keys()], projection.name).toEqual([]);
    const found = await verify(projection, { db, log, logger: silentLogger, signal, max: 5 });
    expect(found.differences, projection.name).toEqual([]);
  }
  expect((await db.query('select from projections.stalls')).rows).toEqual([]);
};

const RUN = researchStream('run');
const PREFIX: Readonly<Record<string, string>> = {
  Account: accountStream('x', 'subject'),
  Posts: accountStream('x', 'subject'),
  Follows: followsStream('x', 'subject'),
  Pool: poolStream('subject'),
  Crawl: engineReportStream('x'),
  Engine: engineStream('x'),
  Research: RUN,
  PoolEvaluated: RUN,
  Finding: RUN,
  Expansion: RUN,
  Ladder: ladderStream('x'),
  Population: ladderStream('x'),
  Listing: listingStream(listingId('source', 'subject')),
  Placement: listingStream(listingId('source', 'placement')),
  Company: companyStream('subject'),
  DecisionMaker: decisionMakerStream('subject'),
  Projection: 'projection-nobody',
};

/** No two keys have one hash: a key is random. */
const withOwnHash = (data: unknown): unknown => {
  const hash = createHash('sha256').update(uuidV7(Date.now())).digest('hex');
  const names = ['key_hash', 'successor_hash'].filter((name) => name in (data as object));
  return { ...(data as object), ...Object.fromEntries(names.map((name) => [name, hash])) };
};

const streamOf = (type: string): string =>
  PREFIX[type] ?? Object.entries(PREFIX).find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'holder-subject';

it.each(Object.keys(eventTypes) as EventType[])(
  'everything that the log accepts of %s can be stored, and the rest can after repair',
  { tags: 'faults' },
  async (type) => {
    const { schema } = eventTypes[type];
    const found = fc.sample(hostileData(schema), { seed: SEED, numRuns: RUNS });
    const append = (data: unknown) =>
      program.log.append(streamOf(type), [{ id: uuidV7(Date.now()), type, data }], 'any').then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(LogRequestRejectedError);
          return false;
        },
      );
    const offered = found.flatMap((data) => {
      const fixed = repaired(schema, data);
      if (!schema.safeParse(fixed).success) return [data];
      // What fits already stays as it is; what was repaired needs no second repair.
      expect(repaired(schema, fixed)).toEqual(fixed);
      return [data, fixed];
    });
    const taken = (await Promise.all(offered.map(append))).filter((isTaken) => isTaken);
    expect(taken.length).toBeGreaterThan(1);
    // Sound but for one text: what is wrong with it is all that there is to refuse it for.
    const sound = found.map((data) => repaired(schema, data)).find((data) => schema.safeParse(data).success);
    for (const path of textsOf(sound).slice(0, TEXTS))
      await Promise.all(ODD_TEXTS.map((text) => append(withOwnHash(withTextAt(sound, path, text)))));
  },
);

it('everything that the log accepted of all these types is in the rows', { tags: 'faults' }, expectSound);

it.each([
  ['name', 'account-x:a\0b'],
  ['lone surrogate', 'account-x:\ud800'],
  ['other normal form', 'account-x:e\u0301'],
  ['control character', 'account-x:a\nb'],
  ['length', `account-x:${'a'.repeat(600)}`],
])('a stream is refused for its %s', async (_, stream) => {
  const { schema } = eventTypes.AccountUnavailable;
  const data = schema.parse({
    observed_at: '2026-11-01T00:00:00.000Z',
    source: 'live',
    surface: 'page',
    status: 'absent',
  });
  const before = await program.log.head();
  await expect(
    program.log.append(stream, [{ id: uuidV7(0), type: 'AccountUnavailable', data }], 'any'),
  ).rejects.toThrow(LogRequestRejectedError);
  expect(await program.log.head()).toBe(before);
});

it.each(PAGES)(
  '%s (%s, %s): a page with any content gives a reading that can be stored, or none',
  { tags: 'faults' },
  async (...args) => {
    const [platform, handle, surface, body] = args;
    const adapter = adapterOf(platform);
    const found = adapter.surfaces.find(({ name }) => name === surface);
    const cases = fc.sample(fc.tuple(fc.nat(60), hostileText), { seed: SEED, numRuns: PAGE_RUNS });
    let recorded = 0;
    for (const [i, [n, text]] of cases.entries()) {
      const reading = found?.parse(
        page(withText(body, n, text), { url: adapter.profileUrl(handle) }),
        addressOf(handle),
      );
      expect(reading).toBeDefined();
      if (reading === undefined || (reading.status !== 'present' && reading.status !== 'private')) continue;
      const sighting = {
        observedAt: new Date(Date.UTC(2026, 9, 1) + i * 1_000).toISOString(),
        source: 'crawler' as const,
        surface,
        found: {
          status: 'active' as const,
          profile: reading.profile,
          posts: reading.posts,
          measured: reading.measured,
        },
      };
      await recordSighting(program.log, platform, `${handle}${i % 7}`, sighting, { nowMs: Date.now() });
      recorded += 1;
    }
    expect(recorded).toBeGreaterThan(PAGE_RUNS / 8);
  },
);

it('everything that these pages said is in the rows', { tags: 'faults' }, async () => {
  await expectSound();
  expect(PLATFORMS.length).toBe(new Set(PAGES.map(([platform]) => platform)).size);
  expect(await program.log.readStream(accountStream('x', 'sample0'))).not.toEqual([]);
});
