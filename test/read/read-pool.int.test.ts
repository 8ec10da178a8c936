import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: ReadPool;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  pool = await openReadPool(database.url, 1);
  return () => pool.end();
});
afterAll(() => database.drop());

const pid = () => pool.oneFirst(sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid`);

it('rows have times as text, and whole numbers as the service uses them', async () => {
  const row = z.object({ at: z.string(), count: z.string(), none: z.null() });
  expect(
    await pool.one(
      sql.type(
        row,
      )`select timestamptz '2026-11-21 08:00+05:45' as at, 5::int8 as count, ${null}::text as none`,
    ),
  ).toEqual({ at: '2026-11-21T02:15:00.000Z', count: '5', none: null });
});

it('the pool replaces a connection that the server ends during a query', async () => {
  const ended = await pid();
  await expect(pool.any(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow();
  expect(await pid()).not.toBe(ended);
});

it('the pool replaces a connection that the server ends while idle', async () => {
  const ended = await pid();
  await database.db.query('select pg_terminate_backend($1, 5000)', [ended]);
  // That it ended may be noticed by the next query only.
  expect(await pid().catch(pid)).not.toBe(ended);
});
