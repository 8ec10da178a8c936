import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import { listChanges } from '../../src/read/directory/changes.ts';
import type { Entry } from '../../src/read/directory/entry.ts';
import {
  type EntryFilters,
  type EntrySort,
  listEntries,
  type PageBounds,
} from '../../src/read/directory/list.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { pagesOf } from '../support/pages.ts';
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
  { verified: false },
  { status: 'suspended' },
  { status: 'suspended', verified: true },
  { present: true, created_since: day(-20) },
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
  bounds?: PageBounds,
): Promise<Walked> => {
  const pages = await pagesOf((after) =>
    listEntries(pool, program.builds, filters, sort, limit, after, bounds),
  );
  return {
    handles: pages.flatMap(({ items }) => items.map(({ handle }) => handle)),
    pages: pages.length,
    empty: pages.filter(({ items }) => items.length === 0).length,
  };
};

/** What the filters say, without an index or a page. */
const isMeant = (entry: Entry, filters: EntryFilters): boolean => {
  const { min_followers: min, max_followers: max, q, created_since: created } = filters;
  const beginsAs = (token: string): boolean =>
    entry.handle?.startsWith(token) === true ||
    (entry.display_name ?? '')
      .toLowerCase()
      .split(' ')
      .some((word) => word.startsWith(token));
  return (
    (filters.platform ?? entry.platform) === entry.platform &&
    (filters.verified ?? entry.verified) === entry.verified &&
    (filters.status ?? entry.status) === entry.status &&
    (filters.present !== true || entry.status === 'active') &&
    (min === undefined || (entry.followers ?? -1) >= min) &&
    (max === undefined || (entry.followers ?? max + 1) <= max) &&
    (filters.seen_since ?? '') <= entry.last_seen_at &&
    (created === undefined || (entry.created_at ?? '') >= created) &&
    (q === undefined || q.replace('@', '').toLowerCase().split(' ').every(beginsAs))
  );
};

const list = async (filters: EntryFilters, sort: EntrySort): Promise<readonly Entry[]> =>
  (await listEntries(pool, program.builds, filters, sort, 1_000, null)).items;

describe('a page that ends at its bound', () => {
  it.each(FILTERS)(
    'has a resume position, and the pages miss and repeat nothing: %o',
    { tags: 'long' },
    async (filters) => {
      for (const sort of SORTS) {
        const all = await list({ ranked: filters.ranked }, sort);
        const meant = all.filter((entry) => isMeant(entry, filters)).map(({ handle }) => handle);
        // Walked in the order of the sort, looked up through the index of a filter, or either by what is less.
        for (const [limit, candidates] of [
          [1, 0],
          [3, MAX],
          [100, 0],
          [100, 1_000],
        ] as const) {
          const { handles } = await walk(filters, sort, limit, { scanned: MAX, candidates });
          expect(handles, `${sort} ${limit} ${candidates}`).toEqual(meant);
        }
      }
    },
  );

  it('may be empty, and reads no more rows than allowed', async () => {
    // A fourth is verified, all of them with another handle.
    const bounds = { scanned: MAX, candidates: 0 };
    const { handles, pages, empty } = await walk({ verified: true, q: 'ben' }, 'recent', 100, bounds);
    const ends = Math.floor(COUNT / 4 / MAX) + 1;
    expect([handles, pages, empty]).toEqual([[], ends, ends]);
  });

  it('is the only one if a filter leaves few rows, in any order and with any other filter', async () => {
    for (const filters of [
      { status: 'suspended' },
      { status: 'deactivated' },
      { q: 'quill', verified: true },
      { q: 'nobody', min_followers: 1 },
      { created_since: day(-5), seen_since: day(0) },
    ]) {
      for (const sort of SORTS) expect((await walk(filters, sort, 100, { scanned: MAX })).pages).toBe(1);
    }
    // Each word has more matches than may be looked up, both together as many.
    const both = await walk({ q: 'nora ben' }, 'recent', 100, { scanned: MAX, candidates: MAX });
    expect([both.handles.length, both.pages]).toEqual([4, 1]);
  });

  it('does not end early where the index itself answers the filter', async () => {
    const bounds = { scanned: MAX, candidates: 0 };
    expect((await walk({ min_followers: 3 }, 'followers', 100, bounds)).pages).toBe(1);
    expect((await walk({ seen_since: day(4) }, 'recent', 100, bounds)).pages).toBe(1);
    for (const sort of SORTS) {
      expect((await walk({ verified: true }, sort, 100, bounds)).pages).toBe(1);
      expect((await walk({ status: 'suspended' }, sort, 100, bounds)).pages).toBe(1);
    }
  });

  it('occurs in the changes too', async () => {
    const pages = await pagesOf((after) =>
      listChanges(pool, program.builds, { kind: 'suspended' }, 2, after, MAX),
    );
    const kinds = pages.flatMap(({ items }) => items.map(({ kind }) => kind));
    expect(kinds).toEqual(Array(5).fill('suspended'));
    expect(pages.length).toBeGreaterThan(COUNT / MAX);
  });
});
