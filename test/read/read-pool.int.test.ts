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

it('has times as text, and whole numbers as the service has them', async () => {
  const row = z.object({ at: z.string(), count: z.string(), none: z.null() });
  expect(
    await pool.one(
      sql.type(
        row,
      )`select timestamptz '2026-11-21 08:00+05:45' as at, 5::int8 as count, ${null}::text as none`,
    ),
  ).toEqual({ at: '2026-11-21T02:15:00.000Z', count: '5', none: null });
});

it.for([
  ['while a query waits', true],
  ['while nothing is asked', false],
] as const)('replaces a connection that the server ends %s', async ([, isAsked]) => {
  const ended = await pid();
  const waiting = isAsked ? pool.any(sql.unsafe`select pg_sleep(0.9)`) : Promise.resolve([]);
  const outcome = waiting.then(
    () => 'answered',
    () => 'failed',
  );
  const state = "select state from pg_stat_activity where pid = $1 and query like '%pg_sleep(0.9)%'";
  if (isAsked)
    await expect
      .poll(async () => (await database.db.query(state, [ended])).rows)
      .toEqual([{ state: 'active' }]);
  await database.db.query('select pg_terminate_backend($1, 5000)', [ended]);
  expect(await outcome).toBe(isAsked ? 'failed' : 'answered');
  // One that ended meanwhile may be noticed by the next query only.
  const next = await pid().catch(pid);
  expect(next).not.toBe(ended);
});
