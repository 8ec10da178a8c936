import { loadavg } from 'node:os';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, type Db } from '../../src/kernel/postgres/pool.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import { listEntries } from '../../src/read/directory/list.ts';
import { listSimilar } from '../../src/read/directory/similar.ts';
import { listDecisionMakers } from '../../src/read/leads.ts';
import { type ListingSort, listListings } from '../../src/read/marketplace/listings.ts';
import { searchPeople } from '../../src/read/people/search.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { openServer } from '../support/database.ts';
import { median, percentile } from '../support/rounds.ts';
import { type Goal, goalsFor, progress, type Report } from '../support/targets.ts';
import { type Case, cases, SEARCHES, SORTS } from './cases.ts';
import { fill, fillLeads, fillListings, fillPeer, fillPeople, SCHEMA, SCHEMAS } from './fill.ts';
import { peerPage } from './peer.ts';

const BENCH = 'bench:filters';
const PAGE = 100;
const ROUNDS = 3;
/** A page of the peer is given up after so long, and counts as that. */
const PEER_MS = 2_000;

const builds = {
  schema: (projection: string) => SCHEMAS[projection] as string,
  progress: () => null,
} as unknown as Builds;

interface Times {
  readonly name: string;
  /** Median of the rounds, ms. */
  readonly ms: number;
}

const timed = async (call: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await call();
  return performance.now() - began;
};

/** Median of a call's times, after one that is not counted. */
const timeOf = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) times.push(await timed(call));
  return median(times.slice(1));
};

/** The first page and the one after it. */
const pagesOf = async (pool: ReadPool, { name, filters, sort }: Case): Promise<readonly Times[]> => {
  const page = (after: Parameters<typeof listEntries>[5]) =>
    listEntries(pool, builds, filters, sort, PAGE, after);
  const label = `${sort} ${name}`;
  const first = { name: label, ms: await timeOf(() => page(null)) };
  const { next } = await page(null);
  return next === null ? [first] : [first, { name: `${label}, page 2`, ms: await timeOf(() => page(next)) }];
};

const similarOf = async (db: Db, pool: ReadPool): Promise<readonly Times[]> => {
  const { rows } = await db.query(
    `select entry::text as key, platform, handle, display_name, followers::int as followers, links from ${SCHEMA}.entries
     where platform = 'x' order by md5(handle) limit 200`,
  );
  const found: Times[] = [];
  for (const { key, ...entry } of rows) {
    const ms = await timeOf(() => listSimilar(pool, builds, { key, entry } as never, 50, null));
    found.push({ name: `similar ${entry.handle}`, ms });
  }
  return found;
};

/** Values of the filters of leads, from common to rare. */
const LEAD_FILTERS = {
  industry: [undefined, 'software', 'banking', 'railways', 'fishery', 'none'],
  size: [undefined, '1-10'],
  seniority: [undefined, 'any', 'cxo'],
  country: [undefined, 'DE'],
} as const;

const leadsOf = async (pool: ReadPool): Promise<readonly Times[]> => {
  const found: Times[] = [];
  for (const industry of LEAD_FILTERS.industry)
    for (const size of LEAD_FILTERS.size)
      for (const seniority of LEAD_FILTERS.seniority)
        for (const country of LEAD_FILTERS.country) {
          const filters = { industry, size, seniority, country };
          const ms = await timeOf(() => listDecisionMakers(pool, builds, filters, PAGE, null));
          found.push({ name: `leads ${JSON.stringify(filters)}`, ms });
        }
  return found;
};

const LISTING_SORTS: readonly ListingSort[] = [
  'recent',
  'price',
  'price_desc',
  'price_per_1k_followers',
  'followers',
];

const LISTING_FILTERS = [
  {},
  { platform: 'x' },
  { minPrice: 4_900_000_000 },
  { maxPrice: 1_000 },
  { minFollowers: 4_900_000 },
  { minFollowers: 1_000, maxPrice: 1_000_000_000 },
  { seller: 'source:seller7' },
] as const;

