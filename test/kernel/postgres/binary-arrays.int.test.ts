import { afterAll, beforeAll, expect, it } from 'vitest';
import { binaryTextArray, binaryUuidArray } from '../../../src/kernel/postgres/values.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ID = '0198a5d2-6f3b-7c41-9e55-00ffab12cd34';

it.each([
  { texts: [], ids: [] },
  { texts: [''], ids: [ID] },
  { texts: ['{"a":"\\"b\\\\"}', 'null', 'žluťoučký 😀', ','], ids: [ID, ID.toUpperCase()] },
])('Postgres receives $texts and $ids unchanged', async ({ texts, ids }) => {
  const { rows } = await database.db.query('select $1::text[] as texts, $2::uuid[]::text[] as ids', [
    binaryTextArray(texts),
    binaryUuidArray(ids),
  ]);
  expect(rows).toEqual([{ texts, ids: ids.map((id) => id.toLowerCase()) }]);
});

it.each(['', ID.slice(1), `{${ID}}`, ID.replaceAll('-', ''), `g${ID.slice(1)}`])(
  'a value that is not a UUID is refused: "%s"',
  (id) => {
    expect(() => binaryUuidArray([id])).toThrow(TypeError);
  },
);
