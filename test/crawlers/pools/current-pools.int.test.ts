import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCurrentPools } from '../../../src/crawlers/pools/current-pools.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { type PoolEvent, poolStream } from '../../../src/write/pools/pool.ts';
import { poolCreated } from '../../support/pools.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const START = Date.UTC(2026, 9, 1);

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const decide = async (pool: string, event: PoolEvent) => {
  await program.log.append(poolStream(pool), [{ id: uuidV7(START), ...event }], 'any');
  await program.project();
};

/** The builds as a process sees them that has not looked at them for long. */
const notLookedAt = () => {
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  const seen = { refreshes: 0, isAway: false };
  const builds = {
    ...program.builds,
    onRefresh: () => undefined,
    confirmedAtMs: () => confirmedAtMs,
    refresh: async () => {
      seen.refreshes += 1;
      if (seen.isAway) throw new Error('no database');
      await program.builds.refresh();
      confirmedAtMs = Number.POSITIVE_INFINITY;
    },
  };
  return { builds, seen };
};

describe('pool settings that a process has not checked for a second', () => {
  it('are checked before they are used, once for everybody who waits', async () => {
    const data = poolCreated('paused', 'x', START);
    await decide('paused', { type: 'PoolCreated', data });
    const { builds, seen } = notLookedAt();
    const pools = createCurrentPools(program.database.db, builds, silentLogger);
    await pools.refresh();
    const signal = pools.whileActive('paused');
    await decide('paused', {
      type: 'PoolPaused',
      data: { at: isoOf(START), why: 'a test', decision: null },
    });
    expect(signal.aborted).toBe(false);
    await Promise.all([pools.confirmed(), pools.confirmed(), pools.confirmed()]);
    expect(signal.aborted).toBe(true);
    expect(pools.active('x')).toEqual([]);
    await pools.confirmed();
    expect(seen.refreshes).toBe(1);
  });

  it('stay unconfirmed while the database does not answer', async () => {
    const { builds, seen } = notLookedAt();
    const pools = createCurrentPools(program.database.db, builds, silentLogger);
    seen.isAway = true;
    await expect(pools.confirmed()).rejects.toThrow('no database');
    seen.isAway = false;
    await pools.confirmed();
    expect(seen.refreshes).toBe(2);
  });
});
