import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import { holderStream } from '../../../src/write/holders/holder.ts';
import { admitBatch } from '../../../src/write/metering/admit-batch.ts';
import { createCharges } from '../../../src/write/metering/charges.ts';
import { dropExpiredResponses } from '../../../src/write/metering/idempotency.ts';
import { endIdlePeriods, releaseExpired, settlePeriods } from '../../../src/write/metering/maintenance.ts';
import type { Charge } from '../../../src/write/metering/quota.ts';
import {
  catalogRead,
  createMeteringWorld,
  liveCall,
  type MeteringWorld,
  testPlan,
} from '../../support/metering.ts';
import { until } from '../../support/wait.ts';

let world: MeteringWorld;

const IN_FIRST = '2026-11-20T10:00:00.000Z';
const FIRST_END = '2026-12-01T00:00:00.000Z';
const IN_SECOND = '2026-12-01T00:00:10.000Z';
/** Past the grace after the first period's end. */
const GRACE_OVER = '2026-12-01T00:15:00.001Z';

beforeEach(async () => {
  world = await createMeteringWorld([
    testPlan('small', { units: 100 }),
    testPlan('other', { units: 500 }),
    testPlan('paid', { units: 10, overage_micro_usd: 1_000 }),
  ]);
});
afterEach(() => world.close());

/** Whether another process could have a holder just now. */
const isFree = async (holder: string): Promise<boolean> => {
  const { rows } = await world.db.query<{ free: boolean }>('select metering.try_lock_holder($1) as free', [
    holder,
  ]);
  return rows[0]?.free === true;
};

/** A catalog read at a time; what it was charged. */
const read = async (at: string, holder = 'acme'): Promise<Charge> => {
  world.time = at;
  const { charge } = await world.admission().admit(catalogRead(holder));
  return charge as Charge;
};

const call = async (at: string, holder = 'acme'): Promise<Charge> => {
  world.time = at;
  const { charge } = await world.admission().admit(liveCall(holder));
  return charge as Charge;
};

const periods = async (holder = 'acme') => {
  const { rows } = await world.db.query(
    `select period, plan, ended_at, requests::int, budget_units::int, overage_units::int, live_calls::int,
       settled_at is not null as settled, published_at is not null as told
     from metering.periods where holder = $1 order by period`,
    [holder],
  );
  return rows;
};

const ledgerUnits = async (period: number, holder = 'acme'): Promise<number> => {
  const { rows } = await world.db.query<{ units: number }>(
    'select coalesce(sum(budget_units), 0)::int as units from metering.ledger where holder = $1 and period = $2',
    [holder, period],
  );
  return rows[0]?.units ?? 0;
};

/** Periods that the log says were settled, with their units, in its order. */
const settlements = async (holder = 'acme') =>
  (await world.log.readStream(holderStream(holder)))
    .filter((event) => event.type === 'UsageSettled')
    .map((event) => event.data as { period: number; budget_units: number; live_calls: number; at: string });

const settle = (at: string) => settlePeriods(world.db, world.log, at);
const endIdle = (at: string) => endIdlePeriods(world.db, world.schema, world.plans, at);

/** Charges whose errors can be looked at. */
const chargesWith = () => {
  const errors: { readonly late?: number }[] = [];
  const logger = { ...silentLogger, error: (fields: object) => errors.push(fields) } as unknown as Logger;
  return { charges: createCharges(world.db, logger), errors };
};

