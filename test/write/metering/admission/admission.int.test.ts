import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import type { Queryable } from '../../../../src/kernel/postgres/pool.ts';
import { plansOf } from '../../../../src/write/holders/plans.ts';
import { createAdmission } from '../../../../src/write/metering/admission.ts';
import { createCharges } from '../../../../src/write/metering/charges.ts';
import { endIdlePeriods } from '../../../../src/write/metering/maintenance.ts';
import { afterRefund, type Charge } from '../../../../src/write/metering/quota.ts';
import {
  catalogRead,
  createMeteringWorld,
  liveCall,
  type MeteringWorld,
  testPlan,
} from '../../../support/metering.ts';
import { until } from '../../../support/wait.ts';

let world: MeteringWorld;

const at = '2026-11-01T00:00:00.000Z';
const free = (holder: string) => catalogRead(holder, { operation: 'checkAccount', catalog: 0 });

/** Puts money, in micro-dollars, into the wallet of acme, and overage on up to a cap. */
const payFrom = (credit: number, cap: number | null = null): Promise<void> =>
  world.tell(
    'acme',
    { type: 'OverageSet', data: { at, on: true, cap_micro_usd: cap === null ? null : String(cap) } },
    { type: 'WalletCredited', data: { at, amount_micro_usd: String(credit), reference: null } },
  );

beforeEach(async () => {
  world = await createMeteringWorld([
    testPlan('small', { units: 10, overage_micro_usd: null }),
    testPlan('paid', { units: 10, overage_micro_usd: 1_000 }),
    testPlan('slow', { requests_per_minute: 3, live_per_minute: 2 }),
  ]);
});
afterEach(() => world.close());

