import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LeaseTimeouts, withLease } from '../../../src/kernel/postgres/lease.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openProxy, type TestProxy } from '../../support/proxy.ts';
import { until } from '../../support/wait.ts';

const LEASE = { kind: 7, name: 'test' };

let database: TestDatabase;
/** A way to the database that can go silent: connections stay, and nothing comes through. */
let proxy: TestProxy;
let asked: Asked[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await openProxy(database.url);
  asked = [];
});
afterEach(async () => {
  for (const one of asked) one.stop();
  await proxy.close();
  await Promise.all(asked.map(({ ended }) => ended));
  await database.drop();
});

interface Asked {
  /** What became of it so far. */
  state: 'waits' | 'holds' | 'has heard' | 'over' | 'failed';
  readonly ended: Promise<void>;
  stop(): void;
}

/** A stop that waited for the server would wait for all of a test's time. */
const FOR_EVER: LeaseTimeouts = { deadMs: 3_600_000, silentMs: 3_600_000 };

const ask = (url: string, timeouts?: LeaseTimeouts): Asked => {
  const stopping = new AbortController();
  const one: { state: Asked['state'] } = { state: 'waits' };
  const work = async (signal: AbortSignal) => {
    one.state = 'holds';
    if (!signal.aborted) await once(signal, 'abort');
    one.state = 'has heard';
  };
  const ended = withLease(url, LEASE, stopping.signal, work, undefined, timeouts).then(
    () => {
      one.state = 'over';
    },
    () => {
      one.state = 'failed';
    },
  );
  const all = Object.assign(one, { ended, stop: () => stopping.abort() });
  asked.push(all);
  return all;
};

it('a lease has one holder at a time, and is handed over', async () => {
  const first = ask(database.url);
  await until('the first holds it', () => first.state === 'holds');
  const second = ask(database.url);
  expect(second.state).toBe('waits');
  first.stop();
  await until('the second holds it', () => second.state === 'holds');
  expect(first.state).toBe('over');
});

it('a lease is lost by a holder without contact to the server, who knows it, and taken by another', {
  tags: 'long',
}, async () => {
  const first = ask(proxy.url);
  await until('the first holds it', () => first.state === 'holds');
  const second = ask(database.url);
  proxy.freeze();
  await until('the second holds it', () => second.state === 'holds');
  await until('the first has ended', () => first.state === 'over');
  expect(second.state).toBe('holds');
});

it('a lease is not waited for at a silent server', { tags: 'long' }, async () => {
  const first = ask(database.url);
  await until('the first holds it', () => first.state === 'holds');
  const second = ask(proxy.url);
  await until('the second has asked', async () => {
    const { rows } = await database.db.query(
      `select from pg_stat_activity where application_name = 'sightline lease test'
         and datname = current_database()
       having count(*) = 2 and count(*) filter (where query like '%try_advisory%') = 1`,
    );
    return rows.length > 0;
  });
  proxy.freeze();
  await until('the second gives up', () => second.state === 'failed');
  expect(first.state).toBe('holds');
});

it.each(['holds', 'waits'] as const)(
  'a lease does not delay the stop of a process that %s while the server is silent',
  async (state) => {
    const first = state === 'waits' ? ask(database.url) : undefined;
    await until('it is held', () => first === undefined || first.state === 'holds');
    const one = ask(proxy.url, FOR_EVER);
    const { db } = database;
    await until('it has come so far', async () => {
      if (one.state !== state) return false;
      const { rows } = await db.query(
        `select from pg_stat_activity where application_name = 'sightline lease test'
         and datname = current_database() and state = 'idle'`,
      );
      return rows.length === asked.length;
    });
    proxy.freeze();
    one.stop();
    await until('it has ended', () => one.state === 'over');
  },
);

it('a lease does not delay the stop of a process that waits for a silent server', {
  tags: 'long',
}, async () => {
  proxy.freeze();
  const one = ask(proxy.url, FOR_EVER);
  one.stop();
  await until('it has ended', () => one.state === 'over');
});
