import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { people } from '../../src/projections/views/people/projection.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import type { CursorPosition } from '../../src/read/cursor.ts';
import { searchPeople } from '../../src/read/people/search.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { applyPeople, createPeople, sightedAt } from '../support/people-fold.ts';

const SCHEMA = 'searched';
const builds = { schema: () => SCHEMA } as unknown as Builds;
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
    ]).flat(),
  ]);
  await database.db.query(people.indexes(SCHEMA));
  pool = await openReadPool(database.url, 2);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

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
