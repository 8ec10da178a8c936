import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createPool } from '../../../src/kernel/postgres/pool.ts';
import { createAdmission } from '../../../src/write/metering/admission.ts';
import { createCharges } from '../../../src/write/metering/charges.ts';
import { type AdmissionRequest, METERING_SETTINGS } from '../../../src/write/metering/entitlements.ts';
import { createIdempotencyStore } from '../../../src/write/metering/idempotency.ts';
import { releaseExpired } from '../../../src/write/metering/maintenance.ts';
import { afterRefund, type Charge, refundedPart } from '../../../src/write/metering/quota.ts';
import { faultCount } from '../../support/faults.ts';
import {
  catalogRead,
  createMeteringWorld,
  liveCall,
  type MeteringWorld,
  testPlan,
} from '../../support/metering.ts';
import { until } from '../../support/wait.ts';
import { decide, firstItems, type Model, type ModelCharge, newModel, refundBatch } from './model.ts';
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

/**
 * A request with items: a batch of live calls, the first chunk of a stream, a further one, or what is final at once: a
 * plain read, or a tool that reads no platform.
 */
interface Ask {
  readonly kind: 'live' | 'page' | 'read' | 'tool';
  readonly items: number;
  /** How many of them have a result. */
  readonly used: number;
  /** Whether it is settled in a later step, after the clock, the plan or the period may have changed. */
  readonly later: boolean;
}

const ask: fc.Arbitrary<Ask> = fc
  .record({
    kind: fc.constantFrom('live', 'page', 'read', 'tool'),
    items: fc.integer({ min: 1, max: 9 }),
    share: fc.constantFrom(0, 0.3, 0.5, 0.8, 1),
    later: fc.boolean(),
  })
  .map(({ share, ...each }) => ({ ...each, used: Math.round(each.items * share) }) as Ask);

/** Whether it is metered by live calls, and whether its charge is final at once. */
const isLive = ({ kind }: Ask): boolean => kind === 'live' || kind === 'tool';
const isFinal = ({ kind }: Ask): boolean => kind === 'read' || kind === 'tool';

const requestOf = (holder: string, ask: Ask): AdmissionRequest => {
  const { kind, items } = ask;
  return isLive(ask)
    ? { ...liveCall(holder, items), reserve: !isFinal(ask) }
    : catalogRead(holder, {
        catalog: items,
        reserve: kind !== 'read',
      });
};

type Step =
  | { readonly kind: 'requests'; readonly process: number; readonly asks: readonly Ask[] }
  | { readonly kind: 'settle' }
  | { readonly kind: 'expire' }
  | Change;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('requests' as const),
      process: fc.nat(PROCESSES - 1),
      asks: fc.array(ask, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const) }) },
  { weight: 2, arbitrary: clockChange },
  { weight: 1, arbitrary: planChange },
  { weight: 1, arbitrary: overageChange },
  { weight: 2, arbitrary: creditChange },
);

let world: MeteringWorld;
let pools: pg.Pool[];
let runs = 0;

beforeAll(async () => {
  world = await createMeteringWorld([...PLANS, testPlan('wide', { units: 1_000 })]);
  pools = Array.from({ length: PROCESSES }, (_, i) =>
    createPool(world.database.url, {
      max: 4,
      logger: silentLogger,
      name: `process ${i}`,
      settings: METERING_SETTINGS,
    }),
  );
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await world.close();
});

/** What each period of a holder was charged by its own figures, and by its ledger entries. */
const periodsOf = async (holder: string) => {
  const { rows } = await world.db.query<{ recorded: number[]; summed: number[] }>(
    `select array[p.budget_units, p.overage_units, p.overage_micro_usd, p.live_calls, p.requests]::int[] as recorded,
       (select array[coalesce(sum(u.budget_units), 0), coalesce(sum(u.overage_units), 0),
          coalesce(sum(u.overage_micro_usd), 0), coalesce(sum(u.live_calls), 0), coalesce(sum(u.requests), 0)]::int[]
        from metering.ledger u where u.holder = p.holder and u.period = p.period) as summed
     from (
       select holder, period, budget_units, overage_units, overage_micro_usd, live_calls, requests
       from metering.periods
       union all
       select holder, period, budget_units, overage_units, overage_micro_usd, live_calls, requests
       from metering.accounts where period_started_at is not null
     ) p
     where p.holder = $1 order by p.period`,
    [holder],
  );
  return rows;
};

