import { createFrontier } from '../../src/crawlers/frontier.ts';
import { createCurrentPools } from '../../src/crawlers/pools/current-pools.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { frontier as frontierView } from '../../src/projections/views/frontier/projection.ts';
import { pools as poolsView } from '../../src/projections/views/pools/projection.ts';
import { watchBuilds } from '../../src/read/active-builds.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import { handleCommand } from '../../src/write/log/command-handler.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { createPool as creation, poolDecider } from '../../src/write/pools/decide.ts';
import { poolStream } from '../../src/write/pools/events.ts';
import { type BenchDatabase, openServer } from '../support/database.ts';
import { figure, median, medianRatio } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import { leaseFormerly } from './former.ts';

const NOW = Date.UTC(2026, 9, 1);
const LEASE_MS = 3_600_000;
const BATCH = 1_000;
const ONE: Platform = 'bluesky';
const MANY: Platform = 'x';
const POOLS = 50;

const fill = async ({ db, url }: BenchDatabase, due: number): Promise<void> => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const create = async (platform: Platform, n: number) => {
    const pool = `${platform}-${n}`;
    const created = creation({
      at: new Date(NOW - LEASE_MS).toISOString(),
      ...{ pool, platform, rule: 'seed', seeds: null, depth: null, sources: [], share: n },
      ...{
        refresh: 'by_change',
        refresh_min_s: 60,
        refresh_max_s: 600,
        refresh_factor: 1,
        refresh_threshold: null,
        requests_per_day: null,
        size_cap: 10_000_000,
      },
      schedule: null,
    });
    await handleCommand(log, poolDecider, poolStream(pool), created, { nowMs: NOW });
  };
  await create(ONE, 1);
  for (let n = 1; n <= POOLS; n++) await create(MANY, n);
  for (const view of [frontierView, poolsView])
    await rebuild(view, { db, log, logger: silentLogger, signal: new AbortController().signal, graceMs: 0 });
  await log.close();
  const { rows } = await db.query<{ schema_name: string }>(
    `select schemaname as schema_name from pg_tables where tablename = 'due' limit 1`,
  );
  const schema = rows[0]?.schema_name ?? '';
  for (const [platform, pools] of [
    [ONE, 1],
    [MANY, POOLS],
  ] as const) {
    progress(`  ${figure(due)} due accounts of ${pools} pools`);
    await db.query(
      `insert into ${schema}.due (platform, handle, pool, depth, recruited, due_at, interval_s, observed_at, change_moved, change_exposure)
       select $1, 'h' || i, $1 || '-' || (1 + i % $2), 0, 1,
              '2026-09-01'::timestamptz + (i::bigint * 7919 % 2000000) * interval '1 second', 60, null, 0, 0
       from generate_series(1, $3) i`,
      [platform, pools, due],
    );
  }
  await db.query(`vacuum analyze ${schema}.due`);
};

/** Leases of 1,000 accounts: of fifty pools, of one, and of one as formerly. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const [due, rounds] = quick ? [100_000, 8] : [1_000_000, 30];
  const server = await openServer();
  try {
    const database = await server.migrated('bench_leases');
    await fill(database, due);
    const { db } = database;
    const builds = await watchBuilds(db, silentLogger);
    const pools = createCurrentPools(db, builds, silentLogger, () => NOW);
    await pools.refresh();
    const frontier = createFrontier(db, builds, pools, 'bench', LEASE_MS);
    const schema = builds.schema('frontier');
    const timed = async (lease: () => Promise<number>): Promise<number> => {
      const began = performance.now();
      const leased = await lease();
      const ms = performance.now() - began;
      if (leased !== BATCH) throw new Error(`${leased} of ${BATCH} accounts were leased`);
      return ms;
    };
    const ours = (platform: Platform) => async () => (await frontier.lease(platform, BATCH, NOW)).length;
    const formerly = () =>
      leaseFormerly(db, schema, { platform: ONE, max: BATCH, nowMs: NOW, untilMs: NOW + LEASE_MS });
    const clear = () => db.query('truncate crawl.leases, crawl.pool_turns');
    const [many, one, former]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      // As autovacuum would have it: the former statement needs to know how many leases there are.
      await db.query('analyze crawl.leases');
      many.push(await timed(ours(MANY)));
      one.push(await timed(ours(ONE)));
      former.push(await timed(formerly));
      if (round % 10 === 9) await clear();
    }
    builds.close();
    const bench = 'bench:leases';
    return {
      bench,
      table: [
        [`leasing ${figure(BATCH)} accounts`, 'due accounts', 'median ms'],
        [`${POOLS} pools in turns`, figure(due), median(many).toFixed(1)],
        ['one pool in turns', figure(due), median(one).toFixed(1)],
        ['one pool, as formerly', figure(due), median(former).toFixed(1)],
      ],
      goals: [
        {
          bench,
          what: `a lease of ${POOLS} pools, against one pool as formerly`,
          ratio: medianRatio(many, former),
          goal: 1.5,
          kind: 'most',
        },
      ],
      notes: ['One round trip each. Leases of earlier rounds are skipped; all are cleared every ten rounds.'],
    };
  } finally {
    await server.close();
  }
};
