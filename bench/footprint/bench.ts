import { startSimulator } from '../../infra/simulator/server.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { DIRECTORY_PLATFORMS } from '../../src/platforms/index.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { projections } from '../../src/projections/registry.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { figure } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import type { CrawlAnswer, CrawlQuestion } from './crawl.ts';
import { walGoal, watchWal, writeLog } from './wal.ts';

const BENCH = 'bench:footprint';
/** Bytes of all read models, of an account with 18 posts, what its first reading adds to history and changes included. */
const GOAL = 10_000;
/** Views that have rows of accounts; the others have a row a pool, platform or holder. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['accounts', 'directory', 'frontier', 'people', 'posts']);

interface TableSize {
  readonly view: string;
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Tables of a schema with their indexes, partitions added up. */
const sizesOf = async (db: Db, view: string, schema: string): Promise<readonly TableSize[]> => {
  const { rows } = await db.query<{ name: string; rows: string; bytes: string }>(
    `select coalesce(p.relname, c.relname) as name, sum(greatest(c.reltuples, 0)) as rows, sum(pg_total_relation_size(c.oid)) as bytes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' group by 1 order by 3 desc`,
    [schema],
  );
  return rows.map(({ name, rows: count, bytes }) => ({
    view,
    table: name,
    rows: Number(count),
    bytes: Number(bytes),
  }));
};

/** What an account takes on disk, by table: read models after a first reading of a simulated world, as a rebuild leaves them. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const size = quick ? 300 : 2_000;
  const simulator = await startSimulator({ seed: 7, size });
  const server = await openServer();
  const child = startChild(new URL('./crawl.ts', import.meta.url));
  const wal = watchWal(server.admin);
  try {
    const { url, db } = await server.migrated('bench_footprint');
    const nowMs = Date.now();
    const handles = Object.fromEntries(
      DIRECTORY_PLATFORMS.map((platform) => [
        platform,
        Array.from({ length: size }, (_, index) => simulator.world.account(platform, index, nowMs))
          .filter(({ status, posts }) => status === 'active' && posts > 0)
          .map(({ handle }) => handle),
      ]),
    );
    progress(`  reading ${figure(Object.values(handles).flat().length)} accounts`);
    const { accounts, posts } = await child.ask<CrawlAnswer>({
      databaseUrl: url,
      simulatorUrl: simulator.url,
      handles,
    } satisfies CrawlQuestion);
    const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
    const found: TableSize[] = [];
    for (const projection of projections) {
      if (!OF_ACCOUNTS.has(projection.name)) continue;
      progress(`  ${projection.name}`);
      const options = { db, log, logger: silentLogger, signal: new AbortController().signal, graceMs: 0 };
      const { schema } = await rebuild(projection, options);
      await db.query('vacuum full analyze');
      found.push(...(await sizesOf(db, projection.name, schema)));
    }
    await log.close();
    const beside = await wal.peakMb();
    const filling = await writeLog(await server.migrated('bench_footprint_wal'), quick ? 300_000 : 1_000_000);
    const burst = await wal.peakMb();
    const { rows: logged } = await db.query<{ bytes: string }>(
      "select pg_total_relation_size('log.events') as bytes",
    );
    const each = (bytes: number) => bytes / accounts;
    const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      bench: BENCH,
      table: [
        ['view', 'table', 'rows', 'bytes an account'],
        ...found.map(({ view, table, rows, bytes }) => [view, table, figure(rows), figure(each(bytes))]),
        ...[...Map.groupBy(found, ({ view }) => view)].map(([view, own]) => [
          view,
          'all',
          '',
          figure(each(own.reduce((sum, { bytes }) => sum + bytes, 0))),
        ]),
        ['all read models', '', '', figure(each(total))],
        ['log', 'events', '', figure(each(Number(logged[0]?.bytes ?? 0)))],
        ['WAL', 'peak MB, crawl and rebuilds', '', beside.toFixed(0)],
        ['WAL', 'peak MB, a full log', figure(filling.events), burst.toFixed(0)],
      ],
      goals: [
        {
          bench: BENCH,
          what: 'bytes an account with posts in all read models against 8,000',
          ratio: each(total) / GOAL,
          goal: 1,
          kind: 'most',
        },
        walGoal(BENCH, Math.max(beside, burst)),
      ],
      notes: [
        `A log of ${figure(filling.events)} readings was filled at ${figure(filling.perSecond)} events/s, which wrote ${figure(filling.walMb)} MB of WAL.`,
        `${figure(accounts)} accounts of six platforms with ${(posts / accounts).toFixed(1)} posts each, read once; sizes with indexes, after vacuum full.`,
      ],
    };
  } finally {
    await wal.stop();
    await child.stop();
    await simulator.close();
    await server.close();
  }
};