const sumOf = (rows: readonly { readonly summed: readonly number[] }[]): number[] =>
  rows.reduce((sum, { summed }) => sum.map((each, i) => each + (summed[i] ?? 0)), [0, 0, 0, 0, 0]);

interface Open {
  readonly charge: Charge;
  readonly should: ModelCharge;
  readonly ask: Ask;
  readonly expiresAt: number;
}

describe('reservations with items', { tags: 'faults' }, () => {
  it('are charged as in the model, whatever part is settled and whenever', {
    tags: 'long',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const holder = `h${runs++}`;
        let now = START + 1_000;
        await world.register(holder, 'low', iso(START));
        const admissions = pools.map((pool) =>
          createAdmission(
            pool,
            () => world.schema,
            world.plans,
            () => iso(now),
          ),
        );
        const charges = pools.map((pool) => createCharges(pool, silentLogger));
        const model: Model = newModel(PLANS[1], START);
        const expected = { budget: 0, overage: 0, paid: 0, live: 0, requests: 0 };
        let open: Open[] = [];

        const giveBack = (should: ModelCharge, final: ModelCharge, live: number): void =>
          refundBatch(
            model,
            {
              ...should,
              budget: should.budget - final.budget,
              overage: should.overage - final.overage,
              paid: should.paid - final.paid,
            },
            live,
          );

        const settle = async ({ charge, should, ask }: Open, process: number): Promise<void> => {
          const { items, used } = ask;
          const own = charges[process % PROCESSES] as (typeof charges)[number];
          const final = firstItems(should, items, used);
          const live = ask.kind === 'live' ? used : 0;
          // The other ways to settle all items, or none, are the same.
          if (used === items && process === 0)
            expect(await own.settle(charge.reservation as string, null)).toEqual({ is: 'whole' });
          else if (used === 0 && process === 0) await own.refund(charge);
          else {
            expect(await own.settle(charge.reservation as string, used)).toEqual({
              is: 'part',
              charge: {
                ...charge,
                budgetUnits: final.budget,
                overageUnits: final.overage,
                overageMicroUsd: final.paid,
                liveCalls: live,
                reservation: null,
              },
            });
          }
          // A repeat finds nothing left.
          expect(await own.settle(charge.reservation as string, 0)).toEqual({ is: 'expired' });
          giveBack(should, final, (ask.kind === 'live' ? items : 0) - live);
          expected.budget += final.budget;
          expected.overage += final.overage;
          expected.paid += final.paid;
          expected.live += live;
        };

        for (const each of steps) {
          if (each.kind !== 'requests' && each.kind !== 'settle' && each.kind !== 'expire') {
            now = await applyChange(world, holder, model, each, now);
            continue;
          }
          if (each.kind === 'settle') {
            const settled = open;
            open = [];
            await Promise.all(settled.map(settle));
          }
          if (each.kind === 'expire') {
            await releaseExpired(world.db, iso(now));
            for (const one of open.filter(({ expiresAt }) => expiresAt < now)) {
              expect(await charges[0]?.settle(one.charge.reservation as string, one.ask.used)).toEqual({
                is: 'expired',
              });
              giveBack(one.should, firstItems(one.should, 1, 0), one.charge.liveCalls);
            }
            open = open.filter(({ expiresAt }) => expiresAt >= now);
          }
          if (each.kind !== 'requests') continue;
          const admission = admissions[each.process] as (typeof admissions)[number];
          const outcomes = await Promise.all(each.asks.map((one) => admission.admit(requestOf(holder, one))));
          const settled: Open[] = [];
          for (const [i, is] of outcomes.entries()) {
            const one = each.asks[i] as Ask;
            const live = isLive(one) ? one.items : 0;
            const should = decide(model, now, one.items - live, live);
            expect([i, one.kind, is.refused]).toEqual([i, one.kind, should.refused]);
            expect([is.quota.budgetUnits, is.quota.overageUnits, is.quota.liveCalls]).toEqual([
              model.period?.budget,
              model.period?.overage,
              model.period?.live,
            ]);
            expect(is.quota.burstLeft).toBe(
              Math.max(0, model.plan.requests_per_minute - (model.burst?.count ?? 0)),
            );
            if (is.charge === null) continue;
            expect(is.charge.reservation === null).toBe(isFinal(one));
            expected.requests += 1;
            if (isFinal(one)) {
              expected.live += live;
              expected.budget += should.budget;
              expected.overage += should.overage;
              expected.paid += should.paid;
            } else {
              const reserved = { charge: is.charge, should, ask: one, expiresAt: now + 300_000 };
              (one.later ? open : settled).push(reserved);
            }
          }
          await Promise.all(settled.map(settle));
        }
        await Promise.all(open.map(settle));
        const rows = await periodsOf(holder);
        for (const { recorded, summed } of rows) expect(recorded).toEqual(summed);
        expect(sumOf(rows)).toEqual(Object.values(expected));
        const account = await world.account(holder);
        if (account.charged_micro_usd !== undefined) expect(account.charged_micro_usd).toBe(model.charged);
      }),
      { numRuns: faultCount(300, 60), seed: 20261124 },
    );
  });

  it('are settled, refunded or expired exactly once, though processes race and crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            process: fc.nat(PROCESSES - 1),
            asks: fc.array(ask, { minLength: 1, maxLength: 8 }),
            crash: fc.nat(9).map((n) => n < 3),
          }),
          { minLength: 3, maxLength: 8 },
        ),
        async (waves) => {
          const holder = `h${runs++}`;
          await world.register(holder, 'low', iso(START));
          await world.tell(
            holder,
            { type: 'OverageSet', data: { at: iso(START), on: true, cap_micro_usd: null } },
            {
              type: 'WalletCredited',
              data: { at: iso(START), amount_micro_usd: '300', reference: null },
            },
          );
          let minute = 0;
          /** Of settlements that were confirmed, and of those whose outcome a crash left open. */
          const sure = { units: 0, live: 0 };
          const doubt = { units: 0, live: 0 };
          const work = async ({ process, asks, crash }: (typeof waves)[number]): Promise<void> => {
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
            const running = asks.map(async (one) => {
              let done = isLive(one) && one.items > 2;
              try {
                const { charge } = await admission.admit(requestOf(holder, one));
                if (charge === null) {
                  done = true;
                  return;
                }
                const { reservation } = charge;
                const settled = reservation === null ? null : await own.settle(reservation, one.used);
                done = true;
                // Refunded when it expired: its response is not sent.
                if (settled?.is === 'expired') return;
                const final = settled?.is === 'part' ? settled.charge : charge;
                sure.units += final.budgetUnits + final.overageUnits;
                sure.live += final.liveCalls;
              } catch {
                // The connection is gone: there is no response.
              } finally {
                const used = isFinal(one) ? one.items : one.used;
                if (!done) {
                  doubt.units += used * (isLive(one) ? 10 : 1);
                  if (isLive(one)) doubt.live += used;
                }
              }
            });
            if (crash) {
              await world.db.query(
                'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
                [`sightline crash ${holder}`],
              );
            }
            await Promise.all(running);
            if (crash) await pool.end();
          };
          let working = true;
          // Reservations expire while they are settled.
          const expiry = async (): Promise<void> => {
            while (working) await releaseExpired(world.db, iso(START + 301_000 + minute * 20_000));
          };
          const expiring = expiry();
          await Promise.all(waves.map(work));
          working = false;
          await expiring;
          await releaseExpired(world.db, '2030-01-01T00:00:00.000Z');
          const [period] = await periodsOf(holder);
          expect(period?.recorded).toEqual(period?.summed);
          const [budget = 0, overage = 0, paid = 0, live = 0] = period?.summed ?? [];
          expect(budget).toBeLessThanOrEqual(30);
          expect(paid).toBe(overage * 7);
          expect(paid).toBeLessThanOrEqual(300);
          expect((await world.account(holder)).charged_micro_usd ?? 0).toBe(paid);
          expect(budget + overage).toBeGreaterThanOrEqual(sure.units);
          expect(budget + overage).toBeLessThanOrEqual(sure.units + doubt.units);
          expect(live).toBeGreaterThanOrEqual(sure.live);
          expect(live).toBeLessThanOrEqual(sure.live + doubt.live);
          const { rows } = await world.db.query('select from metering.reservations where holder = $1', [
            holder,
          ]);
          expect(rows).toEqual([]);
        },
      ),
      { numRuns: faultCount(60, 15), seed: 20261125 },
    );
  });
});

