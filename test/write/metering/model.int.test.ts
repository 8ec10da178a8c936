import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createPool } from '../../../src/kernel/postgres/pool.ts';
import { createAdmission } from '../../../src/write/metering/admission.ts';
import { type Charges, createCharges } from '../../../src/write/metering/charges.ts';
import { METERING_SETTINGS } from '../../../src/write/metering/entitlements.ts';
import { releaseExpired } from '../../../src/write/metering/maintenance.ts';
import type { Admitted, Charge } from '../../../src/write/metering/quota.ts';
import { faultCount } from '../../support/faults.ts';
import { catalogRead, createMeteringWorld, liveCall, type MeteringWorld } from '../../support/metering.ts';
import { decide, type Model, type ModelCharge, newModel, refundBatch } from './model.ts';
import {
  applyChange,
  type Change,
  clockChange,
  creditChange,
  iso,
  overageChange,
  PLANS,
  PROCESSES,
  planChange,
  START,
} from './model-steps.ts';

/** What a request becomes once it is let in. */
type Fate = 'answered' | 'failed';

type Step =
  | {
      readonly kind: 'requests';
      readonly process: number;
      readonly asks: readonly (readonly ['free' | 'read' | 'live', Fate])[];
    }
  | Change;

const ask = fc.tuple(
  fc.constantFrom('free' as const, 'read' as const, 'read' as const, 'live' as const),
  fc.constantFrom('answered' as const, 'answered' as const, 'failed' as const),
);

/** Few reads at a time: they end up at every place around the limits. */
const fewReads = fc.array(fc.tuple(fc.constant('read' as const), fc.constant('answered' as const)), {
  minLength: 1,
  maxLength: 4,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('requests' as const),
      process: fc.nat(PROCESSES - 1),
      asks: fc.oneof(fc.array(ask, { minLength: 1, maxLength: 25 }), fewReads),
    }),
  },
  { weight: 2, arbitrary: clockChange },
  { weight: 1, arbitrary: planChange },
  { weight: 1, arbitrary: overageChange },
  { weight: 1, arbitrary: creditChange },
);

let world: MeteringWorld;
let pools: pg.Pool[];
let charges: Charges;
let runs = 0;

beforeAll(async () => {
  world = await createMeteringWorld(PLANS);
  pools = Array.from({ length: PROCESSES }, (_, i) =>
    createPool(world.database.url, {
      max: 4,
      logger: silentLogger,
      name: `process ${i}`,
      settings: METERING_SETTINGS,
    }),
  );
  charges = createCharges(world.db, silentLogger);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await world.close();
});

/** Everything of a holder in the ledger: what was charged less what was given back. */
const ledgerOf = async (holder: string) => {
  const { rows } = await world.db.query(
    `select coalesce(sum(budget_units), 0)::int as budget, coalesce(sum(overage_units), 0)::int as overage,
       coalesce(sum(overage_micro_usd), 0)::int as paid, coalesce(sum(live_calls), 0)::int as live,
       coalesce(sum(requests), 0)::int as requests
     from metering.ledger where holder = $1`,
    [holder],
  );
  return rows[0] as Record<'budget' | 'overage' | 'paid' | 'live' | 'requests', number>;
};