const listingsOf = async (pool: ReadPool): Promise<readonly Times[]> => {
  const found: Times[] = [];
  for (const sort of LISTING_SORTS)
    for (const status of ['active', 'sold'] as const)
      for (const some of LISTING_FILTERS) {
        const filters = { status, ...some };
        const ms = await timeOf(() => listListings(pool, builds, filters, sort, PAGE, null));
        found.push({ name: `listings ${sort} ${JSON.stringify(filters)}`, ms });
      }
  return found;
};

const PEOPLE_FILTERS = [{}, { platform: 'x' }, { min_followers: 40_000_000 }] as const;

/** Searches of people: the first page and the one after it. */
const peopleOf = async (pool: ReadPool): Promise<readonly Times[]> => {
  const found: Times[] = [];
  for (const { name, q } of SEARCHES)
    for (const some of PEOPLE_FILTERS)
      for (const with_linkedin_only of [true, false]) {
        const filters = { q, ...some, with_linkedin_only, formerly: [] };
        const page = (after: Parameters<typeof searchPeople>[4]) =>
          searchPeople(pool, builds, filters, PAGE, after);
        const label = `people ${name} ${JSON.stringify({ ...some, with_linkedin_only })}`;
        found.push({ name: label, ms: await timeOf(() => page(null)) });
        const { next } = await page(null);
        if (next !== null) found.push({ name: `${label}, page 2`, ms: await timeOf(() => page(next)) });
      }
  return found;
};

const p95 = (times: readonly Times[]): number =>
  percentile(
    times.map(({ ms }) => ms),
    0.95,
  );

const row = (list: string, entries: number, times: readonly Times[]): string[] => {
  const slowest = times.toSorted((a, b) => b.ms - a.ms)[0];
  return [
    list,
    entries.toLocaleString('en-US'),
    String(times.length),
    median(times.map(({ ms }) => ms)).toFixed(1),
    p95(times).toFixed(1),
    `${slowest?.ms.toFixed(1)} (${slowest?.name})`,
  ];
};

const measurePeer = async (url: string, ours: ReadonlyMap<string, number>, some: readonly Case[]) => {
  const db = createPool(url, { max: 1, logger: silentLogger, name: 'bench peer', timeoutMs: PEER_MS });
  const theirs: Times[] = [];
  for (const { name, filters, sort } of some) {
    const page = () => peerPage(db, filters, sort, PAGE).catch(() => undefined);
    const ms = Math.min(await timed(page), await timed(page));
    theirs.push({ name: `${sort} ${name}`, ms });
  }
  await db.end();
  const same = theirs.map(({ name }) => ({ name, ms: ours.get(name) ?? Number.NaN }));
  return { theirs, ratio: p95(same) / p95(theirs) };
};

/** Kinds of lists, each in a server of its own. */
const KINDS = ['directory', 'people', 'leads', 'listings'] as const;
type Kind = (typeof KINDS)[number];

/** Pages by what they are of: the first one is the kind's own. */
type Lists = ReadonlyMap<string, readonly Times[]>;

/** What the rows of the table are by sort order. */
const SORTED = 'pages of filters and searches';

const directoryOf = async (db: Db, pool: ReadPool): Promise<Lists> => {
  const pages: Times[] = [];
  const all = cases();
  for (const [i, each] of all.entries()) {
    if (i % 200 === 0) progress(`  ${i} of ${all.length} lists`);
    pages.push(...(await pagesOf(pool, each)));
  }
  return new Map([
    [SORTED, pages],
    ['similar entries', await similarOf(db, pool)],
  ]);
};

interface ListBench {
  fill(db: Db, rows: number): Promise<void>;
  measure(db: Db, pool: ReadPool): Promise<Lists>;
}

