import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { createRejectionCount, type RejectionCount } from '../../../../src/write/metering/rejections.ts';
import { catalogRead, createMeteringWorld, type MeteringWorld, testPlan } from '../../../support/metering.ts';
import { until } from '../../../support/wait.ts';

let world: MeteringWorld;
let count: RejectionCount;

beforeEach(async () => {
  world = await createMeteringWorld([testPlan('plan')]);
  for (const holder of ['acme', 'busy']) {
    await world.register(holder, 'plan');
    await world.admission().admit(catalogRead(holder));
  }
  count = createRejectionCount(world.db, silentLogger);
});
afterEach(() => world.close());

const told = async () => {
  const { rows } = await world.db.query(
    'select holder, key_id, operation, requests::int, refused::int from metering.ledger where refused > 0 order by 1, 2, 3',
  );
  return rows;
};
const line = (holder: string, refused: number, more: object = {}) => ({
  holder,
  key_id: 'key_1',
  operation: 'getDirectoryEntry',
  requests: 1,
  refused,
  ...more,
});

it('requests refused from memory reach the usage record, by key and operation', async () => {
  for (let i = 0; i < 500; i++) count.add(catalogRead('acme'));
  count.add(catalogRead('acme', { operation: 'listDirectory' }));
  count.add(catalogRead('acme', { keyId: 'key_2' }));
  await count.flush();
  count.add(catalogRead('acme'));
  await until('it tells by itself', async () => (await told())[0]?.refused === 501);
  expect(await told()).toEqual([
    line('acme', 501),
    line('acme', 1, { operation: 'listDirectory', requests: 0 }),
    line('acme', 1, { key_id: 'key_2', requests: 0 }),
  ]);
  expect(await world.account('acme')).toMatchObject({ requests: 1, budget_units: 1, window_requests: 1 });
});

it('a holder locked by another process delays no other, and is recorded later', async () => {
  const other = await world.db.connect();
  await other.query('begin');
  await other.query(`select metering.lock_holder('busy')`);
  count.add(catalogRead('busy'));
  count.add(catalogRead('acme'));
  await count.flush();
  expect(await told()).toEqual([line('acme', 1)]);
  await other.query('commit');
  other.release();
  await until('it is told', async () => (await told()).length === 2);
  expect(await told()).toEqual([line('acme', 1), line('busy', 1)]);
});
