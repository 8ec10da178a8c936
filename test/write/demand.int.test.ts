import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createDemand, DEMAND_OF_HOLDER, type Demand } from '../../src/write/demand.ts';
import { NOTHING_ERASED } from '../../src/write/erasure/fence.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let demand: Demand;
beforeAll(async () => {
  database = await createTestDatabase();
  demand = createDemand(database.db, silentLogger, NOTHING_ERASED);
});
afterAll(async () => {
  await demand.close();
  await database.drop();
});
beforeEach(() => database.db.query('delete from crawl.demand'));

const askedBy = async (holder: string): Promise<readonly string[]> => {
  const { rows } = await database.db.query<{ handle: string }>(
    'select handle from crawl.demand where holder = $1 order by at desc, handle',
    [holder],
  );
  return rows.map(({ handle }) => handle);
};

/** As many look-ups as a holder sends between two flushes and more, until its quota is exceeded. */
const flood = async (holder: string): Promise<void> => {
  for (let n = 0; n < 2 * DEMAND_OF_HOLDER; n++) {
    demand.count('x', `invented${n}`, holder);
    if (n % 400 === 399) await demand.flush();
  }
};

it('a holder that fills its quota takes nothing from the demand of others', async () => {
  demand.count('x', 'wanted', 'early');
  await flood('greedy');
  for (const holder of ['late', 'later']) demand.count('x', 'wanted', holder);
  await demand.flush();
  expect(await askedBy('greedy')).toHaveLength(DEMAND_OF_HOLDER);
  for (const holder of ['early', 'late', 'later']) expect(await askedBy(holder)).toEqual(['wanted']);
});

it('a holder that asks for too many between two flushes takes nothing from others', async () => {
  for (let n = 0; n < 10_000; n++) demand.count('x', `invented${n}`, 'greedy');
  demand.count('x', 'wanted', 'other');
  await demand.flush();
  expect(await askedBy('other')).toEqual(['wanted']);
  expect((await askedBy('greedy')).length).toBeLessThan(DEMAND_OF_HOLDER);
  expect(await askedBy('greedy')).toContain('invented9999');
});

it('what a holder asked for last takes the place of what it asked for first', async () => {
  await flood('greedy');
  demand.count('x', 'invented3999', 'greedy');
  demand.count('x', 'newest', 'greedy');
  await demand.flush();
  const asked = await askedBy('greedy');
  expect(asked).toHaveLength(DEMAND_OF_HOLDER);
  expect(asked.slice(0, 2)).toEqual(['invented3999', 'newest']);
  expect(asked).not.toContain('invented0');
});
