import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { releaseId } from '../../../src/kernel/release.ts';
import { activeBuild, createBuild } from '../../../src/projections/builds/builds.ts';
import { createPointInTimeCopy } from '../../../src/projections/builds/point-in-time.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointOf } from '../../../src/projections/checkpoints.ts';
import {
  listParked,
  retryParked,
  skipParked,
  waitingEvents,
} from '../../../src/projections/dead-letters/operations.ts';
import { openParking, parkedStreams } from '../../../src/projections/dead-letters/parking.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { listStalls } from '../../../src/projections/stalls.ts';
import { verify } from '../../../src/projections/verify.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { loadControl } from '../../../src/write/projection-control.ts';
import { createTestProgram, sighted, type TestProgram, unchanged } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString();

/** A projection that fails at readings of a handle with so many followers. */
const failing = (base: Projection, name: string) => {
  const poison = new Set<string>();
  const projection: Projection = {
    ...base,
    name,
    open: (schema) => {
      const fold = base.open(schema);
      return {
        ...fold,
        apply: (event) => {
          const { profile } = event.data as { profile?: { followers: number } };
          if (poison.has(`${event.stream} ${profile?.followers}`))
            throw new TypeError('it has no such field');
          fold.apply(event);
        },
      };
    },
  };
  return { projection, poison };
};

let program: TestProgram;
let stop = new AbortController();
let running: Promise<void>[] = [];

beforeAll(async () => {
  program = await createTestProgram();
});
afterEach(async () => {
  stop.abort();
  await Promise.all(running);
  stop = new AbortController();
  running = [];
});
afterAll(() => program.close());

const options = () => ({
  db: program.database.db,
  connectionString: program.database.url,
  log: program.log,
  logger: silentLogger,
  signal: stop.signal,
  max: 5,
  graceMs: 0,
});

const run = (projection: Projection) => void running.push(runProjection(projection, options()));

const halt = async () => {
  stop.abort();
  await Promise.all(running);
  stop = new AbortController();
  running = [];
};

const schemaOf = async ({ name, version }: Projection) =>
  (await activeBuild(program.database.db, name, version))?.schema ?? '';

const followed = async (projection: Projection) => {
  const head = await program.log.head();
  await until('it has followed', async () => {
    const schema = await schemaOf(projection);
    return schema !== '' && (await checkpointOf(program.database.db, schema)) >= head;
  });
};

/** The newest event of a stream. */
const lastOf = async (handle: string): Promise<RecordedEvent> => {
  const [event] = await program.log.readStream(`account-x:${handle}`, { direction: 'backwards', limit: 1 });
  return event as RecordedEvent;
};

const append = async (handle: string, minute: number, followers: number): Promise<RecordedEvent> => {
  await program.append('x', handle, sighted(handle, at(minute), { id: `id ${handle}`, followers }));
  return lastOf(handle);
};

const followersOf = async (projection: Projection): Promise<Readonly<Record<string, string>>> => {
  const table = projection.name.startsWith('accounts') ? 'accounts' : 'entries';
  const { rows } = await program.database.db.query<{ handle: string; followers: string }>(
    `select handle, followers from ${await schemaOf(projection)}.${table} order by handle`,
  );
  return Object.fromEntries(rows.map(({ handle, followers }) => [handle, followers]));
};

const expectVerified = async (projection: Projection) => {
  const found = await verify(projection, options());
  expect(found.differences).toEqual([]);
  expect(found.equal).toBeGreaterThan(0);
};

