import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import type { CursorPosition } from '../../src/read/cursor.ts';
import { listChanges } from '../../src/read/directory/changes.ts';
import { type EntryFilters, type EntrySort, listEntries } from '../../src/read/directory/list.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { createTestProgram, sighted, type TestProgram, unavailable } from '../support/program.ts';

/** So few that every page of a filtered list ends by its bound. */
const MAX = 4;
const COUNT = 40;
const SORTS: readonly EntrySort[] = ['followers', 'recent', 'handle', 'growth_30d'];

let program: TestProgram;
let pool: ReadPool;

const day = (n: number) => new Date(Date.UTC(2026, 9, 1 + n)).toISOString();

beforeAll(async () => {
  program = await createTestProgram();
  for (let i = 0; i < COUNT; i++) {
    const platform: Platform = i % 3 === 0 ? 'telegram' : 'x';
    const handle = `${i % 2 === 0 ? 'anna' : 'ben'}_${i}`;
    await program.append(
      platform,
      handle,
      sighted(handle, day(i % 7), {
        id: String(100 + i),
        followers: i % 8 === 0 ? null : (i * 37) % 11,
        display_name: i % 5 === 0 ? 'Nora Quill' : `Person ${i}`,
        verified: i % 4 === 0,
        created_at: i % 6 === 0 ? null : day(-i),
      }),
    );
    if (i % 9 === 0) await program.append(platform, handle, unavailable(day(20), 'suspended'));
  }
  await program.project();
  pool = await openReadPool(program.database.url, 2);
});

afterAll(async () => {
  await pool.end();
  await program.close();
});

const FILTERS: readonly EntryFilters[] = [
  { verified: true },
  { status: 'suspended' },
  { min_followers: 3 },
  { max_followers: 0 },
  { min_followers: 2, max_followers: 5, verified: false },
  { seen_since: day(4) },
  { created_since: day(-20) },
  { platform: 'telegram', status: 'suspended' },
  { ranked: true, verified: true },
  { q: 'anna' },
  { q: '@ANNA_1' },
  { q: 'nora qu' },
  { q: 'quill', verified: true },
  { q: 'ben', status: 'suspended' },
  { q: 'nobody' },
  { q: '%' },
  { q: 'person', platform: 'x', min_followers: 1 },
];

interface Walked {
  readonly handles: readonly (string | null)[];
  readonly pages: number;
  readonly empty: number;
}

const walk = async (
  filters: EntryFilters,
  sort: EntrySort,
  limit: number,
  most?: number,
): Promise<Walked> => {
  const handles: (string | null)[] = [];
  let [pages, empty] = [0, 0];
  let after: CursorPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof listEntries>> = await listEntries(
      pool,
      program.builds,
      filters,
      sort,
      limit,
      after,
      most,
    );
    handles.push(...page.items.map(({ handle }) => handle));
    pages += 1;
    if (page.items.length === 0) empty += 1;
    // Each page begins where the last one ended.
    expect(page.next === null || JSON.stringify(page.next) !== JSON.stringify(after)).toBe(true);
    after = page.next;
  } while (after !== null);
  return { handles, pages, empty };
};

describe('a page that ends by its bound', () => {
  it.each(FILTERS)(
    'has a resume position, and the pages miss nothing and repeat nothing: %o',
    async (filters) => {
      for (const sort of SORTS) {
        const whole = await walk(filters, sort, 100, 1_000);
        expect(whole.pages).toBe(1);
        for (const limit of [1, 3, 100]) {
          expect((await walk(filters, sort, limit, MAX)).handles, `${sort} ${limit}`).toEqual(whole.handles);
        }
      }
    },
  );

  it('may be empty, and looks at no more rows than it may', async () => {
    const { handles, pages, empty } = await walk({ status: 'deactivated' }, 'recent', 100, MAX);
    expect([handles, pages, empty]).toEqual([[], COUNT / MAX + 1, COUNT / MAX + 1]);
  });

  it('does not end early where the index itself answers the filter', async () => {
    expect((await walk({ min_followers: 3 }, 'followers', 100, MAX)).pages).toBe(1);
    expect((await walk({ seen_since: day(4) }, 'recent', 100, MAX)).pages).toBe(1);
  });

  it('is found in the changes too', async () => {
    const kinds: string[] = [];
    let after: CursorPosition | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof listChanges>> = await listChanges(
        pool,
        program.builds,
        { kind: 'suspended' },
        2,
        after,
        MAX,
      );
      kinds.push(...page.items.map(({ kind }) => kind));
      pages += 1;
      after = page.next;
    } while (after !== null);
    expect(kinds).toEqual(Array(5).fill('suspended'));
    expect(pages).toBeGreaterThan(COUNT / MAX);
  });
});
