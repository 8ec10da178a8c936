import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV5 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { holderStream } from '../../../src/write/holders/holder.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { createCharges } from '../../../src/write/metering/charges.ts';
import { endIdlePeriods, releaseExpired, settlePeriods } from '../../../src/write/metering/maintenance.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { catalogRead, createMeteringWorld, liveCall, testPlan } from '../../support/metering.ts';
import { audit, createTestFolder, load, openTestDatabaseLog, project, save } from './world.ts';

const START = '2026-11-01T00:00:00.000Z';
const PLANS = [testPlan('paid', { units: 20, overage_micro_usd: 1_000 })];

let folder: Awaited<ReturnType<typeof createTestFolder>>;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

const credit = (cause: string) => ({
  id: uuidV5(cause),
  type: 'WalletCredited',
  data: { at: START, amount_micro_usd: '30000', reference: null },
});

/** Puts a backup into a database of its own, with the holders' read model, and looks at it. */
const restored = async <T>(
  backup: string | readonly string[],
  look: (database: TestDatabase, log: EventLog) => Promise<T>,
): Promise<T> => {
  const database = await createTestDatabase();
  const log = openTestDatabaseLog(database);
  try {
    await load(database, backup);
    await project(database.db, log, holders);
    return await look(database, log);
  } finally {
    await log.close();
    await database.drop();
  }
};

describe('a backup', () => {
  it('that is made while holders are charged, refunded and settled is consistent', {
    tags: 'long',
  }, async () => {
    const world = await createMeteringWorld(PLANS);
    const { db, log } = world;
    const names = ['acme', 'beta', 'gamma'];
    for (const holder of names) {
      await world.register(holder, 'paid', START);
      await world.tell(holder, { type: 'OverageSet', data: { at: START, on: true, cap_micro_usd: null } });
    }
    const charges = createCharges(db, silentLogger);
    const admission = world.admission();
    let over = false;
    const backups: string[] = [];
    const traffic = async (): Promise<void> => {
      // For as long as it takes to save a few backups.
      for (let round = 0; round < 20 || (backups.length < 4 && round < 200); round++) {
        const day = Date.parse(START) + round * 30 * 86_400_000;
        world.time = new Date(day).toISOString();
        const at = (days: number) => new Date(day + days * 86_400_000).toISOString();
        await Promise.all(
          names.map(async (holder, i) => {
            const [read, kept] = await Promise.all([
              admission.admit(catalogRead(holder)),
              admission.admit(liveCall(holder)),
              admission.admit(liveCall(holder)),
            ]);
            if (read.charge !== null) await charges.refund(read.charge);
            if (i > 0 && kept.charge?.reservation != null)
              await charges.settle(kept.charge.reservation, null);
          }),
        );
        await world.tell('beta', credit(`credit ${round}`) as never);
        await releaseExpired(db, at(29));
        await endIdlePeriods(db, world.schema, world.plans, at(30));
        await settlePeriods(db, log, at(31));
      }
      over = true;
    };
    const saving = async (): Promise<void> => {
      while (!over) {
        const out = folder.of(`busy${backups.length}`);
        await save(db, log, out);
        backups.push(out);
      }
    };
    await Promise.all([traffic(), saving()]);
    const settled = new Set<number>();
    // The first, the last, and some between.
    const step = Math.max(1, Math.floor(backups.length / 8));
    for (const backup of backups.filter((_, i) => i % step === 0)) {
      const { differences, ledger } = await restored(backup, audit);
      expect(differences).toEqual([]);
      settled.add(ledger.settled.length);
    }
    expect(settled.size).toBeGreaterThan(2);
    await world.close();
  });

  it('excludes a settlement after its tables were read, which is published again after a restore', async () => {
    const world = await createMeteringWorld(PLANS);
    const { db, log } = world;
    await world.register('acme', 'paid', START);
    world.time = START;
    await world.admission().admit(catalogRead('acme'));
    await endIdlePeriods(db, world.schema, world.plans, '2026-12-01T00:00:00.000Z');
    let heads = 0;
    const settling: EventLog = {
      ...log,
      head: async () => {
        // Asked before the tables are read, and after.
        if (heads++ === 1) expect(await settlePeriods(db, log, '2026-12-05T00:00:00.000Z')).toBe(1);
        return log.head();
      },
    };
    const out = folder.of('between');
    await save(db, settling, out);
    expect((await log.readStream(holderStream('acme'))).at(-1)?.type).toBe('UsageSettled');
    await restored(out, async (database, restoredLog) => {
      const types = async () => (await restoredLog.readStream(holderStream('acme'))).map(({ type }) => type);
      expect(await types()).not.toContain('UsageSettled');
      expect((await audit(database, restoredLog)).differences).toEqual([]);
      expect(await settlePeriods(database.db, restoredLog, '2026-12-06T00:00:00.000Z')).toBe(1);
      expect(await types()).toContain('UsageSettled');
      expect((await audit(database, restoredLog)).differences).toEqual([]);
    });
    // An incremental backup has the settlement, and what was recorded after it.
    await world.tell('acme', credit('later') as never);
    const next = folder.of('next');
    await save(db, log, next, undefined, undefined, out);
    await restored([out, next], async (database, restoredLog) => {
      const types = (await restoredLog.readStream(holderStream('acme'))).map(({ type }) => type);
      expect(types).toEqual((await log.readStream(holderStream('acme'))).map(({ type }) => type));
      expect(types.filter((type) => type === 'UsageSettled')).toHaveLength(1);
      expect((await audit(database, restoredLog)).differences).toEqual([]);
    });
    await world.close();
  });
});
