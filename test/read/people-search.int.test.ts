import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/kernel/random.ts';
import { people } from '../../src/projections/views/people/projection.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import type { CursorPosition } from '../../src/read/keyset.ts';
import type { ListReads } from '../../src/read/lists.ts';
import { type PersonFilters, type SearchLimits, searchPeople, wayOf } from '../../src/read/people/search.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { personIdOf } from '../../src/write/people/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { applyPeople, createPeople, sightedAt } from '../support/people-fold.ts';

const SCHEMA = 'searched';
const PERSONS = 600;
/** More persons, of one name and without known followers. */
const CROWD = 30;

/** Names of which some are beginnings of others, common ones first; one is of two words for a search. */
const FIRST = ['vera', 'vera', 'vera', 'veradis', 'ivan', 'ivana', 'nora', "o'brien", 'ÉLODIE'];
const LAST = ['crowd', 'crowd', 'crowdson', 'marsh', 'marshall', 'brien', 'few'];

interface Known {
  readonly handle: string;
  readonly platform: 'tiktok' | 'x' | 'linkedin';
  readonly name: string;
  readonly followers: number | null;
}

/** Persons of an account each. Every fourth handle begins as a name that its person may not have. */
const known: readonly Known[] = (() => {
  const random = seededRandom(7);
  const pick = <Value>(values: readonly Value[]): Value => values[random.int(values.length)] as Value;
  const crowd = Array.from({ length: CROWD }, (_, n) => ({
    handle: `somebody.${n}`,
    platform: 'x' as const,
    name: 'Zara Alike',
    followers: null,
  }));
  const others = Array.from({ length: PERSONS }, (_, n) => ({
    handle: `${n % 4 === 0 ? pick(['vera', 'ivan', 'marsh']) : 'account'}.${n}`,
    platform: pick(['tiktok', 'tiktok', 'x', 'linkedin'] as const),
    name: `${pick(FIRST)} ${pick(LAST)} ${n % 3 === 0 ? 'Twin' : ''}`,
    // A third are of one rank; some have no count.
    followers: pick([null, 5, 5, 5, random.int(100), 10 ** random.int(6)]),
  }));
  const long = {
    handle: 'long.name',
    platform: 'x' as const,
    name: `${'long'.repeat(30)} Name`,
    followers: 7,
  };
  return [...others, ...crowd, long];
})();

/** LinkedIn's handles have no dots. */
const shownHandle = ({ handle, platform }: Known): string =>
  platform === 'linkedin' ? handle.replace('.', '-') : handle;

