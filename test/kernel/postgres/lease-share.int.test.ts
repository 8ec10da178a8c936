import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLease, withLeaseShare } from '../../../src/kernel/postgres/lease.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openProxy, type TestProxy } from '../../support/proxy.ts';
import { until } from '../../support/wait.ts';

const LEASE = { kind: 7, name: 'shared', parts: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] };

let database: TestDatabase;
/** A connection to the database that can go silent. */
let proxy: TestProxy;
let members: Member[] = [];
/** Who works on each part now. */
let workers = new Map<string, Member>();
let collisions: string[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await openProxy(database.url);
  members = [];
  workers = new Map();
  collisions = [];
});
afterEach(async () => {
  for (const member of members) member.stop();
  await proxy.close();
  await Promise.all(members.map(({ ended }) => ended));
  await database.drop();
});

interface Member {
  held: readonly string[];
  state: 'waits' | 'works' | 'over' | 'failed';
  readonly ended: Promise<void>;
  stop(): void;
}

const join = (url = database.url): Member => {
  const stopping = new AbortController();
  const own: Pick<Member, 'held' | 'state'> = { held: [], state: 'waits' };
  const member: Member = Object.assign(own, {
    stop: () => stopping.abort(),
    ended: withLeaseShare(url, LEASE, stopping.signal, async (held, signal) => {
      own.state = 'works';
      own.held = held;
      for (const part of held) {
        if (workers.has(part)) collisions.push(part);
        workers.set(part, member);
      }
      if (!signal.aborted) await once(signal, 'abort');
      for (const part of held) workers.delete(part);
      own.held = [];
    }).then(
      () => {
        own.state = 'over';
      },
      () => {
        own.state = 'failed';
      },
    ),
  });
  members.push(member);
  return member;
};

const divided = (among: readonly Member[], sizes: string) =>
  until(`it is divided ${sizes}`, () => {
    const held = among.map((member) => member.held.length).sort((a, b) => a - b);
    return workers.size === LEASE.parts.length && held.join() === sizes;
  });

it('a shared lease is divided evenly among its members, and no part is held twice', {
  tags: 'long',
}, async () => {
  const first = join();
  await divided([first], '7');
  const second = join();
  await divided([first, second], '3,4');
  const third = join();
  await divided([first, second, third], '2,2,3');
  second.stop();
  await divided([first, third], '3,4');
  expect(second.state).toBe('over');
  first.stop();
  await divided([third], '7');
  expect(collisions).toEqual([]);
});

it('a shared lease makes members without a part wait until another ends', async () => {
  const many = Array.from({ length: 9 }, () => join());
  await divided(many, '0,0,1,1,1,1,1,1,1');
  const [gone] = many.filter(({ held }) => held.length === 1);
  gone?.stop();
  const rest = many.filter((member) => member !== gone);
  await divided(rest, '0,1,1,1,1,1,1,1');
  expect(collisions).toEqual([]);
});

it('a shared lease passes a disconnected member’s parts to the others, and takes it back later', async () => {
  const [first, second] = [join(), join()];
  await divided([first, second], '3,4');
  await database.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'sightline lease shared' limit 1`,
  );
  await until('one has ended', () => members.some(({ state }) => state !== 'works'));
  const left = members.filter(({ state }) => state === 'works');
  await divided(left, '7');
  const again = join();
  await divided([...left, again], '3,4');
  expect(collisions).toEqual([]);
});

it('a shared lease passes on the parts of a member without contact to the server', {
  tags: 'long',
}, async () => {
  const silent = join(proxy.url);
  await divided([silent], '7');
  const other = join();
  await divided([silent, other], '3,4');
  proxy.freeze();
  await divided([other], '7');
  expect(silent.held).toEqual([]);
  expect(collisions).toEqual([]);
});

it('a shared lease excludes a holder of the whole, and the other way round', async () => {
  const stopping = new AbortController();
  let isWhole = false;
  const hold = () =>
    withLease(database.url, LEASE, stopping.signal, async (signal) => {
      isWhole = true;
      if (!signal.aborted) await once(signal, 'abort');
      isWhole = false;
    });
  const whole = hold();
  await until('one holds it as a whole', () => isWhole);
  const member = join();
  await until('the member has asked', async () => {
    const { rowCount } = await database.db.query(
      `select from pg_stat_activity where application_name = 'sightline lease shared'
         and query like '%try_advisory_lock_shared%' and datname = current_database()`,
    );
    return (rowCount ?? 0) > 0;
  });
  expect(member.state).toBe('waits');
  stopping.abort();
  await whole;
  await divided([member], '7');
  const { rows } = await database.db.query('select pg_try_advisory_lock($1, hashtext($2)) as free', [
    LEASE.kind,
    LEASE.name,
  ]);
  expect(rows).toEqual([{ free: false }]);
});