describe('a period', () => {
  beforeEach(() => world.register('acme', 'small'));

  it('ends with the next request, at its own end rather than the request’s time', async () => {
    await read(IN_FIRST);
    await read('2027-02-15T00:00:00.000Z');
    expect(await periods()).toEqual([
      {
        period: 1,
        plan: 'small',
        ended_at: FIRST_END,
        requests: 1,
        budget_units: 1,
        overage_units: 0,
        live_calls: 0,
        settled: false,
        told: false,
      },
    ]);
    expect(await world.account('acme')).toMatchObject({
      period: 2,
      budget_units: 1,
      period_started_at: '2027-01-30T00:00:00.000Z',
    });
  });

  it('ends without further requests once it is over, and not before', async () => {
    await read(IN_FIRST);
    expect(await endIdle('2026-11-30T23:59:59.999Z')).toBe(0);
    expect(await endIdle(FIRST_END)).toBe(1);
    expect(await endIdle(FIRST_END)).toBe(0);
    expect(await periods()).toMatchObject([{ period: 1, ended_at: FIRST_END, budget_units: 1 }]);
    expect(await world.account('acme')).toMatchObject({
      period: 1,
      period_started_at: null,
      budget_units: 0,
    });
    await read('2026-12-05T00:00:00.000Z');
    expect(await world.account('acme')).toMatchObject({ period: 2, budget_units: 1 });
    expect(await periods()).toHaveLength(1);
  });

  it('ends with another plan, at the moment of the choice', async () => {
    await read(IN_FIRST);
    const chosen = '2026-11-21T00:00:00.000Z';
    await world.tell('acme', { type: 'PlanChosen', data: { at: chosen, plan: 'other' } });
    expect(await endIdle('2026-11-21T00:00:01.000Z')).toBe(1);
    expect(await periods()).toMatchObject([{ plan: 'small', ended_at: chosen, budget_units: 1 }]);
    expect((await read('2026-11-22T00:00:00.000Z')).period).toBe(2);
  });

  it('ends later if another process has locked it, and delays no other', async () => {
    await world.register('beta', 'small');
    await read(IN_FIRST);
    await read(IN_FIRST, 'beta');
    const other = await world.db.connect();
    try {
      await other.query('begin');
      await other.query(`select metering.lock_holder('acme')`);
      expect(await endIdle(FIRST_END)).toBe(1);
    } finally {
      await other.query('commit');
      other.release();
    }
    expect([await periods('acme'), (await periods('beta')).length]).toEqual([[], 1]);
    expect(await endIdle(FIRST_END)).toBe(1);
  });

  it('of a holder whose plan is not active delays no other', async () => {
    await read(IN_FIRST);
    await world.db.query(
      `insert into ${world.schema}.holders (holder, name, registered_at, plan, plan_started_at, overage_on,
         cap_micro_usd, credit_micro_usd, changed)
       select 'a' || n, 'a', $1, 'gone', $1, false, null, 0, 1 from generate_series(1, 600) n`,
      ['2026-11-01T00:00:00Z'],
    );
    await world.db.query(
      `insert into metering.accounts (holder, plan, plan_started_at, period, period_started_at, period_ends_at)
       select 'a' || n, 'gone', $1, 1, $1, $2 from generate_series(1, 600) n`,
      ['2026-11-01T00:00:00Z', FIRST_END],
    );
    expect(await endIdle(FIRST_END)).toBe(1);
    expect(await periods()).toHaveLength(1);
  });
});

describe('a refund after a period’s end', () => {
  beforeEach(() => world.register('acme', 'small'));

  it('goes to the period that ended, not to the running one', async () => {
    const charge = await read(IN_FIRST);
    await read(IN_FIRST);
    await read(IN_SECOND);
    const { charges, errors } = chargesWith();
    await charges.refund(charge);
    expect(await periods()).toMatchObject([{ budget_units: 1, requests: 2 }]);
    expect(await world.account('acme')).toMatchObject({ period: 2, budget_units: 1 });
    expect([await ledgerUnits(1), await ledgerUnits(2), errors]).toEqual([1, 1, []]);
  });

  it('returns overage to the wallet too', async () => {
    await world.register('rich', 'paid');
    await world.tell(
      'rich',
      { type: 'OverageSet', data: { at: IN_FIRST, on: true, cap_micro_usd: null } },
      { type: 'WalletCredited', data: { at: IN_FIRST, amount_micro_usd: '50000', reference: null } },
    );
    await read(IN_FIRST, 'rich');
    const charge = await call(IN_FIRST, 'rich');
    expect(charge).toMatchObject({ budgetUnits: 9, overageUnits: 1 });
    await read(IN_SECOND, 'rich');
    await chargesWith().charges.refund(charge);
    expect(await periods('rich')).toMatchObject([{ budget_units: 1, overage_units: 0, live_calls: 0 }]);
    expect(await world.account('rich')).toMatchObject({ charged_micro_usd: 0, budget_units: 1 });
  });

  it('counts as late, and changes nothing, once the period is settled', async () => {
    const charge = await read(IN_FIRST);
    await endIdle(FIRST_END);
    await settle(GRACE_OVER);
    const { charges, errors } = chargesWith();
    await Promise.all([charges.refund(charge), charges.refund(charge)]);
    expect(errors).toEqual([{ late: 2 }]);
    expect([(await periods())[0].budget_units, await ledgerUnits(1)]).toEqual([1, 1]);
    expect(await settlements()).toMatchObject([{ period: 1, budget_units: 1 }]);
  });
});

