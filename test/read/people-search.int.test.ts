import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { people } from '../../src/projections/views/people/projection.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import type { CursorPosition } from '../../src/read/cursor.ts';
import type { ListReads } from '../../src/read/lists/lists.ts';
import { searchPeople } from '../../src/read/people/search.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { applyPeople, createPeople, sightedAt } from '../support/people-fold.ts';

const SCHEMA = 'searched';
const buildsOf = (schema: string) => ({ schema: () => schema }) as unknown as Builds;
const builds = buildsOf(SCHEMA);
/** A table of so many blocks that it is sampled. */
const CROWDED = 'crowded';
/** Persons that match each search: more than are sorted. */
const MATCHES = 1_100;

let database: TestDatabase;
let pool: ReadPool;
beforeAll(async () => {
  database = await createTestDatabase();
  await createPeople(database.db, SCHEMA);
  await applyPeople(database.db, SCHEMA, [
    Array.from({ length: MATCHES }, (_, n) => [
      sightedAt('tiktok', `vera${n}`, { display_name: 'Vera Crowd', followers: n % 40 }),
      // One that does not match, and one that only some callers see, between all that match.
      sightedAt('tiktok', `ivan${n}`, { display_name: 'Ivan Marsh', followers: n % 40 }),
      sightedAt('linkedin', `vera-${n}`, { display_name: 'Vera Alone', followers: n % 40 }),
      // A few among many, far down the list.
      ...(n % 100 === 0 ? [sightedAt('tiktok', `nora${n}`, { display_name: 'Nora Few', followers: 3 })] : []),
    ]).flat(),
  ]);
  await database.db.query(people.indexes(SCHEMA));
  await createPeople(database.db, CROWDED);
  // A row of a block each, with words that a quarter have, which can be looked up.
  await database.db.query(`alter table ${CROWDED}.people set (fillfactor = 10)`);
  await database.db.query(
    `insert into ${CROWDED}.people (person, members, platforms, rank, words, is_linkedin_only, accounts, fingerprint)
     select 'p' || i, '[]', '["x"]', -1, ' person' || i || ' ka' || i % 4 || ' kb' || i / 4 % 4 || ' kc' || i / 16 % 4 || ' kd' || i / 64 % 4
         || case when i <= 1000 then ' some' else ' most' end,
       false, jsonb_build_array('x:' || i), (select string_agg(md5(i || ' ' || n), '') from generate_series(1, 24) n)
     from generate_series(1, 3500) i`,
  );
  await database.db.query(
    `insert into ${CROWDED}.accounts (platform, name, native_id, account, targets, targets_at, is_disclaimed, status, since, seen_at, identified_at, observed_at)
     select 'x', 'person' || i, i::text, 'x:' || i, '[]', '[]', false, 'active', now(), now(), now(), now()
     from generate_series(1, 3500) i`,
  );
  // Rows of which a block has dozens.
  await database.db.query(`alter table ${CROWDED}.people set (fillfactor = 100)`);
  await database.db.query(
    `insert into ${CROWDED}.people (person, members, platforms, rank, words, is_linkedin_only, accounts, fingerprint)
     select 'q' || i, '[]', '["x"]', -1, ' crowd', false, '["x:1"]', '' from generate_series(1, 20000) i`,
  );
  await database.db.query(people.indexes(CROWDED));
  pool = await openReadPool(database.url, 2);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Reads of a pool, and the ways in which its pages were found. */
const watched = () => {
  const ways: string[] = [];
  const samples: { readonly blocks: number; readonly matching: number }[] = [];
  const any: ListReads['any'] = async (query) => {
    if (query.sql.includes('row_number()')) ways.push('scan');
    if (query.sql.includes('tablesample')) ways.push('sample');
    if (query.sql.includes('materialized')) ways.push('look-up');
    const rows = await pool.any(query);
    if (query.sql.includes('tablesample')) samples.push(...(rows as unknown as typeof samples));
    return rows;
  };
  return { lists: { any }, ways, samples };
};

/** Handles on all pages of a search that scans so many persons a page. */
const pagesOf = async (q: string, withLinkedin: boolean, max: number, least?: number) => {
  const found: string[] = [];
  let pages = 0;
  for (let after: CursorPosition | null = null; ; pages++) {
    const filters = { q, with_linkedin_only: withLinkedin, min_followers: least };
    const page = await searchPeople(pool, builds, filters, 25, after, max);
    found.push(...page.items.map(({ accounts }) => accounts[0]?.handle ?? ''));
    after = page.next;
    if (after === null) return { found, pages };
  }
};

describe('a search that matches more persons than are sorted', () => {
  it.each([40, 1_000, 5_000])(
    'has each of them on one page, and no other, where a page scans at most %i',
    async (max) => {
      const { found } = await pagesOf('ver', false, max);
      expect(found).toHaveLength(MATCHES);
      expect(new Set(found).size).toBe(MATCHES);
      expect(found.filter((handle) => !handle.startsWith('vera') || handle.startsWith('vera-'))).toEqual([]);
    },
  );

  it('lists persons of LinkedIn alone where these are asked for', async () => {
    expect((await pagesOf('ver', true, 500)).found).toHaveLength(2 * MATCHES);
  });

  it('ends a page without a match where its scan ends, and resumes there', async () => {
    const { found, pages } = await pagesOf('v', false, 20, 39);
    expect(found).toHaveLength(27);
    expect(pages).toBeGreaterThan(2);
  });

  it('reads a page from the index, at any depth', async () => {
    const { rows } = await database.db.query<{ 'QUERY PLAN': string }>(
      `explain select rank, person from ${SCHEMA}.people where (rank, person) < (20, 'x') order by rank desc, person desc limit 10`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Cond: (ROW(rank, person) < ROW(20');
  });
});

describe('the way in which a page is found', () => {
  const waysOf = async (schema: string, q: string, after: CursorPosition | null = null) => {
    const { lists, ways, samples } = watched();
    const filters = { q, with_linkedin_only: false };
    const page = await searchPeople(lists, buildsOf(schema), filters, 25, after, 40);
    return { ways, samples, ...page };
  };

  it('is a look-up where few match, and the page is complete', async () => {
    const { ways, items, next } = await waysOf(SCHEMA, 'nora');
    expect(ways).toEqual(['sample', 'look-up']);
    expect(items).toHaveLength(11);
    expect(next).toBeNull();
  });

  it('is a scan, of all later pages too, where a sample shows that more match than are sorted', async () => {
    const { ways, next } = await waysOf(CROWDED, 'most');
    expect(ways).toEqual(['sample', 'scan']);
    expect((await waysOf(CROWDED, 'most', next)).ways).toEqual(['scan']);
  });

  it('is a look-up where as many match as are sorted, though each is in a block of its own', async () => {
    const { ways, items } = await waysOf(CROWDED, 'some');
    expect(ways).toEqual(['sample', 'look-up']);
    expect(items).toHaveLength(25);
  });

  it('is a scan, of all later pages too, where a look-up finds more than are sorted', async () => {
    const { ways, next } = await waysOf(SCHEMA, 'vera');
    expect(ways).toEqual(['sample', 'look-up', 'scan']);
    expect((await waysOf(SCHEMA, 'vera', next)).ways).toEqual(['scan']);
  });

  it('is a look-up where a list has begun with one', async () => {
    expect((await waysOf(CROWDED, 'most', [1_000, ''])).ways).toEqual(['look-up', 'scan']);
  });

  it('is a look-up for words that can be looked up, though more have them in the sample than in all blocks', async () => {
    const words = ['ka', 'kb', 'kc', 'kd'].flatMap((kind) => [0, 1, 2, 3].map((n) => `${kind}${n}`));
    const found = await Promise.all(words.map((word) => waysOf(CROWDED, word)));
    expect(found.map(({ ways }) => ways)).toEqual(words.map(() => ['sample', 'look-up']));
    const most = Math.max(...found.map(({ samples }) => samples[0]?.matching ?? 0));
    expect(most).toBeGreaterThan((1_000 * 100) / (found[0]?.samples[0]?.blocks ?? 0));
  });

  it('is estimated from about a hundred blocks of the table, however many persons each has', async () => {
    const { rows } = await database.db.query<{ n: number }>(
      `select count(distinct (ctid::text::point)[0])::int as n from ${CROWDED}.people`,
    );
    const [of, crowd] = await Promise.all(['person', 'crowd'].map((q) => waysOf(CROWDED, q)));
    expect(of?.samples[0]?.blocks).toBe(rows[0]?.n);
    expect(of?.samples[0]?.blocks).toBeGreaterThan(3_000);
    expect(of?.samples[0]?.matching).toBeGreaterThan(60);
    expect(of?.samples[0]?.matching).toBeLessThan(150);
    expect(crowd?.samples[0]?.matching).toBeGreaterThan(0);
    expect(crowd?.samples[0]?.matching).toBeLessThan(40);
  });

  it('is a scan where no token has two letters in a row, which the index needs', async () => {
    expect((await waysOf(SCHEMA, 'v')).ways).toEqual(['scan']);
  });
});
