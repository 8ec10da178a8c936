import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, type Db, inTransaction } from '../../src/kernel/postgres/pool.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import type { AppliedEvent, Fold } from '../../src/projections/projection.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { people } from '../../src/projections/views/people/projection.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import { createEntryReads } from '../../src/read/directory/entry.ts';
import { createPersonReads } from '../../src/read/people/person.ts';
import { searchPeople } from '../../src/read/people/search.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { issueKeys } from '../api/fill.ts';
import { openServer } from '../support/database.ts';
import { createBuilds } from '../support/read-models.ts';
import { figure, median, percentile } from '../support/rounds.ts';
import { goalsFor, progress, type Report } from '../support/targets.ts';
import { measureCalls } from './calls.ts';
import { clique, discovered, fans, handleOf, platformOf, readings } from './workload.ts';

const BENCH = 'bench:people-rows';
const { least, most } = goalsFor(BENCH);
const BATCH = 1_000;
const CLIQUE = 10_000;
const LOOKUPS = 2_000;

/** Applies events as a writer does, a transaction a batch. */
const apply = async (db: Db, fold: Fold, events: readonly AppliedEvent[]): Promise<void> => {
  for (let from = 0; from < events.length; from += BATCH) {
    const part = events.slice(from, from + BATCH);
    await inTransaction(db, async (client) => {
      await fold.load(client, part);
      for (const event of part) fold.apply(event);
      await fold.store(client);
    });
  }
};

/** Builds rows as a rebuild does: stored whenever the buffer is full. */
const build = async (db: Db, fold: Fold, accounts: number): Promise<number> => {
  const began = performance.now();
  for (let from = 0; from < accounts; from += BATCH) {
    const part = Array.from({ length: Math.min(BATCH, accounts - from) }, (_, n) => discovered(from + n));
    if (fold.building?.isFull() === true) {
      await inTransaction(db, (client) => fold.store(client));
      progress(
        `  ${figure(from)} of ${figure(accounts)} accounts, ${Math.round((performance.now() - began) / 1_000)} s`,
      );
    }
    await fold.load(db, part);
    for (const event of part) fold.apply(event);
  }
  await inTransaction(db, (client) => fold.store(client));
  return accounts / ((performance.now() - began) / 1_000);
};

const perSecond = async (count: number, work: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await work();
  return count / ((performance.now() - began) / 1_000);
};

/** Times of one call after the other, in ms. */
const timesOf = async (count: number, call: (n: number) => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await call(n);
    times.push(performance.now() - began);
  }
  return times;
};

const QUERIES = [
  'an',
  'be',
  'anna',
  'annabc berg',
  'anna123',
  'annad',
  'berga',
  'bergaf annab',
  'zz',
  'annadd bergc',
];

const measureReads = async (
  db: Db,
  pool: ReadPool,
  schemas: ReadonlyMap<string, string>,
  accounts: number,
) => {
  const builds = {
    schema: (name: string) => schemas.get(name) as string,
    progress: () => null,
  } as unknown as Builds;
  const [persons, entries] = [createPersonReads(db, builds), createEntryReads(db, builds)];
  const random = seededRandom(5);
  const key = () => {
    const account = random.int(accounts);
    return { platform: platformOf(account), by: 'handle' as const, value: handleOf(account) };
  };
  const [lookup, entry]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    entry.push(percentile(await timesOf(LOOKUPS / 5, () => entries.find(key())), 0.95));
    lookup.push(percentile(await timesOf(LOOKUPS / 5, () => persons.ofAccount(key())), 0.95));
  }
  const search = (q: string, after: Parameters<typeof searchPeople>[4] = null) =>
    searchPeople(pool, builds, { q, with_linkedin_only: true, formerly: [] }, 25, after);
  const searches = await timesOf(QUERIES.length * 20, (n) => search(QUERIES[n % QUERIES.length] as string));
  let after: Parameters<typeof searchPeople>[4] = null;
  const pages: number[] = [];
  for (let page = 0; page < 1_000; page++) {
    const began = performance.now();
    ({ next: after } = await search('anna', after));
    pages.push(performance.now() - began);
    if (after === null) break;
  }
  return {
    lookup: median(lookup),
    entry: median(entry),
    search: percentile(searches, 0.95),
    first: median(pages.slice(1, 51)),
    last: median(pages.slice(-50)),
    depth: pages.length,
  };
};

