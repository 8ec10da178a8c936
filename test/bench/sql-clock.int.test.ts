import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { sqlClock } from '../../bench/soak/sql-clock.ts';
import { timeAt } from '../../src/kernel/clock.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { migrate } from '../../src/kernel/postgres/migrate.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';

/** A day that began an hour ago, 48 times as fast: it shows the day after tomorrow. */
const PACE = { originMs: Date.now() - 3_600_000, speed: 48 };
const NAME = `clock_${randomBytes(4).toString('hex')}`;

let admin: pg.Pool;
let db: pg.Pool;
let url: string;

beforeAll(async () => {
  const at = new URL(inject('databaseServer'));
  at.pathname = '/postgres';
  admin = createPool(at.href, { max: 1, logger: silentLogger, name: 'test' });
  await admin.query(`create database ${NAME}`);
  at.pathname = `/${NAME}`;
  url = at.href;
  const first = createPool(url, { max: 1, logger: silentLogger, name: 'test' });
  for (const statement of sqlClock(NAME, PACE)) await first.query(statement);
  await first.end();
  db = createPool(url, { max: 2, logger: silentLogger, name: 'test' });
  await migrate(db);
});

afterAll(async () => {
  await db.end();
  await admin.query(`drop database ${NAME} with (force)`);
  await admin.end();
});

/** Expects a time that was shown between two real ones. */
const expectBetween = (shownMs: number, beforeMs: number, afterMs: number): void => {
  // Postgres has microseconds, JavaScript milliseconds.
  expect(shownMs).toBeGreaterThanOrEqual(timeAt(PACE, beforeMs) - PACE.speed);
  expect(shownMs).toBeLessThanOrEqual(timeAt(PACE, afterMs + 1) + PACE.speed);
};

it.each(['now()', 'clock_timestamp()'])('%s of a database with a clock follows its pace', async (call) => {
  const before = Date.now();
  const { rows } = await db.query<{ at: string }>(`select ${call} as at`);
  expectBetween(Date.parse(rows[0]?.at ?? ''), before, Date.now());
});

it('within a transaction now() stands still, and clock_timestamp() does not', async () => {
  const client = await db.connect();
  const read = async () => {
    const { rows } = await client.query<{ now: string; clock: string }>(
      'select now() as now, clock_timestamp() as clock from pg_sleep(0.002)',
    );
    return { now: Date.parse(rows[0]?.now ?? ''), clock: Date.parse(rows[0]?.clock ?? '') };
  };
  await client.query('begin');
  const [first, second] = [await read(), await read()];
  await client.query('rollback');
  client.release();
  expect(second.now).toBe(first.now);
  expect(second.clock).toBeGreaterThan(first.clock);
});

it('functions and column defaults of a migrated database use its clock', async () => {
  const before = Date.now();
  const log = createPostgresLog(db, url, silentLogger);
  await log.append('pool-a', [{ id: uuidV7(before), type: 'Any', data: {} }], 'any');
  await log.close();
  await db.query(`insert into crawl.demand (platform, handle, holder) values ('x', 'ada', 'h')`);
  const { rows } = await db.query<{ at: string }>(
    'select recorded_at as at from log.events union all select at from crawl.demand',
  );
  expect(rows).toHaveLength(2);
  for (const { at } of rows) expectBetween(Date.parse(at), before, Date.now());
});