describe('a settlement', () => {
  beforeEach(() => world.register('acme', 'small'));

  it('waits for a quarter of an hour after the end', async () => {
    await read(IN_FIRST);
    await endIdle(FIRST_END);
    expect(await settle('2026-12-01T00:15:00.000Z')).toBe(0);
    expect(await settlements()).toEqual([]);
    expect(await settle(GRACE_OVER)).toBe(1);
    expect(await settlements()).toEqual([
      {
        at: GRACE_OVER,
        period: 1,
        plan: 'small',
        started_at: '2026-11-01T00:00:00.000Z',
        ended_at: FIRST_END,
        requests: 1,
        budget_units: 1,
        overage_units: 0,
        overage_micro_usd: '0',
        live_calls: 0,
      },
    ]);
    expect(await periods()).toMatchObject([{ settled: true, told: true }]);
    expect(await settle(GRACE_OVER)).toBe(0);
  });

  it('waits for live calls in flight, and includes their figures', async () => {
    await call(IN_FIRST);
    await call(IN_FIRST);
    await endIdle(FIRST_END);
    expect(await settle(GRACE_OVER)).toBe(0);
    await releaseExpired(world.db, FIRST_END);
    expect(await settle(GRACE_OVER)).toBe(1);
    expect(await settlements()).toMatchObject([{ period: 1, budget_units: 0, live_calls: 0 }]);
  });

  it('publishes several periods of one holder, each once', async () => {
    await read(IN_FIRST);
    await read('2026-12-15T00:00:00.000Z');
    await read('2027-01-15T00:00:00.000Z');
    // The second was closed just now: the first alone is past its grace.
    expect(await settle('2027-01-15T00:00:00.000Z')).toBe(1);
    expect(await settle('2027-01-15T00:15:00.001Z')).toBe(1);
    expect((await settlements()).map(({ period }) => period)).toEqual([1, 2]);
  });

  it('of a period closed late waits for what was charged to it until then', async () => {
    await read(IN_FIRST);
    // Nobody noticed for days that the plan had changed; until then its requests came in.
    await world.tell('acme', { type: 'PlanChosen', data: { at: '2026-11-21T00:00:00.000Z', plan: 'other' } });
    await read('2026-11-24T00:00:00.000Z');
    expect(await periods()).toMatchObject([{ ended_at: '2026-11-21T00:00:00.000Z' }]);
    expect(await settle('2026-11-24T00:10:00.000Z')).toBe(0);
    expect(await settle('2026-11-24T00:15:00.001Z')).toBe(1);
  });

  it('is published once though several processes settle at once', async () => {
    const holders = Array.from({ length: 20 }, (_, i) => `holder-${i}`);
    for (const holder of holders) {
      await world.register(holder, 'small');
      await read(IN_FIRST, holder);
    }
    await endIdle(FIRST_END);
    // Each has read the rows before any of them tells the log.
    let arrived = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = {
      ...world.log,
      appendMany: async (...args: Parameters<typeof world.log.appendMany>) => {
        arrived += 1;
        if (arrived === 2) open();
        await all;
        return world.log.appendMany(...args);
      },
    };
    const first = settlePeriods(world.db, slow, GRACE_OVER);
    await until('the first has read its rows', () => arrived === 1);
    await Promise.all([first, settlePeriods(world.db, slow, GRACE_OVER)]);
    expect(await Promise.all(holders.map(async (holder) => (await settlements(holder)).length))).toEqual(
      holders.map(() => 1),
    );
    const told = await Promise.all(holders.map(async (holder) => (await periods(holder))[0].told));
    expect(told).toEqual(holders.map(() => true));
  });

  it('whose process died before or after publishing is published once by the next, unchanged', async () => {
    await read(IN_FIRST);
    await endIdle(FIRST_END);
    const broken = { ...world.log, appendMany: () => Promise.reject(new Error('the process died')) };
    await expect(settlePeriods(world.db, broken, GRACE_OVER)).rejects.toThrow('the process died');
    expect(await periods()).toMatchObject([{ settled: true, told: false }]);
    expect(await settlements()).toEqual([]);
    expect(await settle('2026-12-01T01:00:00.000Z')).toBe(1);
    const [said] = await settlements();
    expect(said?.at).toBe(GRACE_OVER);
    await world.db.query('update metering.periods set published_at = null');
    expect(await settle('2026-12-01T02:00:00.000Z')).toBe(1);
    expect(await settlements()).toEqual([said]);
    expect(await periods()).toMatchObject([{ settled: true, told: true }]);
  });

  it('is refused, not taken as published, if the log has other figures', async () => {
    await read(IN_FIRST);
    await endIdle(FIRST_END);
    expect(await settle(GRACE_OVER)).toBe(1);
    // As in a database that was restored from before the settlement.
    await world.db.query('update metering.periods set published_at = null, budget_units = budget_units + 1');
    await expect(settle('2026-12-01T02:00:00.000Z')).rejects.toThrow(/acme .*other figures/);
    expect(await settlements()).toHaveLength(1);
    expect(await periods()).toMatchObject([{ settled: true, told: false }]);
  });

  it('has no refund between its figures and their publication', async () => {
    const charge = await read(IN_FIRST);
    await endIdle(FIRST_END);
    const { charges, errors } = chargesWith();
    const slow = {
      ...world.log,
      appendMany: async (...args: Parameters<typeof world.log.appendMany>) => {
        await charges.refund(charge);
        return world.log.appendMany(...args);
      },
    };
    await settlePeriods(world.db, slow, GRACE_OVER);
    expect(errors).toEqual([{ late: 1 }]);
    expect(await settlements()).toMatchObject([{ budget_units: 1 }]);
    expect(await periods()).toMatchObject([{ budget_units: 1 }]);
  });

  it('that the log rejects delays no other, and is logged', async () => {
    await world.register('aaa', 'small');
    await read(IN_FIRST);
    await read(IN_FIRST, 'aaa');
    await endIdle(FIRST_END);
    await world.db.query(`update metering.periods set budget_units = -1 where holder = 'aaa'`);
    await expect(settle(GRACE_OVER)).rejects.toThrow(/aaa/);
    expect(await settlements()).toHaveLength(1);
    expect(await periods()).toMatchObject([{ told: true }]);
    expect(await periods('aaa')).toMatchObject([{ told: false }]);
  });
});