/** Rows of people: sightings folded with many accounts, hubs and a clique; look-ups beside entries, and searches. */
export const run = async ({
  quick,
  accounts = quick ? 100_000 : 1_000_000,
}: {
  readonly quick: boolean;
  readonly accounts?: number;
}): Promise<Report> => {
  const server = await openServer();
  try {
    const { db: reading, url } = await server.migrated('bench_people_rows');
    // As projectors write: what is derived does not wait for the disk.
    const db = createPool(url, { max: 4, logger: silentLogger, name: 'bench projector', durable: false });
    const schemas = await createBuilds(db);
    const schema = schemas.get('people') as string;
    const built = await build(db, people.open(schema), accounts);
    progress(`  ${figure(built)} accounts/s built`);
    const fold = people.open(schema);
    await apply(db, fold, fans(accounts / 10));
    await db.query(
      `vacuum analyze ${schema}.accounts, ${schema}.links, ${schema}.members, ${schema}.people, ${schema}.words`,
    );
    const rates: number[] = [];
    for (let round = 0; round < 5; round++) {
      const events = readings(accounts, quick ? 10_000 : 40_000, round);
      rates.push(await perSecond(events.length, () => apply(db, fold, events)));
      progress(`  ${figure(rates.at(-1) as number)} sightings/s`);
    }
    const hostile = await perSecond(CLIQUE, () => apply(db, fold, clique(accounts, CLIQUE)));
    const { rows: merged } = await db.query<{ n: number }>(
      `select count(*)::int as n from ${schema}.people where words like '% hostile%' and jsonb_array_length(members) > 1`,
    );
    progress(`  ${figure(hostile)} accounts/s of a clique, ${merged[0]?.n} persons of several`);
    const directoryFold = directory.open(schemas.get('directory') as string);
    for (let from = 0; from < accounts; from += 20 * BATCH)
      await apply(
        db,
        directoryFold,
        Array.from({ length: Math.min(20 * BATCH, accounts - from) }, (_, n) => discovered(from + n)),
      );
    await db.query('vacuum analyze');
    await db.end();
    const pool = await openReadPool(url, 2);
    const reads = await measureReads(reading, pool, schemas, accounts);
    await pool.end();
    const [key = ''] = await issueKeys(reading, url, schemas.get('holders') as string, 1);
    const ofX = Array.from({ length: accounts }, (_, n) => n).filter((n) => platformOf(n) === 'x');
    const calls = await measureCalls(url, key, ofX.map(handleOf));
    return {
      bench: BENCH,
      table: [
        ['figure', 'value'],
        ['accounts', figure(accounts)],
        ['new accounts folded in bulk, a second', figure(built)],
        ['sightings folded, a second (one of ten changes a link)', figure(median(rates))],
        ['accounts of the clique folded, a second', figure(hostile)],
        ['persons of several accounts in the clique', String(merged[0]?.n)],
        ['entry read, p95, ms', reads.entry.toFixed(2)],
        ['person read, p95, ms', reads.lookup.toFixed(2)],
        ['search p95, ms', reads.search.toFixed(1)],
        ...calls.flatMap(({ connections, entry, lookup }) => [
          [`GET /directory/x/{handle}, ${connections} connections, p95 ms`, entry.toFixed(2)],
          [`GET /people/lookup, ${connections} connections, p95 ms`, lookup.toFixed(2)],
        ]),
        [`page ${reads.depth} of a search over page 1`, `${(reads.last / reads.first).toFixed(2)}`],
      ],
      goals: [
        least('sightings a second over 5,000', median(rates) / 5_000, 1),
        ...calls.map(({ connections, entry, lookup }) =>
          most(`look-up over directory entry, ${connections} connections, p95`, lookup / entry, 1.5),
        ),
        most('search p95 over 40 ms', reads.search / 40, 1),
        most('last page over the first', reads.last / reads.first, 1.2),
        most('persons of several accounts in a clique', merged[0]?.n ?? Number.NaN, 0),
      ],
      notes: [
        `${figure(accounts / 10)} accounts link to one. Batches of ${figure(BATCH)}, commits included; a reading of an account that is cached is not read again.`,
      ],
    };
  } finally {
    await server.close();
  }
};
