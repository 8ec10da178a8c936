import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../../src/kernel/postgres/pool.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import type { AppliedEvent } from '../../../../src/projections/projection.ts';
import { people } from '../../../../src/projections/views/people/projection.ts';
import { differences, sizes } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { historiesOf, interleaved } from '../../../support/people-histories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Folds events into a schema of its own, in batches of random sizes. */
const fold = async (schema: string, events: readonly AppliedEvent[], batch: () => number): Promise<void> => {
  const { db } = database;
  await db.query(`create schema ${schema}; ${people.tables(schema)}`);
  const writer = people.open(schema);
  for (let from = 0; from < events.length; ) {
    const part = events.slice(from, from + batch());
    await inTransaction(db, async (client) => {
      await writer.load(client, part);
      for (const event of part) writer.apply(event);
      await writer.store(client);
    });
    from += part.length;
  }
};

describe('the view of people', () => {
  it('has the same rows for any interleaving of streams and any batches, through renames and takeovers', async () => {
    const histories = historiesOf(11, 40, 3);
    const all = interleaved(histories, 0);
    await fold('whole', all, () => all.length);
    const { accounts = 0, people: persons = 0 } = await sizes(database.db, 'whole');
    expect(accounts).toBeGreaterThan(300);
    expect(persons).toBeLessThan(accounts - 80);
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed);
      const schema = `interleaved_${seed}`;
      await fold(schema, interleaved(histories, seed), () => 1 + Math.floor(random.next() * 40));
      expect(await differences(database.db, 'whole', schema), `interleaving ${seed}`).toEqual([]);
    }
  });
});