describe('admission of any requests in any order', { tags: 'faults' }, () => {
  it('decides like a model of one request after the other, and the ledger adds up', {
    tags: 'long',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        const holder = `h${runs++}`;
        let now = START + 1_000;
        let position = 0;
        await world.register(holder, 'low', iso(START));
        const admissions = pools.map((pool) =>
          createAdmission(
            pool,
            () => world.schema,
            world.plans,
            () => iso(now),
          ),
        );
        const model: Model = newModel(PLANS[1], START);
        const expected = { budget: 0, overage: 0, paid: 0, live: 0, requests: 0 };
        for (const each of steps) {
          if (each.kind !== 'requests') {
            now = await applyChange(world, holder, model, each, now);
            continue;
          }
          const admission = admissions[each.process] as (typeof admissions)[number];
          const told = await Promise.all(
            each.asks.map(([kind]) =>
              admission.admit(
                kind === 'live'
                  ? liveCall(holder)
                  : catalogRead(holder, { catalog: kind === 'read' ? 1 : 0 }),
              ),
            ),
          );
          const back: { charge: Charge; model: ModelCharge; live: number }[] = [];
          for (const [i, [kind, fate]] of each.asks.entries()) {
            const is = told[i] as Admitted;
            const live = kind === 'live' ? 1 : 0;
            const should = decide(model, now, kind === 'read' ? 1 : 0, live);
            const at = `request ${position++}: ${kind}`;
            expect([at, is.refused]).toEqual([at, should.refused]);
            expect([at, is.quota.budgetUnits, is.quota.overageUnits, is.quota.liveCalls]).toEqual([
              at,
              model.period?.budget,
              model.period?.overage,
              model.period?.live,
            ]);
            if (model.overageOn) expect(is.quota.balanceMicroUsd).toBe(model.credit - model.charged);
            expect(is.quota.burstLeft).toBe(
              Math.max(0, model.plan.requests_per_minute - (model.burst?.count ?? 0)),
            );
            if (is.charge === null) continue;
            expect([is.charge.budgetUnits, is.charge.overageUnits, is.charge.overageMicroUsd]).toEqual([
              should.budget,
              should.overage,
              should.paid,
            ]);
            expected.requests += 1;
            if (fate === 'failed') back.push({ charge: is.charge, model: should, live });
            else {
              if (is.charge.reservation !== null)
                expect(await charges.settle(is.charge.reservation, null)).toEqual({ is: 'whole' });
              expected.budget += should.budget;
              expected.overage += should.overage;
              expected.paid += should.paid;
              expected.live += live;
            }
          }
          await Promise.all(back.map(({ charge }) => charges.refund(charge)));
          for (const each of back) refundBatch(model, each.model, each.live);
          expect(await ledgerOf(holder)).toEqual(expected);
        }
        const account = await world.account(holder);
        if (account.charged_micro_usd !== undefined) expect(account.charged_micro_usd).toBe(model.charged);
      }),
      { numRuns: faultCount(300, 60), seed: 20261121 },
    );
  });

  it('gives each period its own quota while plans change under many processes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ process: fc.nat(PROCESSES - 1), asks: fc.array(ask, { minLength: 5, maxLength: 25 }) }),
          {
            minLength: 4,
            maxLength: 10,
          },
        ),
        fc.array(fc.constantFrom('none', 'high', 'low'), { minLength: 1, maxLength: 4 }),
        async (waves, changes) => {
          const holder = `h${runs++}`;
          await world.register(holder, 'low', iso(START));
          let sure = 0;
          let second = 0;
          const now = () => iso(START + 61_000 * second++);
          const work = async ({ process, asks }: (typeof waves)[number]) => {
            const at = now();
            const admission = createAdmission(
              pools[process] as pg.Pool,
              () => world.schema,
              world.plans,
              () => at,
            );
            const own = createCharges(pools[process] as pg.Pool, silentLogger);
            await Promise.all(
              asks.map(async ([kind, fate]) => {
                const { charge } = await admission.admit(
                  kind === 'live'
                    ? liveCall(holder)
                    : catalogRead(holder, { catalog: kind === 'read' ? 1 : 0 }),
                );
                if (charge === null) return;
                if (fate === 'failed') await own.refund(charge);
                else {
                  if (charge.reservation !== null) {
                    expect(await own.settle(charge.reservation, null)).toEqual({ is: 'whole' });
                  }
                  sure += charge.budgetUnits;
                }
              }),
            );
          };
          const change = async () => {
            for (const plan of changes) {
              await world.tell(holder, { type: 'PlanChosen', data: { at: now(), plan } });
            }
          };
          await Promise.all([...waves.map(work), change()]);
          const { rows } = await world.db.query<{ plan: string; units: number; groups: number }>(
            `select p.plan, p.budget_units::int as units,
               (select coalesce(sum(u.budget_units), 0)::int from metering.ledger u
                where u.holder = p.holder and u.period = p.period) as groups
             from (select holder, period, plan, budget_units from metering.periods
                   union all select holder, period, plan, budget_units from metering.accounts) p
             where p.holder = $1`,
            [holder],
          );
          for (const { plan, units, groups } of rows) {
            expect(units).toBeLessThanOrEqual(world.plans.find(plan)?.units ?? 0);
            expect(units).toBe(groups);
          }
          // Nobody crashed: what was charged is what was answered.
          expect(rows.reduce((sum, { units }) => sum + units, 0)).toBe(sure);
        },
      ),
      { numRuns: faultCount(40, 15), seed: 20261123 },
    );
  });

  it('never exceeds quota and wallet, or charges twice, when processes crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            process: fc.nat(PROCESSES - 1),
            asks: fc.array(ask, { minLength: 1, maxLength: 20 }),
            crash: fc.nat(9).map((n) => n < 3),
          }),
          { minLength: 3, maxLength: 10 },
        ),
        fc.integer({ min: 0, max: 150 }),
        async (waves, credit) => {
          const holder = `h${runs++}`;
          await world.register(holder, 'low', iso(START));
          if (credit > 0) {
            await world.tell(
              holder,
              { type: 'OverageSet', data: { at: iso(START), on: true, cap_micro_usd: '80' } },
              {
                type: 'WalletCredited',
                data: { at: iso(START), amount_micro_usd: String(credit), reference: null },
              },
            );
          }
          let minute = 0;
          /** What callers were told, and what a crash left in doubt. */
          const sure = { budget: 0, overage: 0, paid: 0 };
          const doubt = { units: 0 };
          const work = async ({ process, asks, crash }: (typeof waves)[number]) => {
            const now = iso(START + minute++ * 61_000);
            const pool = crash
              ? createPool(world.database.url, {
                  max: 3,
                  logger: silentLogger,
                  name: `crash ${holder}`,
                  settings: METERING_SETTINGS,
                })
              : (pools[process] as pg.Pool);
            const own = createCharges(pool, silentLogger);
            const admission = createAdmission(
              pool,
              () => world.schema,
              world.plans,
              () => now,
            );
            const running = asks.map(async ([kind, fate]) => {
              const cost = kind === 'live' ? 10 : kind === 'read' ? 1 : 0;
              let answered = false;
              try {
                const { charge } = await admission.admit(
                  kind === 'live' ? liveCall(holder) : catalogRead(holder, { catalog: cost }),
                );
                if (charge === null) return;
                if (fate === 'failed') {
                  await own.refund(charge);
                  answered = true;
                  return;
                }
                if (charge.reservation !== null) {
                  if ((await own.settle(charge.reservation, null)).is === 'expired') return;
                }
                answered = true;
                sure.budget += charge.budgetUnits;
                sure.overage += charge.overageUnits;
                sure.paid += charge.overageMicroUsd;
              } catch {
                // The connection is gone: nobody is answered.
              } finally {
                if (!answered) doubt.units += cost;
              }
            });
            if (crash) {
              await world.db.query(
                `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`,
                [`sightline crash ${holder}`],
              );
            }
            await Promise.all(running);
            if (crash) await pool.end();
          };
          await Promise.all(waves.map(work));
          // What crashes left of live calls comes back.
          await releaseExpired(world.db, '2030-01-01T00:00:00.000Z');
          const ledger = await ledgerOf(holder);
          const charged = ledger.budget + ledger.overage;
          expect(ledger.budget).toBeLessThanOrEqual(30);
          expect(ledger.paid).toBeLessThanOrEqual(Math.min(80, credit));
          expect(charged).toBeGreaterThanOrEqual(sure.budget + sure.overage);
          expect(charged).toBeLessThanOrEqual(sure.budget + sure.overage + doubt.units);
          expect(ledger.paid).toBe(ledger.overage * 7);
          const account = await world.account(holder);
          expect([account.budget_units, account.overage_units, account.charged_micro_usd]).toEqual([
            ledger.budget,
            ledger.overage,
            ledger.paid,
          ]);
          const { rows } = await world.db.query('select from metering.reservations where holder = $1', [
            holder,
          ]);
          expect(rows).toEqual([]);
        },
      ),
      { numRuns: faultCount(25, 10), seed: 20261122 },
    );
  });
});
