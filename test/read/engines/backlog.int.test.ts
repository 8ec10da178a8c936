import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { frontier } from '../../../src/projections/views/frontier/projection.ts';
import { DUE_SLOT_MS, SPAN_MS } from '../../../src/projections/views/frontier/tables.ts';
import { pools } from '../../../src/projections/views/pools/projection.ts';
import { readFreshness, readPoolBacklogs } from '../../../src/read/engines.ts';
import { poolCreated } from '../../support/pools.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 15);
const HOUR = 3_600_000;

let program: TestProgram;
let schema: string;
beforeAll(async () => {
  program = await createTestProgram({ known: [frontier, pools] });
  schema = program.builds.schema('frontier');
});
afterAll(() => program.close());

const lists = () => program.services.queuedReads.of('tester', 1_000);

const append = (stream: string, type: string, data: unknown) =>
  program.log.append(stream, [{ id: uuidV7(Date.now()), type, data }], 'any');

/** Accounts of a pool of X: when each is due, and was last read. */
const fill = async (pool: string, accounts: readonly (readonly [dueMs: number, readMs: number])[]) => {
  const { db } = program.database;
  const created = poolCreated(pool, 'x', NOW, {
    refresh: 'fixed',
    refresh_min_s: 3_600,
    refresh_max_s: 3_600,
  });
  await append(`pool-${pool}`, 'PoolCreated', created);
  await program.project();
  await db.query(
    `insert into ${schema}.due (platform, handle, pool, is_seed, absences, removed, recruited, due_at, interval_s, observed_at, change_moved, change_exposure)
     select 'x', $1 || n, $1, false, 0, false, 1, to_timestamp(due / 1000.0), 3600, to_timestamp(read / 1000.0), 0, 0
     from unnest($2::bigint[], $3::bigint[]) with ordinality as a (due, read, n)`,
    [pool, accounts.map(([due]) => due), accounts.map(([, read]) => read)],
  );
  await db.query(
    `insert into ${schema}.due_slots
     select 'x', pool, floor(extract(epoch from due_at) * 1000 / ${DUE_SLOT_MS})::int, count(*)
     from ${schema}.due where pool = $1 group by 2, 3`,
    [pool],
  );
  for (const [span, ms] of Object.entries(SPAN_MS)) {
    await db.query(
      `insert into ${schema}.read_slots as s
       select 'x', $2, floor(extract(epoch from observed_at) * 1000 / ${ms})::int, count(*)
       from ${schema}.due where pool = $1 group by 3
       on conflict (platform, span, slot) do update set n = s.n + excluded.n`,
      [pool, span],
    );
  }
};

describe('the backlog of a pool', () => {
  it('is exact while few accounts become due in the running hour', async () => {
    const random = seededRandom(4);
    const accounts = Array.from(
      { length: 900 },
      () => [NOW - 20 * HOUR + random.int(40 * HOUR), NOW - random.int(90 * 24 * HOUR)] as const,
    );
    await fill('few', accounts);
    for (const at of [NOW - 10 * HOUR, NOW - 1, NOW, NOW + 5 * HOUR + 77_000]) {
      const found = await readPoolBacklogs(lists(), program.builds, at);
      const due = accounts.filter(([dueMs]) => dueMs <= at);
      expect(found).toMatchObject([
        { pool: 'few', backlog: due.length, oldestDueMs: Math.min(...due.map(([dueMs]) => dueMs)) },
      ]);
    }
  });

  it('counts the elapsed share of the running hour’s accounts where they are many', async () => {
    const accounts = [
      ...Array.from({ length: 50 }, (_, n) => [NOW - 3 * HOUR - n, NOW - 9 * HOUR] as const),
      ...Array.from({ length: 4_000 }, () => [NOW + HOUR / 2, NOW - 9 * HOUR] as const),
    ];
    await fill('many', accounts);
    const found = await readPoolBacklogs(lists(), program.builds, NOW);
    // A quarter of the hour.
    expect(found.find(({ pool }) => pool === 'many')?.backlog).toBe(50 + 1_000);
  });

  it('counts an heir’s inherited accounts, and none of a pool without an heir', async () => {
    const due = [NOW - 2 * HOUR, NOW - 3 * HOUR] as const;
    for (const pool of ['heir', 'retired', 'lost']) await fill(pool, [due]);
    const at = new Date(NOW).toISOString();
    const retired = { at, why: 'its turn is over', decision: null };
    await append('pool-retired', 'PoolRetired', { ...retired, heir: 'heir' });
    await append('pool-lost', 'PoolRetired', { ...retired, heir: null });
    await program.project();
    const found = await readPoolBacklogs(lists(), program.builds, NOW);
    expect(found.filter(({ pool }) => ['heir', 'retired', 'lost'].includes(pool))).toMatchObject([
      { pool: 'heir', backlog: 2, oldestDueMs: due[0] },
    ]);
  });

  it('has no oldest account while none is due', async () => {
    await fill('later', [[NOW + 5 * HOUR, NOW - HOUR]]);
    const found = await readPoolBacklogs(lists(), program.builds, NOW);
    expect(found.find(({ pool }) => pool === 'later')).toMatchObject({ backlog: 0, oldestDueMs: null });
  });
});

describe('the freshness of a platform', () => {
  it('has quantiles of all accounts’ ages, within five minutes', async () => {
    const { rows } = await program.database.db.query<{ age: number }>(
      `select extract(epoch from to_timestamp($1) - observed_at)::float8 as age from ${schema}.due order by 1`,
      [NOW / 1_000],
    );
    const ages = await readFreshness(lists(), program.builds, NOW);
    const { accounts, ...quantiles } = ages.get('x') ?? { accounts: 0 };
    expect(accounts).toBe(rows.length);
    const exact = (quantile: number) => rows[Math.ceil(quantile * rows.length) - 1]?.age ?? 0;
    for (const [name, quantile] of [
      ['p50_s', 0.5],
      ['p95_s', 0.95],
      ['p99_s', 0.99],
    ] as const) {
      const found = (quantiles as Record<string, number | null>)[name] ?? -1;
      expect(Math.abs(found - exact(quantile)), name).toBeLessThanOrEqual(300);
    }
    expect(ages.get('tiktok')).toBeUndefined();
  });
});