describe('an expired reservation', () => {
  beforeEach(() => world.register('acme', 'small'));

  it('is refunded exactly once though several processes look for it', async () => {
    for (let i = 0; i < 5; i++) await call(IN_FIRST);
    const released = await Promise.all(
      Array.from({ length: 6 }, () => releaseExpired(world.db, '2026-11-20T10:05:00.001Z')),
    );
    expect(released.reduce((sum, n) => sum + n, 0)).toBe(5);
    expect(await world.account('acme')).toMatchObject({ budget_units: 0, live_calls: 0, requests: 5 });
    expect(await ledgerUnits(1)).toBe(0);
  });

  it('is left alone for 300 seconds', async () => {
    await call(IN_FIRST);
    expect(await releaseExpired(world.db, '2026-11-20T10:05:00.000Z')).toBe(0);
    expect(await releaseExpired(world.db, '2026-11-20T10:05:00.001Z')).toBe(1);
  });

  it('is refunded or settled, never both, and the settling process learns which', async () => {
    await world.register('busy', 'other');
    const calls = await Promise.all(Array.from({ length: 20 }, () => call(IN_FIRST, 'busy')));
    world.time = null;
    const { charges } = chargesWith();
    const ids = calls.map(({ reservation }) => reservation as string);
    const [settled] = await Promise.all([
      Promise.all(ids.slice(0, 10).map((id) => charges.settle(id, null))),
      releaseExpired(world.db, '2026-11-20T10:06:00.000Z'),
      Promise.all(ids.slice(5, 15).map((id) => charges.settle(id, null))),
    ]);
    const rest = await Promise.all(ids.map((id) => charges.settle(id, null)));
    expect(rest).toEqual(ids.map(() => ({ is: 'expired' })));
    const { budget_units, live_calls } = await world.account('busy');
    expect(budget_units).toBe(10 * (live_calls as number));
    expect(live_calls as number).toBeGreaterThanOrEqual(settled.filter(({ is }) => is === 'whole').length);
    expect(await ledgerUnits(1, 'busy')).toBe(budget_units);
  });
});