/** A holder with 30 units of quota and a wallet for 50 more. */
const payingHolder = async (): Promise<string> => {
  const holder = `h${runs++}`;
  await world.register(holder, 'low', iso(START));
  await world.tell(
    holder,
    { type: 'OverageSet', data: { at: iso(START), on: true, cap_micro_usd: null } },
    { type: 'WalletCredited', data: { at: iso(START), amount_micro_usd: '350', reference: null } },
  );
  return holder;
};

const admitted = async (request: AdmissionRequest, now = START + 1_000) => {
  const admission = createAdmission(
    world.db,
    () => world.schema,
    world.plans,
    () => iso(now),
  );
  const outcome = await admission.admit(request);
  if (outcome.charge === null) throw new Error(`rejected: ${outcome.refused}`);
  return outcome;
};

describe('a partial settlement', () => {
  it('refunds overage before quota, and the quota state follows', async () => {
    const holder = await payingHolder();
    await admitted(catalogRead(holder, { catalog: 15 }));
    // 15 of its 20 units are within the quota.
    const { charge, quota } = await admitted(liveCall(holder, 2));
    expect(charge).toMatchObject({ budgetUnits: 15, overageUnits: 5, overageMicroUsd: 35, liveCalls: 2 });
    const settled = await createCharges(world.db, silentLogger).settle(charge.reservation as string, 1);
    if (settled.is !== 'part') throw new Error(settled.is);
    const final = settled.charge;
    expect(final).toMatchObject({ budgetUnits: 10, overageUnits: 0, overageMicroUsd: 0, liveCalls: 1 });
    expect(afterRefund(quota, refundedPart(charge, final))).toMatchObject({
      budgetUnits: 25,
      overageUnits: 0,
      liveCalls: 1,
      balanceMicroUsd: 350,
    });
    expect(await world.account(holder)).toMatchObject({
      budget_units: 25,
      overage_units: 0,
      charged_micro_usd: 0,
      live_calls: 1,
    });
  });

  it('waits for a locked holder, and delays no other', async () => {
    const [busy, idle] = [await payingHolder(), await payingHolder()];
    const reserved = await Promise.all(
      [busy, idle].map((holder) => admitted(catalogRead(holder, { catalog: 4, reserve: true }))),
    );
    const charges = createCharges(world.db, silentLogger);
    const other = await world.db.connect();
    await other.query('begin');
    await other.query('select metering.lock_holder($1)', [busy]);
    let settled = false;
    const [waits, other2] = reserved.map(({ charge }) => charges.settle(charge.reservation as string, 3));
    void waits?.then(() => {
      settled = true;
    });
    expect(await other2).toMatchObject({ is: 'part', charge: { budgetUnits: 3 } });
    expect([settled, (await world.account(busy)).budget_units]).toEqual([false, 4]);
    await other.query('commit');
    other.release();
    expect(await waits).toMatchObject({ is: 'part', charge: { budgetUnits: 3 } });
    expect((await world.account(busy)).budget_units).toBe(3);
  });

  it('finds nothing to settle if another process settled it meanwhile', async () => {
    const holder = await payingHolder();
    const { charge } = await admitted(catalogRead(holder, { catalog: 4, reserve: true }));
    const reservation = charge.reservation as string;
    const other = await world.db.connect();
    await other.query('begin');
    await other.query('select * from metering.settle_part(array[$1::uuid], array[1::bigint])', [reservation]);
    const late = createCharges(world.db, silentLogger).settle(reservation, 4);
    await until('it waits for the other', async () => {
      const { rows } = await world.db.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%settle_part%'`,
      );
      return rows.length === 1;
    });
    await other.query('commit');
    other.release();
    expect(await late).toEqual({ is: 'expired' });
    expect((await world.account(holder)).budget_units).toBe(1);
  });

  it('of an ended period is refunded in that period', async () => {
    const holder = await payingHolder();
    const { charge } = await admitted(catalogRead(holder, { catalog: 8, reserve: true }));
    await admitted(catalogRead(holder), START + 31 * 86_400_000);
    await createCharges(world.db, silentLogger).settle(charge.reservation as string, 5);
    expect((await periodsOf(holder)).map(({ recorded, summed }) => [recorded[0], summed[0]])).toEqual([
      [5, 5],
      [1, 1],
    ]);
  });
});

