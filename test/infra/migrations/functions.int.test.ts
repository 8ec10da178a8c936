import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dumpSchema, revisionOf, SCHEMA_FILE } from '../../../infra/migrations/dump-schema.ts';
import { migrate, readFunctions, readRevision } from '../../../src/kernel/postgres/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const CHANGED = 'metering/end_period.sql';

/** A function that does nothing, in place of the one that ends periods. */
const replaceEndPeriod = () =>
  database.db.query(
    `create or replace function metering.end_period(who text, ended timestamptz, moment timestamptz) returns void
     language sql as $$ select $$`,
  );

const applied = async () => {
  const { rows } = await database.db.query<{ name: string; hash: string; revision: number; at: string }>(
    'select * from public.sightline_functions order by name',
  );
  return rows;
};

const isComplete = async () => (await dumpSchema(database.db)) === (await readFile(SCHEMA_FILE, 'utf8'));

it('the functions’ revision was raised with their last change (npm run schema:dump)', async () => {
  const present = await readRevision();
  expect(revisionOf(await readFunctions(), present)).toEqual(present);
});

it('a changed function is applied at the next start, and no other', async () => {
  const before = await applied();
  expect(before.map(({ name }) => name)).toEqual((await readFunctions()).map(({ name }) => name));
  await replaceEndPeriod();
  await database.db.query(`update public.sightline_functions set hash = 'former' where name = $1`, [CHANGED]);
  expect(await isComplete()).toBe(false);
  expect(await migrate(database.db)).toEqual([]);
  expect(await isComplete()).toBe(true);
  const after = await applied();
  expect(after.map(({ name, hash }) => [name, hash])).toEqual(before.map(({ name, hash }) => [name, hash]));
  expect(after.filter((row, i) => row.at !== before[i]?.at)).toEqual([
    expect.objectContaining({ name: CHANGED }),
  ]);
});

it('a function applied by a newer program stays when an older one starts beside it', async () => {
  const { revision } = await readRevision();
  await replaceEndPeriod();
  const newer = await dumpSchema(database.db);
  await database.db.query(
    `update public.sightline_functions set hash = 'newer', revision = $2 where name = $1`,
    [CHANGED, revision + 1],
  );
  await migrate(database.db);
  expect(await dumpSchema(database.db)).toBe(newer);
  expect(await applied()).toContainEqual(
    expect.objectContaining({ name: CHANGED, hash: 'newer', revision: revision + 1 }),
  );
});

it('every function can be applied again', async () => {
  await database.db.query('drop table public.sightline_functions');
  await migrate(database.db);
  expect(await isComplete()).toBe(true);
  expect(await applied()).toHaveLength((await readFunctions()).length);
});
