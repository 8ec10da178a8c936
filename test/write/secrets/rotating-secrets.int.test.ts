import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../src/kernel/postgres/pool.ts';
import { cursorSecrets, verificationSecrets } from '../../../src/write/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each([
  ['of cursors', cursorSecrets],
  ['of ownership codes', verificationSecrets],
] as const)('secrets %s verify for a while after replacement, unless ended at once', async (_, secrets) => {
  const { db } = database;
  const idsOf = async () => (await secrets.load(db)).map(({ id }) => id);
  const [first] = await idsOf();
  await inTransaction(db, (client) => secrets.rotate(client));
  const [second, ...older] = await idsOf();
  expect(older).toEqual([first]);
  expect(second).not.toBe(first);
  await inTransaction(db, (client) => secrets.rotate(client, true));
  const left = await idsOf();
  expect(left).toHaveLength(1);
  expect([first, second]).not.toContain(left[0]);
});