describe.for([
  ['accounts', accounts],
  ['directory', directory],
] as const)('an event that %s cannot apply', ([kind, base]) => {
  const { projection, poison } = failing(base, `${kind}_parking`);
  const one = `${kind}_one`;
  const two = `${kind}_two`;
  let bad: RecordedEvent;

  it('parks its stream from that event on, in order, while all others continue', async () => {
    await createBuild(program.database.db, projection, 'active');
    run(projection);
    await append(one, 1, 10);
    poison.add(`account-x:${one} 20`);
    bad = await append(one, 2, 20);
    await append(two, 3, 30);
    await append(one, 4, 40);
    await append(two, 5, 50);
    await followed(projection);
    const rows = await followersOf(projection);
    expect(rows[two]).toBe('50');
    expect(rows[one]).toBe('10');
    expect((await listStalls(program.database.db)).filter((s) => s.projection === projection.name)).toEqual(
      [],
    );
    const [parked] = await listParked(program.log, [projection]);
    expect(parked).toMatchObject({
      projection: projection.name,
      stream: `account-x:${one}`,
      eventId: bad.id,
      type: 'AccountSighted',
      release: await releaseId(),
    });
    expect(parked?.reason).toContain('it has no such field');
    const waiting = await waitingEvents(program.log, projection, {
      stream: `account-x:${one}`,
      revision: bad.revision,
    });
    expect(waiting.map(({ position }) => position)).toEqual([bad.position, (await lastOf(one)).position]);
  });

  it('is left out of a rebuild, a verification and a copy at the same positions', async () => {
    await expectVerified(projection);
    const copy = await createPointInTimeCopy(projection, bad.position, `${kind}_at_poison`, options());
    const { rows } = await program.database.db.query(
      'select stream, revision::int from projections.parked where schema_name = $1',
      [copy.schema],
    );
    expect(rows).toEqual([{ stream: `account-x:${one}`, revision: Number(bad.revision) }]);
    const before = await followersOf(projection);
    await rebuild(projection, options());
    expect(await followersOf(projection)).toEqual(before);
    expect([...(await parkedStreams(program.database.db, await schemaOf(projection))).keys()]).toEqual([
      `account-x:${one}`,
    ]);
    await expectVerified(projection);
  });

  it('stays parked if it fails again on a retry', async () => {
    run(projection);
    await retryParked(program.log, [projection], `account-x:${one}`, 'a test');
    await until('it is parked again', async () => {
      const holds = (await loadControl(program.log, projection)).sequences.get(`account-x:${one}`);
      return holds?.length === 2;
    });
    await followed(projection);
    expect((await followersOf(projection))[one]).toBe('10');
    await halt();
    await expectVerified(projection);
  });

  it('is applied on a retry with what follows it, up to the next failure', async () => {
    poison.clear();
    poison.add(`account-x:${one} 60`);
    const next = await append(one, 6, 60);
    run(projection);
    await retryParked(program.log, [projection], `account-x:${one}`, 'mended');
    await until('the next is parked', async () => {
      const [parked] = await listParked(program.log, [projection]);
      return parked?.eventId === next.id;
    });
    await followed(projection);
    expect((await followersOf(projection))[one]).toBe('40');
    await halt();
    await expectVerified(projection);
    poison.clear();
    run(projection);
    await retryParked(program.log, [projection], `account-x:${one}`, 'mended');
    await until('it is applied', async () => (await followersOf(projection))[one] === '60');
    await append(one, 7, 70);
    await followed(projection);
    expect((await followersOf(projection))[one]).toBe('70');
    await halt();
    await expectVerified(projection);
    const before = await followersOf(projection);
    await rebuild(projection, options());
    expect(await followersOf(projection)).toEqual(before);
    await expectVerified(projection);
  });

  it('can be skipped, and what follows it is applied', async () => {
    run(projection);
    poison.add(`account-x:${one} 80`);
    const skipped = await append(one, 8, 80);
    await program.append('x', one, unchanged(at(9), { followers: 90 }));
    await followed(projection);
    await until('it is parked', async () => (await listParked(program.log, [projection])).length === 1);
    expect(await skipParked(program.log, [projection], `account-x:${one}`, 'a test')).toEqual([
      { projection: projection.name, position: skipped.position },
    ]);
    await until('the rest is applied', async () => (await followersOf(projection))[one] === '90');
    expect(await listParked(program.log, [projection])).toEqual([]);
    await halt();
    await expectVerified(projection);
    await expect(retryParked(program.log, [projection], `account-x:${one}`, 'x')).rejects.toThrow(
      'is not parked',
    );
  });
});