describe('admission', () => {
  it('admits what the quota covers in order of arrival, with the quota state after each', async () => {
    await world.register('acme', 'small');
    const admission = world.admission();
    const outcomes = await Promise.all(
      Array.from({ length: 13 }, () => admission.admit(catalogRead('acme'))),
    );
    expect(outcomes.map((o) => o.refused)).toEqual([
      ...Array.from({ length: 10 }, () => null),
      'budget',
      'budget',
      'budget',
    ]);
    expect(outcomes.map((o) => o.quota.budgetUnits)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
    expect(outcomes.map((o) => 1_000_000 - o.quota.burstLeft)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(await world.account('acme')).toMatchObject({
      budget_units: 10,
      requests: 10,
      window_requests: 13,
    });
  });

  it('stops at the same unit for simultaneous and successive requests', async () => {
    await world.register('acme', 'small');
    const admission = world.admission();
    const refused = [];
    for (let i = 0; i < 12; i++) refused.push((await admission.admit(catalogRead('acme'))).refused);
    expect(refused).toEqual([...Array.from({ length: 10 }, () => null), 'budget', 'budget']);
    expect(await world.account('acme')).toMatchObject({ budget_units: 10 });
  });

  it('skips a request that costs more than what is left, and admits a smaller one after it', async () => {
    await world.register('acme', 'small');
    const admission = world.admission();
    const outcomes = await Promise.all([
      admission.admit(catalogRead('acme')),
      admission.admit(liveCall('acme')),
      admission.admit(catalogRead('acme')),
    ]);
    expect(outcomes.map((o) => o.refused)).toEqual([null, 'budget', null]);
  });

  it('counts free and refused requests towards the rate limit, but not those beyond it', async () => {
    await world.register('acme', 'slow');
    const admission = world.admission();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => admission.admit(free('acme'))));
    expect(outcomes.map((o) => o.refused)).toEqual([null, null, null, 'burst', 'burst']);
    expect(outcomes.map((o) => o.quota.burstLeft)).toEqual([2, 1, 0, 0, 0]);
    expect(outcomes.every((o) => o.quota.burstResetS === 60)).toBe(true);
    expect(await world.account('acme')).toMatchObject({ window_requests: 3, budget_units: 0 });
  });

  it('limits live calls per minute apart from requests', async () => {
    await world.register('acme', 'slow');
    const admission = world.admission();
    const outcomes = await Promise.all([1, 2, 3].map(() => admission.admit(liveCall('acme'))));
    expect(outcomes.map((o) => o.refused)).toEqual([null, null, 'live_burst']);
    expect(outcomes[1]?.quota).toMatchObject({ liveLeft: 0, liveCalls: 2, budgetUnits: 20 });
    expect((await admission.admit(free('acme'))).refused).toBe('burst');
  });

  it('ends a minute by the database’s clock, and starts one with the next request', async () => {
    await world.register('acme', 'slow');
    const admission = world.admission();
    world.time = '2026-11-02T10:00:00.000Z';
    await Promise.all([1, 2, 3].map(() => admission.admit(free('acme'))));
    world.time = '2026-11-02T10:00:59.500Z';
    const late = await admission.admit(free('acme'));
    expect([late.refused, late.quota.burstResetS]).toEqual(['burst', 1]);
    world.time = '2026-11-02T10:01:00.000Z';
    expect((await admission.admit(free('acme'))).quota.burstLeft).toBe(2);
  });

  it('neither opens a new minute nor locks anybody out for longer than one if the clock is set back', async () => {
    await world.register('acme', 'slow');
    const admission = world.admission();
    world.time = '2026-11-02T10:00:00.000Z';
    await Promise.all([1, 2, 3].map(() => admission.admit(free('acme'))));
    world.time = '2026-11-02T09:00:00.000Z';
    const back = await admission.admit(free('acme'));
    expect([back.refused, back.quota.burstResetS]).toEqual(['burst', 60]);
    world.time = '2026-11-02T09:01:00.000Z';
    expect((await admission.admit(free('acme'))).refused).toBeNull();
  });

  it('charges overage to the wallet, to the last unit that it covers', async () => {
    await world.register('acme', 'paid');
    await payFrom(5500);
    const admission = world.admission();
    const outcomes = await Promise.all(
      Array.from({ length: 17 }, () => admission.admit(catalogRead('acme'))),
    );
    expect(outcomes.map((o) => o.refused).slice(14)).toEqual([null, 'wallet', 'wallet']);
    expect(outcomes[14]?.quota).toMatchObject({ overageUnits: 5, balanceMicroUsd: 500, overage: 'on' });
    expect(await world.account('acme')).toMatchObject({ charged_micro_usd: 5_000, overage_units: 5 });
  });

  it('charges the rest of a request that the quota covers in part', async () => {
    await world.register('acme', 'paid');
    await payFrom(100000);
    const admission = world.admission();
    for (let i = 0; i < 7; i++) await admission.admit(catalogRead('acme'));
    const { charge, quota } = await admission.admit(liveCall('acme'));
    expect(charge).toMatchObject({ budgetUnits: 3, overageUnits: 7, overageMicroUsd: 7_000, liveCalls: 1 });
    expect(quota).toMatchObject({ budgetUnits: 10, overageUnits: 7, balanceMicroUsd: 93_000 });
  });

  it('stops at the cap, says so, and continues in the next period', async () => {
    await world.register('acme', 'paid');
    await payFrom(100000, 2500);
    const admission = world.admission();
    world.time = '2026-11-30T23:59:59.000Z';
    const outcomes = await Promise.all(
      Array.from({ length: 13 }, () => admission.admit(catalogRead('acme'))),
    );
    expect(outcomes.map((o) => o.refused).slice(11)).toEqual([null, 'cap']);
    expect(outcomes[12]?.quota.overage).toBe('capped');
    expect(outcomes[0]?.quota.overage).toBe('on');
    world.time = '2026-12-01T00:00:00.000Z';
    expect((await admission.admit(catalogRead('acme'))).quota).toMatchObject({
      budgetUnits: 1,
      overage: 'on',
    });
  });

  it('ignores overage on a plan without it', async () => {
    await world.register('acme', 'small');
    await payFrom(100000);
    const outcomes = await Promise.all(
      Array.from({ length: 11 }, () => world.admission().admit(catalogRead('acme'))),
    );
    expect(outcomes.filter((o) => o.refused === 'budget')).toHaveLength(1);
    expect(outcomes[0]?.quota.overage).toBe('off');
  });

  it('ends a period 30 days after the plan’s start, also over leap days', async () => {
    await world.register('acme', 'small', '2028-01-30T00:00:00.000Z');
    const admission = world.admission();
    world.time = '2028-02-28T23:59:59.999Z';
    const last = await admission.admit(catalogRead('acme'));
    expect([last.quota.budgetUnits, last.quota.endsAt]).toEqual([1, '2028-02-29T00:00:00Z']);
    world.time = '2028-02-29T00:00:00.000Z';
    const first = await admission.admit(catalogRead('acme'));
    expect([first.quota.budgetUnits, first.quota.endsAt]).toEqual([1, '2028-03-30T00:00:00Z']);
    // Back before midnight, as a clock does that is put right: the period that began stays.
    world.time = '2028-02-28T23:59:58.000Z';
    expect((await admission.admit(catalogRead('acme'))).quota.budgetUnits).toBe(2);
    const { rows } = await world.db.query('select period, ended_at, budget_units from metering.periods');
    expect(rows).toEqual([{ period: 1, ended_at: '2028-02-29T00:00:00.000Z', budget_units: '1' }]);
  });

  it('starts a new period with another plan at once, and archives the old usage', async () => {
    await world.register('acme', 'small');
    const admission = world.admission();
    world.time = '2026-11-10T00:00:00.000Z';
    await Promise.all(Array.from({ length: 12 }, () => admission.admit(catalogRead('acme'))));
    await world.tell('acme', { type: 'PlanChosen', data: { at: '2026-11-10T00:00:00.000Z', plan: 'paid' } });
    const { quota } = await admission.admit(catalogRead('acme'));
    expect(quota).toMatchObject({ budgetUnits: 1, endsAt: '2026-12-10T00:00:00Z' });
    expect(quota.plan.name).toBe('paid');
    const { rows } = await world.db.query('select plan, budget_units, ended_at from metering.periods');
    expect(rows).toEqual([{ plan: 'small', budget_units: '10', ended_at: '2026-11-10T00:00:00.000Z' }]);
  });

  it.each(['request', 'upkeep'])(
    'keeps the period when the same plan’s figures change, noticed by %s',
    async (by) => {
      const start = '2026-11-01T00:00:00.000Z';
      await world.tell('acme', {
        type: 'HolderRegistered',
        data: { at: start, holder: 'acme', name: 'acme' },
      });
      world.time = '2026-11-10T00:00:00.000Z';
      await world.admission().admit(catalogRead('acme'));
      // No plan was chosen for it, and the lowest one is another since the process was started anew.
      const others = plansOf('test', [testPlan('tiny', { units: 2 })]);
      const now = '2026-11-12T00:00:00.000Z';
      if (by === 'upkeep') await endIdlePeriods(world.db, world.schema, others, now);
      const admission = createAdmission(
        world.db,
        () => world.schema,
        others,
        () => now,
      );
      const { quota } = await admission.admit(catalogRead('acme'));
      expect([quota.plan.name, quota.budgetUnits, quota.endsAt]).toEqual(['tiny', 2, '2026-12-01T00:00:00Z']);
      expect((await admission.admit(catalogRead('acme'))).refused).toBe('budget');
      expect((await world.db.query('select from metering.periods')).rows).toEqual([]);
    },
  );

  it('refunds exactly what a free response was charged', async () => {
    await world.register('acme', 'paid');
    await payFrom(100000);
    const admission = world.admission();
    const charges = createCharges(world.db, silentLogger);
    for (let i = 0; i < 5; i++) await admission.admit(catalogRead('acme'));
    const before = await world.account('acme');
    const { charge } = await admission.admit(liveCall('acme'));
    const { charge: small } = await admission.admit(catalogRead('acme'));
    await Promise.all([charge, small].map((c) => charges.refund(c as NonNullable<typeof c>)));
    const after = await world.account('acme');
    for (const name of [
      'budget_units',
      'overage_units',
      'overage_micro_usd',
      'live_calls',
      'charged_micro_usd',
    ]) {
      expect([name, after[name]]).toEqual([name, before[name]]);
    }
    expect(after.window_requests).toBe(7);
    const { rows } = await world.db.query(
      'select sum(budget_units)::int as units, sum(overage_micro_usd)::int as paid from metering.ledger',
    );
    expect(rows).toEqual([{ units: 5, paid: 0 }]);
  });

  it('lets a refund wait for its own holder only', async () => {
    await world.register('busy', 'small');
    await world.register('idle', 'small');
    const admission = world.admission();
    const charges = createCharges(world.db, silentLogger);
    const [busy, idle] = await Promise.all(
      ['busy', 'idle'].map(async (holder) => (await admission.admit(catalogRead(holder))).charge as Charge),
    );
    const other = await world.db.connect();
    await other.query('begin');
    await other.query(`select metering.lock_holder('busy')`);
    const waits = charges.refund(busy as Charge);
    await charges.refund(idle as Charge);
    expect(await world.account('idle')).toMatchObject({ budget_units: 0 });
    expect(await world.account('busy')).toMatchObject({ budget_units: 1 });
    await other.query('commit');
    other.release();
    await waits;
    expect(await world.account('busy')).toMatchObject({ budget_units: 0 });
  });

  it('reports the cap correctly after a refund', async () => {
    await world.register('acme', 'paid');
    await payFrom(100000, 1000);
    const admission = world.admission();
    for (let i = 0; i < 10; i++) await admission.admit(catalogRead('acme'));
    const { charge, quota } = await admission.admit(catalogRead('acme'));
    expect(quota.overage).toBe('capped');
    expect(afterRefund(quota, charge as Charge)).toMatchObject({
      overage: 'on',
      overageUnits: 0,
      balanceMicroUsd: 100_000,
    });
  });

  it('decides on no stale entitlements, and continues when they are current', async () => {
    await world.register('acme', 'small');
    await world.admission().admit(free('acme'));
    const changed = (by: number) =>
      world.db.query('update metering.accounts set terms_position = terms_position + $1', [by]);
    await changed(1_000_000);
    let asked = 0;
    const db: Queryable = world.db;
    const admission = world.admission({
      query: (statement) => {
        asked += 1;
        return db.query(statement);
      },
    });
    let decided = false;
    const waits = admission.admit(catalogRead('acme')).then((outcome) => {
      decided = true;
      return outcome;
    });
    await until('it was asked for again and again', () => asked > 4);
    expect([decided, (await world.account('acme')).budget_units]).toEqual([false, 0]);
    await changed(-1_000_000);
    expect((await waits).refused).toBeNull();
  });

  it('rejects an unknown holder, and one whose plan is not active', async () => {
    await world.register('acme', 'gone');
    const admission = world.admission();
    await expect(admission.admit(catalogRead('acme'))).rejects.toThrow(/no entitlements of/);
    await expect(admission.admit(catalogRead('nobody'))).rejects.toThrow(/no entitlements of/);
  });

  it('delays no other holder while another process has locked one', async () => {
    await world.register('busy', 'small');
    await world.register('idle', 'small');
    const admission = world.admission();
    await Promise.all([admission.admit(free('busy')), admission.admit(free('idle'))]);
    const other = await world.db.connect();
    await other.query('begin');
    await other.query(`select metering.lock_holder('busy')`);
    let done = false;
    const waits = admission.admit(catalogRead('busy')).then((outcome) => {
      done = true;
      return outcome;
    });
    for (let i = 0; i < 5; i++) expect((await admission.admit(catalogRead('idle'))).refused).toBeNull();
    expect(done).toBe(false);
    await other.query('commit');
    other.release();
    expect((await waits).quota.budgetUnits).toBe(1);
  });
});