describe('an idempotent request with items', () => {
  const idempotent = (holder: string, key: string) => ({ holder, key, fingerprint: 'ab', free: false });
  const claimed = async (store: ReturnType<typeof createIdempotencyStore>, holder: string, key: string) => {
    const claim = await store.claim(idempotent(holder, key));
    if (claim.state !== 'claimed') throw new Error(claim.state);
    return claim.claim;
  };

  it('stores its response and settles its part together, once', async () => {
    const holder = await payingHolder();
    const store = createIdempotencyStore(world.db, silentLogger);
    const claim = await claimed(store, holder, 'one');
    const { charge } = await admitted(catalogRead(holder, { catalog: 6, reserve: true }));
    const part = { reservation: charge.reservation as string, used: 4 };
    const request = idempotent(holder, 'one');
    expect(await store.finish(request, claim, '{}', part)).toMatchObject({
      is: 'part',
      charge: { budgetUnits: 4 },
    });
    expect(await store.finish(request, claim, 'other', part)).toEqual({ is: 'expired' });
    expect(await store.claim(request)).toEqual({ state: 'answered', body: '{}' });
    expect(await world.account(holder)).toMatchObject({ budget_units: 4 });
  });

  it('stores no response for an expired reservation, and keeps a reservation whose claim is gone', async () => {
    const holder = await payingHolder();
    const store = createIdempotencyStore(world.db, silentLogger);
    const claim = await claimed(store, holder, 'two');
    const { charge } = await admitted(catalogRead(holder, { catalog: 6, reserve: true }));
    const part = { reservation: charge.reservation as string, used: 4 };
    const request = idempotent(holder, 'two');
    await store.drop(request, claim);
    expect(await store.finish(request, claim, '{}', part)).toEqual({ is: 'expired' });
    expect(await world.account(holder)).toMatchObject({ budget_units: 6 });
    const again = await claimed(store, holder, 'two');
    await releaseExpired(world.db, '2030-01-01T00:00:00.000Z');
    expect(await store.finish(request, again, '{}', part)).toEqual({ is: 'expired' });
    expect(await store.claim(request)).toEqual({ state: 'in_flight' });
    expect(await world.account(holder)).toMatchObject({ budget_units: 0 });
  });

  it('waits for a locked holder with the response unstored', async () => {
    const holder = await payingHolder();
    let asked = 0;
    const counting = {
      query: ((...args: Parameters<typeof world.db.query>) => {
        asked += 1;
        return world.db.query(...args);
      }) as typeof world.db.query,
    };
    const store = createIdempotencyStore(counting, silentLogger);
    const claim = await claimed(store, holder, 'three');
    const { charge } = await admitted(catalogRead(holder, { catalog: 6, reserve: true }));
    const other = await world.db.connect();
    await other.query('begin');
    await other.query('select metering.lock_holder($1)', [holder]);
    const request = idempotent(holder, 'three');
    asked = 0;
    const finishing = store.finish(request, claim, '{}', {
      reservation: charge.reservation as string,
      used: 1,
    });
    await until('it was retried', () => asked > 2);
    expect(await store.claim(request)).toEqual({ state: 'in_flight' });
    await other.query('commit');
    other.release();
    expect(await finishing).toMatchObject({ is: 'part', charge: { budgetUnits: 1 } });
    expect(await store.claim(request)).toEqual({ state: 'answered', body: '{}' });
  });
});
