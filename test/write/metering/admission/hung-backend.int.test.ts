import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { createPool } from '../../../../src/kernel/postgres/pool.ts';
import { METERING_SETTINGS } from '../../../../src/write/metering/entitlements.ts';
import {
  catalogRead,
  createMeteringWorld,
  liveCall,
  type MeteringWorld,
  testPlan,
} from '../../../support/metering.ts';
import { until } from '../../../support/wait.ts';

let world: MeteringWorld;
let pool: pg.Pool;
let stopped: number | undefined;

beforeAll(async () => {
  world = await createMeteringWorld([testPlan('test')]);
  pool = createPool(world.database.url, {
    max: 4,
    logger: silentLogger,
    name: 'test hung metering',
    settings: METERING_SETTINGS,
  });
});
const resume = (): void => {
  if (stopped !== undefined) process.kill(stopped, 'SIGCONT');
  stopped = undefined;
};
afterEach(resume);
afterAll(async () => {
  await pool.end();
  await world.close();
});

let holders = 0;
const newHolder = async (): Promise<string> => {
  const holder = `holder-${++holders}`;
  await world.register(holder, 'test');
  return holder;
};

/** Stops the only backend that the pool is connected to: the next statement is its. */
const stopBackend = async (): Promise<void> => {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  stopped = rows[0]?.pid as number;
  process.kill(stopped, 'SIGSTOP');
};

const watched = <T>(promise: Promise<T>) => {
  const state = { isSettled: false, promise };
  const settled = () => {
    state.isSettled = true;
  };
  promise.then(settled, settled);
  return state;
};

it('a hanging backend delays only the requests of its own batch', async () => {
  for (const ask of [catalogRead, liveCall]) {
    const [stuck, ...others] = [await newHolder(), await newHolder(), await newHolder()];
    const admission = world.admission(pool);
    await stopBackend();
    const waiting = watched(admission.admit(ask(stuck as string)));
    await until('its statement is sent', () => pool.idleCount === 0 && pool.totalCount === 1);
    for (let round = 0; round < 5; round++) {
      const admitted = await Promise.all(others.map((holder) => admission.admit(ask(holder))));
      expect(admitted.map(({ refused }) => refused)).toEqual([null, null]);
    }
    // The holder's own next requests are decided too: the backend has no lock of it yet.
    expect((await admission.admit(ask(stuck as string))).refused).toBeNull();
    expect(waiting.isSettled).toBe(false);
    resume();
    expect((await waiting.promise).refused).toBeNull();
    const unit = ask === liveCall ? 10 : 1;
    expect(await world.account(stuck as string)).toMatchObject({ budget_units: 2 * unit });
    for (const holder of others)
      expect(await world.account(holder)).toMatchObject({ budget_units: 5 * unit });
    // The next round finds one connection again.
    await pool.end();
    pool = createPool(world.database.url, {
      max: 4,
      logger: silentLogger,
      name: 'test hung metering',
      settings: METERING_SETTINGS,
    });
  }
});

it('a holder that a connection keeps locked delays no other that waits for its lock', async () => {
  const [kept, freed] = [await newHolder(), await newHolder()];
  const admission = world.admission(pool);
  const lock = async (holder: string) => {
    const client = await world.db.connect();
    await client.query('begin');
    await client.query('select metering.lock_holder($1)', [holder]);
    return async () => {
      await client.query('commit');
      client.release();
    };
  };
  const [releaseKept, releaseFreed] = [await lock(kept), await lock(freed)];
  const waiting = watched(admission.admit(catalogRead(kept)));
  const next = watched(admission.admit(catalogRead(freed)));
  await until('a lock is waited for', async () => {
    const { rows } = await world.db.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
       where not granted and a.datname = current_database() and a.application_name = 'sightline test hung metering'`,
    );
    return rows.length > 0;
  });
  expect(next.isSettled).toBe(false);
  await releaseFreed();
  expect((await next.promise).refused).toBeNull();
  expect(waiting.isSettled).toBe(false);
  await releaseKept();
  expect((await waiting.promise).refused).toBeNull();
});
