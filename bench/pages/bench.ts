import { silentLogger } from '../../src/kernel/logger.ts';
import { DIRECTORY_PLATFORMS } from '../../src/platforms/index.ts';
import { type Builds, watchBuilds } from '../../src/read/active-builds.ts';
import { type EntrySort, listEntries } from '../../src/read/directory/list.ts';
import type { CursorPosition } from '../../src/read/keyset.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { openServer } from '../support/database.ts';
import { createBuilds, fillEntries } from '../support/read-models.ts';
import { median, percentile } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';

const SORTS: readonly EntrySort[] = ['followers', 'recent', 'handle', 'growth_30d', 'growth_7d'];
const PAGE = 100;
/** What is walked over on the way down comes in larger pages: the way is not measured. */
const STRIDE = 2_000;

/** Where the page at a depth begins, reached as a caller reaches it: by going on where the last page ended. */
const walk = async (
  pool: ReadPool,
  builds: Builds,
  sort: EntrySort,
  depth: number,
): Promise<CursorPosition> => {
  let after: CursorPosition | null = null;
  for (let left = (depth - 1) * PAGE; left > 0; ) {
    const page: { readonly next: CursorPosition | null } = await listEntries(
      pool,
      builds,
      {},
      sort,
      Math.min(left, STRIDE),
      after,
    );
    after = page.next;
    left -= STRIDE;
  }
  if (after === null) throw new Error(`${sort} ended before page ${depth}`);
  return after;
};

/** A page deep in the list of all platforms against the first, for each sort. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const depth = quick ? 1_000 : 10_000;
  const repeats = quick ? 150 : 400;
  // A little more than the pages hold, so that the deepest is a full one with a next.
  const entries = depth * PAGE + 1_000;
  const server = await openServer();
  try {
    const { url, db } = await server.migrated('bench_pages');
    // Tables first, then rows, then indexes, as a build is made.
    const schema = (await createBuilds(db)).get('directory') as string;
    progress(`  filling ${entries.toLocaleString('en-US')} entries`);
    await fillEntries(db, schema, DIRECTORY_PLATFORMS, entries);
    await db.query('vacuum analyze');
    const builds = await watchBuilds(db, silentLogger);
    const pool = await openReadPool(url, 2);
    const table: string[][] = [['sort', 'page', 'median ms', 'p99 ms']];
    const goals: Goal[] = [];
    for (const sort of SORTS) {
      progress(`  ${sort}: walking to page ${depth.toLocaleString('en-US')}`);
      const deep = await walk(pool, builds, sort, depth);
      const time = async (after: CursorPosition | null): Promise<number> => {
        const began = performance.now();
        const page = await listEntries(pool, builds, {}, sort, PAGE, after);
        if (page.items.length !== PAGE || page.next === null) throw new Error(`${sort}: not a full page`);
        return performance.now() - began;
      };
      for (let i = 0; i < 20; i++) await time(i % 2 === 0 ? null : deep);
      const [firsts, deeps]: [number[], number[]] = [[], []];
      for (let i = 0; i < repeats; i++) {
        firsts.push(await time(null));
        deeps.push(await time(deep));
      }
      const row = (page: string, times: number[]) =>
        table.push([sort, page, median(times).toFixed(2), percentile(times, 0.99).toFixed(2)]);
      row('1', firsts);
      row(depth.toLocaleString('en-US'), deeps);
      goals.push({
        bench: 'bench:pages',
        what: `${sort}, page ${depth.toLocaleString('en-US')} over page 1, at most`,
        ratio: median(deeps) / median(firsts),
        goal: 1.2,
        kind: 'most',
      });
    }
    builds.close();
    await pool.end();
    return {
      bench: 'bench:pages',
      table,
      goals,
      notes: [
        `${entries.toLocaleString('en-US')} entries of six platforms, pages of ${PAGE}, all platforms in one list; first and deep page in turn.`,
      ],
    };
  } finally {
    await server.close();
  }
};
