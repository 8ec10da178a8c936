import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tunePool } from '../../../src/operations/pools/change-pool.ts';
import { runOnce } from '../../../src/operations/research/research.ts';
import { agePools, createResearchProgram, type ResearchProgram } from '../../support/research.ts';

const HOUR_MS = 3_600_000;

let test: ResearchProgram;
beforeAll(async () => {
  test = await createResearchProgram();
  const { db } = test.database;
  const { rows } = await db.query(
    `select schema_name as schema from projections.builds where projection = 'frontier' and status = 'active'`,
  );
  const [{ schema }] = rows;
  // Nine of ten accounts are due for twenty hours; they may be late by a tenth of a week.
  const slot = Math.floor(Date.now() / HOUR_MS) - 20;
  await db.query(
    `insert into ${schema}.members (platform, pool, n, absent, seeds) values ('x', 'press', 1000, 0, 0)`,
  );
  await db.query(`insert into ${schema}.due_slots (platform, pool, slot, n) values ('x', 'press', $1, 900)`, [
    slot,
  ]);
});
afterAll(() => test.close());

/** Pools that a run finds stale now. */
const stale = async () => {
  const { findings } = await runOnce(test.program, { trigger: 'operator', seed: 7, dryRun: true });
  return findings.filter(({ kind }) => kind === 'pool_stale').map(({ subject }) => subject);
};

describe('late accounts', () => {
  it('make a pool stale', async () => {
    expect(await stale()).toEqual(['press']);
  });

  it('are not late while their pool is closed', async () => {
    const hour = (new Date().getUTCHours() + 12) % 24;
    await tunePool(test.program, 'press', { schedule: `* ${hour} * * *` });
    expect(await stale()).toEqual([]);
    await tunePool(test.program, 'press', { schedule: null });
    expect(await stale()).toEqual(['press']);
  });

  it('are unknown while the frontier lags behind the log', async () => {
    await agePools(test.database, 1);
    expect(await stale()).toEqual([]);
  });
});
