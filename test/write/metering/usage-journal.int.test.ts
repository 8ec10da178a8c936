import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createCharges } from '../../../src/write/metering/charges.ts';
import { foldUsage } from '../../../src/write/metering/maintenance.ts';
import { catalogRead, createMeteringWorld, type MeteringWorld, testPlan } from '../../support/metering.ts';

let world: MeteringWorld;

beforeEach(async () => {
  world = await createMeteringWorld([
    testPlan('small', { units: 20, overage_micro_usd: null }),
    testPlan('large', { units: 100, weights: { catalog: 2, live: 10 } }),
  ]);
  // The first holder of a batch reaches its quota before the others do.
  await world.register('acme', 'small');
  for (const holder of ['beta', 'gamma']) await world.register(holder, 'large');
});
afterEach(() => world.close());

const rowsOf = async (relation: string) =>
  (
    await world.db.query(
      `select holder, period, day::text, key_id, operation, requests::int, refused::int, budget_units::int,
         overage_units::int, live_calls::int
       from ${relation} order by 1, 2, 3, 4, 5`,
    )
  ).rows;

const journalSize = async (): Promise<number> => {
  const { rows } = await world.db.query<{ n: number }>(
    'select ((select count(*) from metering.usage_batches) + (select count(*) from metering.usage_entries))::int as n',
  );
  return rows[0]?.n ?? 0;
};

/** Requests of several holders, keys and endpoints, in one batch and at once. */
const traffic = async (): Promise<void> => {
  const admission = world.admission();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      admission.admit(
        catalogRead(['acme', 'beta', 'gamma'][i % 3] as string, {
          keyId: i % 2 === 0 ? 'key_1' : 'key "2"\\',
          operation: i % 5 === 0 ? 'listDirectory' : 'getDirectoryEntry',
          catalog: i % 4 === 0 ? 0 : 1,
        }),
      ),
    ),
  );
  const charges = createCharges(world.db, silentLogger);
  await Promise.all(
    outcomes.flatMap(({ charge }, i) => (charge !== null && i % 7 === 0 ? [charges.refund(charge)] : [])),
  );
};

describe('the journal of usage', () => {
  it('is part of the ledger before it is folded, and folding changes no entry', async () => {
    // The first batch begins the periods; the second exceeds the quota of one holder, the fourth that of all.
    for (let i = 0; i < 4; i++) await traffic();
    const before = await rowsOf('metering.ledger');
    expect(await rowsOf('metering.usage')).toEqual([]);
    expect(before.map(({ key_id }) => key_id)).toContain('key "2"\\');
    const sums = await world.db.query(
      'select holder, requests::int, budget_units::int from metering.accounts order by 1',
    );
    for (const { holder, requests, budget_units } of sums.rows) {
      const own = before.filter((row) => row.holder === holder);
      const sumOf = (name: string) => own.reduce((sum, row) => sum + row[name], 0);
      expect([holder, sumOf('requests'), sumOf('budget_units')]).toEqual([holder, requests, budget_units]);
    }
    expect(before.some(({ refused }) => refused > 0)).toBe(true);
    const size = await journalSize();
    expect(size).toBeGreaterThan(3);
    expect(await foldUsage(world.db)).toBe(size);
    expect([await journalSize(), await foldUsage(world.db)]).toEqual([0, 0]);
    expect(await rowsOf('metering.usage')).toEqual(before);
    expect(await rowsOf('metering.ledger')).toEqual(before);
    await traffic();
    const later = await rowsOf('metering.ledger');
    await foldUsage(world.db);
    expect(await rowsOf('metering.usage')).toEqual(later);
  });

  it('is folded by one process at a time, during requests, without losing or doubling a line', async () => {
    let working = true;
    const fold = async (): Promise<number> => {
      let folded = 0;
      while (working) folded += await foldUsage(world.db);
      return folded;
    };
    const folding = [fold(), fold(), fold()];
    for (let i = 0; i < 20; i++) await traffic();
    working = false;
    expect((await Promise.all(folding)).some((folded) => folded > 0)).toBe(true);
    const { rows } = await world.db.query(
      `select a.holder, a.requests = sum(l.requests) and a.budget_units = sum(l.budget_units) as is_equal
       from metering.accounts a join metering.ledger l using (holder) group by a.holder order by 1`,
    );
    expect(rows).toEqual(['acme', 'beta', 'gamma'].map((holder) => ({ holder, is_equal: true })));
  });
});