let database: TestDatabase;
let pool: ReadPool;
beforeAll(async () => {
  database = await createTestDatabase();
  await createPeople(database.db, SCHEMA);
  await applyPeople(database.db, SCHEMA, [
    known.map((one) =>
      sightedAt(one.platform, shownHandle(one), { display_name: one.name, followers: one.followers }),
    ),
  ]);
  await database.db.query(people.indexes(SCHEMA));
  pool = await openReadPool(database.url, 2);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a person has the words of a search, said as directly as possible. */
const isMatch = (one: Known, q: string): boolean => {
  const has = (word: string) =>
    shownHandle(one).startsWith(word) || wordsIn(one.name).some((own) => own.startsWith(word));
  return q
    .toLowerCase()
    .split(' ')
    .every((token) => has(token) || (wordsIn(token).length > 0 && wordsIn(token).every(has)));
};

const rankOf = (followers: number | null): number =>
  followers === null ? -1 : Math.floor(20 * Math.log10(followers + 1));

/** Followers of all pages of a search, a handle each, and how many pages there were. */
const pagesOf = async (
  filters: Partial<PersonFilters> & { readonly q: string },
  limits?: SearchLimits,
  size = 25,
  lists: ListReads = pool,
  schema = SCHEMA,
) => {
  const builds = { schema: () => schema } as unknown as Builds;
  const found: { handle: string; rank: number }[] = [];
  let longest = 0;
  let pages = 0;
  for (let after: CursorPosition | null = null; ; ) {
    const page = await searchPeople(
      lists,
      builds,
      { with_linkedin_only: true, formerly: [], ...filters },
      size,
      after,
      limits,
    );
    for (const { accounts } of page.items)
      found.push({ handle: accounts[0]?.handle ?? '', rank: rankOf(accounts[0]?.followers ?? null) });
    longest = Math.max(longest, page.items.length);
    pages += 1;
    after = page.next;
    if (after === null) return { found, pages, longest };
  }
};

const SEARCHES = [
  'vera',
  'ver',
  'v',
  'ivan',
  'nora few',
  'vera crowd',
  'crowd twin',
  'ver marshall t',
  "o'brien",
  "o'brien brien",
  'élodie marsh',
  'vera.4',
  'zara',
  'zara zara alike',
  'account.4',
  'ver crowd twin v c',
  `${'long'.repeat(20)}`,
  '--',
  'zz',
  'vera zz',
];

/** Bounds that no page reaches, that pages of one word do, and that each does. */
const LIMITS: readonly (SearchLimits | undefined)[] = [
  undefined,
  { persons: 150, words: 250, scanned: 150 },
  { persons: 30, words: 60, scanned: 30 },
  { persons: 20, words: 20, scanned: 20 },
];

describe.each(LIMITS)('all pages of a search that reads at most %o', (limits) => {
  it.each(SEARCHES)('have each person with the words of "%s" once, in order of rank', async (q) => {
    for (const filters of [
      {},
      { platform: 'x' as const, min_followers: 5 },
      { with_linkedin_only: false, min_followers: 50_000 },
    ]) {
      const { found, longest } = await pagesOf({ q, ...filters }, limits);
      const expected = known.filter(
        (person) =>
          isMatch(person, q) &&
          (filters.platform === undefined || person.platform === filters.platform) &&
          (filters.with_linkedin_only !== false || person.platform !== 'linkedin') &&
          (filters.min_followers === undefined || (person.followers ?? -1) >= filters.min_followers),
      );
      expect(found.map(({ handle }) => handle).toSorted(), JSON.stringify(filters)).toEqual(
        expected.map(shownHandle).toSorted(),
      );
      expect(found.map(({ rank }) => rank)).toEqual(found.map(({ rank }) => rank).toSorted((a, b) => b - a));
      expect(longest).toBeLessThanOrEqual(25);
    }
  });
});

/** Persons that a former handle leads to: some of each rank, with and without the words of a search. */
const former = known.filter((_, n) => n % 9 === 0);
const formerly = former.map((one) => personIdOf(`${one.platform}:${shownHandle(one)}`));

describe.each(LIMITS)('all pages of a search for a former handle that reads at most %o', (limits) => {
  it.each(['vera', 'nora few', 'account.4', 'zara', 'zz'])(
    'have each of its persons, and each with the words of "%s", once and in order',
    async (q) => {
      for (const filters of [{}, { platform: 'x' as const, min_followers: 5, with_linkedin_only: false }])
        for (const size of [3, 25]) {
          const { found, longest } = await pagesOf({ q, formerly, ...filters }, limits, size);
          const expected = known.filter(
            (person) =>
              (isMatch(person, q) || former.includes(person)) &&
              (filters.platform === undefined ||
                (person.platform === filters.platform && (person.followers ?? -1) >= filters.min_followers)),
          );
          expect(found.map(({ handle }) => handle).toSorted(), JSON.stringify(filters)).toEqual(
            expected.map(shownHandle).toSorted(),
          );
          expect(found.map(({ rank }) => rank)).toEqual(
            found.map(({ rank }) => rank).toSorted((a, b) => b - a),
          );
          expect(longest).toBeLessThanOrEqual(size);
        }
    },
  );
});

describe('a page of a search', () => {
  it('is full as long as more match, where its words are read', async () => {
    const { found, pages } = await pagesOf({ q: 'vera' }, { persons: 250, words: 250, scanned: 250 });
    expect(found.length).toBeGreaterThan(250);
    expect(pages).toBe(Math.ceil(found.length / 25));
  });

  it('is full as long as more match two words that are both too common to be looked up', async () => {
    const { found, pages } = await pagesOf({ q: 'vera crowd' }, { persons: 40, words: 500, scanned: 40 });
    expect(found.length).toBeGreaterThan(40);
    expect(pages).toBe(Math.ceil(found.length / 25));
  });

  it.each([20, 30, 40, 60, 90])('reads whole ranks only, and at most %i rows of each word', async (words) => {
    const limits = { persons: 10, words, scanned: 10 };
    const way = await wayOf(pool, SCHEMA, ['vera', 'account'], { top: null, bottom: -1 }, limits);
    const { rows } = await database.db.query<{ floor: number }>(
      `select max(rank) as floor from (
         select rank, sum(count(*)) over (partition by left(word, 4) = 'vera' order by rank desc) as n from ${SCHEMA}.words
         where word like 'vera%' or word like 'account%' group by rank, left(word, 4) = 'vera'
       ) as counted where n > $1`,
      [words],
    );
    expect(way).toMatchObject({ is: 'look-up', floor: (rows[0]?.floor ?? Number.NaN) + 1 });
  });

  it('has the requested ranks where it is a scan', async () => {
    const limits = { persons: 5, words: 5, scanned: 20 };
    const { found, pages } = await pagesOf({ q: 'a', min_followers: 50_000 }, limits);
    expect(found.length).toBeGreaterThan(5);
    expect(pages).toBeLessThanOrEqual(
      Math.ceil(known.filter(({ followers }) => (followers ?? -1) >= 50_000).length / 20) + 1,
    );
  });

  /** Reads of a pool, and whether they were of words. */
  const watched = () => {
    const ways: string[] = [];
    const any: ListReads['any'] = (query) => {
      if (query.sql.includes('as counts')) ways.push('counts');
      if (query.sql.includes('row_number() over (order by'))
        ways.push(query.sql.includes('candidates') ? 'look-up' : 'scan');
      return pool.any(query);
    };
    return { ways, lists: { any } };
  };

  it('is a scan, like later ones, in a rank with more of each word than are read', async () => {
    const { ways, lists } = watched();
    await pagesOf({ q: 'a' }, { persons: 20, words: 20, scanned: 20 }, 25, lists);
    const all = ways.join(' ');
    expect(all).toContain('counts scan scan scan');
    expect(all).toContain('scan counts look-up');
  });

  it('is a scan from the first rank with the words, if it has more of each than are read', async () => {
    const { found, pages } = await pagesOf({ q: 'zara' }, { persons: 10, words: 20, scanned: 50 });
    expect(found).toHaveLength(CROWD);
    expect(pages).toBeLessThanOrEqual(
      Math.ceil(known.filter(({ followers }) => followers === null).length / 50) + 1,
    );
  });

  it('skips ranks without one of its words, however many have the others', async () => {
    const limits = { persons: 10, words: 20, scanned: 50 };
    const { found, pages } = await pagesOf({ q: 'account zara' }, limits);
    expect(found).toEqual([]);
    expect(pages).toBeLessThanOrEqual(
      Math.ceil(known.filter(({ followers }) => followers === null).length / 50) + 1,
    );
  });

  it('has a handle, though the words in it are common', async () => {
    const handles = known.filter(
      ({ platform, handle }) => platform !== 'linkedin' && /^account\.\d{3}$/.test(handle),
    );
    for (const { handle } of handles.slice(0, 10)) {
      const { ways, lists } = watched();
      const limits = { persons: 10, words: 20, scanned: 20 };
      const { found } = await pagesOf({ q: handle }, limits, 25, lists);
      expect(found.map((one) => one.handle)).toContain(handle);
      expect(ways).toEqual(['counts', 'look-up']);
    }
  });

  it('is empty where there are no persons', async () => {
    await createPeople(database.db, 'empty');
    expect(await pagesOf({ q: 'vera crowd' }, undefined, 25, pool, 'empty')).toMatchObject({
      found: [],
      pages: 1,
    });
  });

  it('reads few of many words', async () => {
    const { lists } = watched();
    const read: string[] = [];
    const any: ListReads['any'] = (query) => {
      read.push(query.sql);
      return lists.any(query);
    };
    await pagesOf({ q: 'ver crowd twin v c t' }, undefined, 25, { any });
    expect(read[0]?.match(/cross join lateral/g)).toHaveLength(4);
  });

  /** Plans of the statements of all pages of a search. */
  const plansOf = async (filters: { readonly q: string }, limits?: SearchLimits, schema = SCHEMA) => {
    const plans: string[] = [];
    const any: ListReads['any'] = async (query) => {
      const { rows } = await database.db.query<{ 'QUERY PLAN': string }>(
        `explain ${query.sql.replaceAll('$slonik_', '$')}`,
        [...query.values],
      );
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return pool.any(query);
    };
    await pagesOf(filters, limits, 25, { any }, schema);
    return plans;
  };

  it('reads words from their index, rank by rank, whatever the statistics are', async () => {
    for (const statement of ['select 1', `analyze ${SCHEMA}.words`]) {
      await database.db.query(statement);
      const plans = await plansOf({ q: 'nora few' });
      const ofWords = plans.filter((plan) => plan.includes('words_pkey'));
      expect(ofWords).toHaveLength(2);
      for (const plan of ofWords) {
        expect(plan).toContain('Index Cond: ((rank = r.rank) AND (word >=');
        expect(plan).not.toContain('Seq Scan');
      }
    }
  });

  it('reads no more words of a rank than it counts, in a table that was never vacuumed', async () => {
    const { db } = database;
    await createPeople(db, 'crowded');
    await db.query(
      `insert into crowded.words select case when i > 200 then -1 else i end, 'w' || md5(i::text), md5(i::text)::uuid
       from generate_series(1, 100000) i`,
    );
    await db.query(people.indexes('crowded'));
    await db.query('analyze crowded.words');
    const [counts] = await plansOf({ q: 'w' }, { persons: 50, words: 200, scanned: 50 }, 'crowded');
    expect(counts).toMatch(/Index (Only )?Scan using words_pkey on words /);
    expect(counts).not.toMatch(/Seq Scan|Bitmap/);
  });

  it('is read from the list’s index where it is a scan', async () => {
    const plans = await plansOf({ q: 'a' }, { persons: 20, words: 20, scanned: 20 });
    const scans = plans.filter((plan) => plan.includes('people_rank_person_idx'));
    expect(scans.length).toBeGreaterThan(3);
    for (const plan of scans) expect(plan).not.toMatch(/Seq Scan|Bitmap/);
    expect(scans.some((plan) => /Index Cond:.*ROW\(rank, person\) < ROW/.test(plan))).toBe(true);
  });
});
