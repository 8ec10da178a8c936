import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uuidV5 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Statement } from '../../src/kernel/postgres/statement.ts';
import { auditLedger } from '../../src/operations/usage/usage.ts';
import type { Runtime } from '../../src/runtime/open-runtime.ts';
import { holderStream } from '../../src/write/holders/holder.ts';
import { createCharges } from '../../src/write/metering/charges.ts';
import {
  endIdlePeriods,
  foldUsage,
  releaseExpired,
  settlePeriods,
} from '../../src/write/metering/maintenance.ts';
import {
  catalogRead,
  createMeteringWorld,
  liveCall,
  type MeteringWorld,
  testPlan,
} from '../support/metering.ts';
import { until } from '../support/wait.ts';

let world: MeteringWorld;

const START = '2026-11-01T00:00:00.000Z';

const creditOf = (round: number) => ({
  id: uuidV5(`credit ${round}`),
  type: 'WalletCredited',
  data: { at: START, amount_micro_usd: '30000', reference: null },
});

beforeEach(async () => {
  world = await createMeteringWorld([testPlan('paid', { units: 20, overage_micro_usd: 1_000 })]);
});
afterEach(() => world.close());

describe('an audit', () => {
  it('finds nothing during requests, refunds, credits and settlements', async () => {
    const { db, log } = world;
    const program = {
      db,
      asyncCommitDb: db,
      log,
      url: world.database.url,
      logger: silentLogger,
    } as Partial<Runtime> as Runtime;
    const holders = ['acme', 'beta', 'gamma'];
    for (const holder of holders) {
      await world.register(holder, 'paid', START);
      await world.tell(holder, { type: 'OverageSet', data: { at: START, on: true, cap_micro_usd: null } });
    }
    const charges = createCharges(db, silentLogger);
    const admission = world.admission();
    let over = false;
    const audits: number[] = [];
    const traffic = async (): Promise<void> => {
      // Each round is in a period of its own, so that there is always one to settle.
      for (let round = 0; round < 15; round++) {
        const day = Date.parse(START) + round * 30 * 86_400_000;
        world.time = new Date(day).toISOString();
        const later = new Date(day + 29 * 86_400_000).toISOString();
        await Promise.all(
          holders.map(async (holder, i) => {
            const [read, kept, left, batch, chunk] = await Promise.all([
              admission.admit(catalogRead(holder)),
              admission.admit(liveCall(holder)),
              admission.admit(liveCall(holder)),
              admission.admit(liveCall(holder, 3)),
              admission.admit(catalogRead(holder, { catalog: 5, reserve: true })),
            ]);
            if (read.charge !== null) await charges.refund(read.charge);
            if (i > 0 && kept.charge?.reservation != null)
              await charges.settle(kept.charge.reservation, null);
            if (i > 1 && left.charge !== null) await charges.refund(left.charge);
            for (const { charge } of [batch, chunk])
              if (charge?.reservation != null) await charges.settle(charge.reservation, i + 1);
          }),
        );
        // The audit's own runner folds it: only one may.
        await log.append(holderStream('beta'), [creditOf(round)], 'any');
        await releaseExpired(db, later);
        await endIdlePeriods(db, world.schema, world.plans, new Date(day + 30 * 86_400_000).toISOString());
        await settlePeriods(db, log, new Date(day + 31 * 86_400_000).toISOString());
        if (round % 3 !== 0) await foldUsage(db);
        const before = audits.length;
        // On a busy machine the traffic would be over before a few audits are.
        if (round < 9) await until('an audit is made meanwhile', () => audits.length > before);
      }
      over = true;
    };
    const auditing = async (): Promise<void> => {
      while (!over) {
        const { ledger, differences } = await auditLedger(program, null, () => undefined);
        expect(differences).toEqual([]);
        audits.push(ledger.settled.length);
      }
    };
    await Promise.all([traffic(), auditing()]);
    // It saw the ledger at different times, and all of it in the end.
    expect(new Set(audits).size).toBeGreaterThan(3);
    const { ledger, differences } = await auditLedger(program, null, () => undefined);
    expect([differences, ledger.settled.length]).toEqual([[], 45]);
  });

  it.each(['before the rows are read', 'among the rows', 'after the rows are read'])(
    'is of one moment: what comes %s is no difference',
    async (when) => {
      const { db, log } = world;
      await world.register('acme', 'paid', START);
      await world.tell(
        'acme',
        { type: 'OverageSet', data: { at: START, on: true, cap_micro_usd: null } },
        creditOf(0) as never,
      );
      const admission = world.admission();
      world.time = START;
      for (let i = 0; i < 25; i++) await admission.admit(catalogRead('acme'));
      await endIdlePeriods(db, world.schema, world.plans, '2026-12-01T00:00:00.000Z');
      let came = false;
      /** Overage in the next period, and the first one's settlement. */
      const come = async (): Promise<void> => {
        if (came) return;
        came = true;
        world.time = '2026-12-05T00:00:00.000Z';
        for (let i = 0; i < 23; i++) await admission.admit(catalogRead('acme'));
        await settlePeriods(db, log, '2026-12-05T00:00:00.000Z');
      };
      let heads = 0;
      const watchedLog = {
        ...log,
        head: async () => {
          heads += 1;
          if (when.startsWith('after') && heads === 3) await come();
          const position = await log.head();
          if (when.startsWith('before') && heads === 2) await come();
          return position;
        },
      };
      const watchedDb: typeof db = Object.create(db, {
        query: { value: db.query.bind(db) },
        connect: {
          value: async () => {
            const client = await db.connect();
            const query = async (statement: Statement) => {
              if (when.startsWith('among') && statement.text.includes('metering.ledger')) await come();
              return client.query(statement);
            };
            return Object.create(client, { query: { value: query } });
          },
        },
      });
      const program = { db: watchedDb, asyncCommitDb: db, log: watchedLog, url: world.database.url };
      const { differences } = await auditLedger(
        { ...program, logger: silentLogger } as Partial<Runtime> as Runtime,
        null,
        () => undefined,
      );
      expect([came, differences]).toEqual([true, []]);
      const { rows } = await db.query('select published_at from metering.periods');
      expect(rows).toEqual([{ published_at: expect.any(String) }]);
    },
  );
});