const LISTS: Readonly<Record<Kind, ListBench>> = {
  directory: { fill, measure: directoryOf },
  people: {
    fill: fillPeople,
    measure: async (_, pool) => new Map([['searches of people', await peopleOf(pool)]]),
  },
  leads: {
    fill: fillLeads,
    measure: async (_, pool) => new Map([['people of leads', await leadsOf(pool)]]),
  },
  listings: {
    fill: fillListings,
    measure: async (_, pool) => new Map([['listings', await listingsOf(pool)]]),
  },
};

interface Measured {
  readonly lists: Lists;
  /** First pages of the peer, and the p95 of ours over theirs; null if the peer was left out. */
  readonly peer: { readonly theirs: readonly Times[]; readonly ratio: number } | null;
}

const measure = async (kind: Kind, count: number, withPeer: boolean): Promise<Measured> => {
  const server = await openServer();
  try {
    const { url, db } = await server.migrated('bench_filters');
    await LISTS[kind].fill(db, count);
    if (withPeer) await fillPeer(db);
    const pool = await openReadPool(url, 2);
    const lists = await LISTS[kind].measure(db, pool);
    for (const [what, times] of lists) progress(`  ${what}: p95 ${p95(times).toFixed(1)} ms`);
    await pool.end();
    if (!withPeer) return { lists, peer: null };
    progress('  the peer');
    const ours = new Map([...lists.values()].flat().map(({ name, ms }) => [name, ms]));
    return { lists, peer: await measurePeer(url, ours, cases()) };
  } finally {
    await server.close();
  }
};

/** Rows of the table: pages of the directory by their sort order. */
const rowsOf = (count: number, { lists, peer }: Measured): readonly string[][] => [
  ...[...lists].flatMap(([what, times]) =>
    what === SORTED
      ? SORTS.map((sort) =>
          row(
            sort,
            count,
            times.filter(({ name }) => name.startsWith(`${sort} `)),
          ),
        )
      : [row(what, count, times)],
  ),
  ...(peer === null ? [] : [row('peer: first pages', count, peer.theirs)]),
];

const { most } = goalsFor(BENCH);

/** Every sort of the directory with every filter, alone and in pairs, beside plain SQL on plain indexes, and the other lists. */
export const run = async ({
  quick,
  full = false,
  lists: kinds = KINDS,
}: {
  readonly quick: boolean;
  readonly full?: boolean;
  readonly lists?: readonly string[];
}): Promise<Report> => {
  const unknown = kinds.filter((kind) => !(KINDS as readonly string[]).includes(kind));
  if (unknown.length > 0) throw new RangeError(`--lists has ${unknown.join()}; allowed: ${KINDS.join()}`);
  const count = quick ? 100_000 : 1_000_000;
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const kind of KINDS.filter((one) => kinds.includes(one))) {
    const small = await measure(kind, count, kind === 'directory');
    rows.push(...rowsOf(count, small));
    for (const [what, times] of small.lists) goals.push(most(`${what}, p95 in ms`, p95(times), 25));
    if (small.peer !== null)
      goals.push(most('p95 of first pages over the peer, at most', small.peer.ratio, 1));
    if (!full) continue;
    const large = await measure(kind, 10 * count, false);
    rows.push(...rowsOf(10 * count, large));
    for (const [what, times] of large.lists)
      goals.push(
        most(
          `${what}, p95 with ten times the rows over this`,
          p95(times) / p95(small.lists.get(what) ?? []),
          1.5,
        ),
      );
  }
  return {
    bench: BENCH,
    table: [['list', 'rows', 'lists', 'median ms', 'p95 ms', 'slowest ms'], ...rows],
    goals,
    notes: [
      `Pages of ${PAGE}, first and second; each is the median of ${ROUNDS} calls. The peer: one table, an index of each column, trigrams of words; a page that takes ${PEER_MS / 1_000} s counts as that.`,
      `A page of ours may be short and have a cursor: of filters that match few, and each of which matches many.`,
      `Load average at the end: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')}.`,
    ],
  };
};