describe('answers of idempotent requests', () => {
  it('are dropped after a day, however many there are, and not before', async () => {
    const insert = (n: number, age: string) =>
      world.db.query(
        `insert into metering.idempotent_responses (holder, key, fingerprint, claim, expires_at, body, created_at)
         select 'acme', $2 || i, '\\x00', gen_random_uuid(), now(), '{}', now() - $2::interval
         from generate_series(1, $1) i`,
        [n, age],
      );
    await insert(1_700, '25 hours');
    await insert(3, '23 hours');
    expect(await dropExpiredResponses(world.db)).toBe(1_700);
    const { rows } = await world.db.query('select count(*)::int as n from metering.idempotent_responses');
    expect(rows).toEqual([{ n: 3 }]);
  });
});

describe('a refund', () => {
  it('locks only the holders whose calls it ends', async () => {
    for (const holder of ['acme', 'bolt', 'crux']) await world.register(holder, 'small');
    const mine = await call(IN_FIRST, 'acme');
    await call(IN_FIRST, 'bolt');
    await call(IN_FIRST, 'crux');
    const client = await world.db.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ ended: string[] }>(
        'select metering.release($1, 0, null) as ended',
        [[mine.reservation]],
      );
      expect(rows[0]?.ended).toEqual([mine.reservation]);
      expect([await isFree('acme'), await isFree('bolt'), await isFree('crux')]).toEqual([false, true, true]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('locks many holders in the same order as any other decision', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `holder_${i}`);
    for (const name of names) await world.register(name, 'small');
    const { rows: order } = await world.db.query<{ holder: string; hash: number }>(
      'select holder, hashtext(holder) as hash from unnest($1::text[]) holder order by 2',
      [names],
    );
    const other = await world.db.connect();
    const client = await world.db.connect();
    try {
      // Somebody has the seventh.
      await other.query('begin');
      await other.query('select metering.lock_holder($1)', [order[6]?.holder]);
      const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const lines = names.map((holder) => [{ ask: catalogRead(holder), count: 1, reservation: null }]);
      await client.query('begin');
      const deciding = admitBatch(client, world.schema, world.plans, lines, true, null);
      const locked = async () => {
        const { rows } = await world.db.query<{ hash: number; granted: boolean }>(
          `select objid::bigint::bit(32)::int as hash, granted from pg_locks
           where locktype = 'advisory' and classid = 7203115 and pid = $1`,
          [own[0]?.pid],
        );
        return rows;
      };
      await until('it waits', async () => (await locked()).some(({ granted }) => !granted));
      const held = (await locked()).filter(({ granted }) => granted).map(({ hash }) => hash);
      expect(held.sort((a, b) => a - b)).toEqual(order.slice(0, 6).map(({ hash }) => hash));
      await other.query('commit');
      expect((await deciding).every((decision) => typeof decision !== 'string')).toBe(true);
    } finally {
      await client.query('rollback');
      client.release();
      await other.query('rollback');
      other.release();
    }
  });
});