it('brings its changes at the retry’s position, after everything followed before', async () => {
  const { projection, poison } = failing(directory, 'directory_changes');
  const { db } = program.database;
  await createBuild(db, projection, 'active');
  run(projection);
  await append('changing', 1, 10);
  poison.add('account-x:changing 2000000');
  await append('changing', 2, 2_000_000);
  await append('another', 3, 1);
  await append('changing', 4, 9_000_000);
  await followed(projection);
  const changes = async () => {
    const { rows } = await db.query<{ position: string; n: number; handle: string; kind: string }>(
      `select position, n, handle, kind from ${await schemaOf(projection)}.changes
       where handle in ('changing', 'another') order by position, n`,
    );
    return rows;
  };
  expect((await changes()).map(({ handle, kind }) => [handle, kind])).toEqual([
    ['changing', 'discovered'],
    ['another', 'discovered'],
  ]);
  const followedTo = BigInt((await changes()).at(-1)?.position ?? 0);
  poison.clear();
  await retryParked(program.log, [projection], 'account-x:changing', 'mended');
  const retriedAt = await program.log.head();
  await until('they are there', async () => (await changes()).length === 4);
  const brought = (await changes()).filter(({ position }) => BigInt(position) > followedTo);
  expect(brought).toEqual([
    { position: String(retriedAt), n: 0, handle: 'changing', kind: 'jumped' },
    { position: String(retriedAt), n: 1, handle: 'changing', kind: 'jumped' },
  ]);
  await halt();
  await expectVerified(projection);
});

it('is retried once without being asked if another release parked it', async () => {
  const { projection, poison } = failing(accounts, 'accounts_upgraded');
  const { db } = program.database;
  const { schema } = await createBuild(db, projection, 'active');
  poison.add('account-x:upgraded 1234');
  await append('upgraded', 1, 1_234);
  const parking = await openParking(projection, {
    log: program.log,
    logger: silentLogger,
    release: async () => '0123456789abcdef',
  });
  const writer = await openWriter(db, projection, schema, { log: program.log, parking });
  for await (const page of program.log.readAll(0n, { types: projection.types })) await writer.write(page);
  expect((await followersOf(projection)).upgraded).toBeUndefined();
  // This program fails as the other did, and does not try a second time.
  run(projection);
  const holds = async () =>
    (await loadControl(program.log, projection)).sequences.get('account-x:upgraded') ?? [];
  await until('it was tried', async () => (await holds()).length === 2);
  await halt();
  run(projection);
  await append('upgraded_too', 2, 20);
  await followed(projection);
  await halt();
  expect(await holds()).toMatchObject([
    { release: '0123456789abcdef' },
    { release: await releaseId(), until: null },
  ]);
});

it('leaves nothing to repair if its writer dies between parking and writing', async () => {
  const { projection, poison } = failing(accounts, 'accounts_dying');
  const { db } = program.database;
  await createBuild(db, projection, 'active');
  poison.add('account-x:dying 4321');
  const bad = await append('dying', 1, 4_321);
  await append('dying', 2, 20);
  const parking = await openParking(projection, { log: program.log, logger: silentLogger });
  const error = Object.assign(new Error('as if it had failed'), { event: bad });
  expect(await parking.park(error as never)).toBe(true);
  run(projection);
  await append('living', 3, 30);
  await followed(projection);
  expect(await followersOf(projection)).toMatchObject({ living: '30' });
  expect((await followersOf(projection)).dying).toBeUndefined();
  expect((await loadControl(program.log, projection)).sequences.get('account-x:dying')).toHaveLength(1);
  await halt();
  await expectVerified(projection);
});

it.each([
  ['a full disk', Object.assign(new Error('could not extend file'), { code: '53100' })],
  ['a statement that was cancelled', Object.assign(new Error('canceling statement'), { code: '57014' })],
  ['a deadlock', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  ['a query without an answer', new Error('Query read timeout')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
])('is not parked for %s: the projection retries until it works', async (_, failure) => {
  const name = `accounts_${failure.message.replaceAll(/\W/g, '').toLowerCase().slice(0, 20)}`;
  let failures = 0;
  const projection: Projection = {
    ...accounts,
    name,
    open: (schema) => {
      const fold = accounts.open(schema);
      return {
        ...fold,
        store: async (db) => {
          // As the connection would say it.
          if (failures++ < 2) {
            const connection = Object.getPrototypeOf(db) as { query: unknown };
            const query = connection.query;
            connection.query = async () => {
              throw failure;
            };
            try {
              await db.query(sql`select 1`);
            } finally {
              connection.query = query;
            }
          }
          await fold.store(db);
        },
      };
    },
  };
  await createBuild(program.database.db, projection, 'active');
  run(projection);
  await followed(projection);
  expect(failures).toBeGreaterThan(2);
  expect((await loadControl(program.log, projection)).sequences.size).toBe(0);
  await halt();
});
