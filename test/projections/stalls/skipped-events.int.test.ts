import type { Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { skipLines } from '../../../src/cli/commands/projections/parked.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import type { Queryable } from '../../../src/kernel/postgres/pool.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { skipEvent as skipAsOperator } from '../../../src/operations/projections/skip.ts';
import { activeBuild, createBuild } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointOf } from '../../../src/projections/checkpoints.ts';
import { listParked } from '../../../src/projections/dead-letters/operations.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { ApplyEventError, listStalls } from '../../../src/projections/stalls.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import { accountStream } from '../../../src/write/accounts/account.ts';
import { EventDeserializationError } from '../../../src/write/log/codec.ts';
import type { EventLog, RecordedEvent } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { loadControl, projectionStream, skipEvent } from '../../../src/write/projection-control.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

const AT = '2026-10-01T08:00:00.000Z';

/** The account check as it would be if it could not park streams. */
const { parks: _, ...unparking } = accounts;

/** The account check, but for a handle that it stumbles over: in its handler, or with rows that its table refuses. */
const stumbling = (name: string, how: 'handler' | 'load' | 'table'): Projection => ({
  ...unparking,
  name,
  tables: (schema) =>
    how === 'table'
      ? `${accounts.tables(schema)} alter table ${schema}.accounts add constraint sane check (handle <> 'bad');`
      : accounts.tables(schema),
  open: (schema) => {
    const fold = accounts.open(schema);
    return {
      ...fold,
      load: async (db, events) => {
        await fold.load(db, events);
        if (how === 'load' && events.some((event) => event.stream === 'account-x:bad')) {
          throw new TypeError('no such thing');
        }
      },
      apply: (event) => {
        if (how === 'handler' && event.stream === 'account-x:bad') throw new TypeError('no such thing');
        fold.apply(event);
      },
    };
  },
});

const KINDS = [
  ['handler', stumbling('in_handler', 'handler'), 'no such thing'],
  ['load', stumbling('in_load', 'load'), 'no such thing'],
  ['table', stumbling('in_table', 'table'), 'violates check constraint "sane"'],
] as const;

let program: TestProgram;
let bad: RecordedEvent;
let stop = new AbortController();
let running: Promise<void>[] = [];

beforeAll(async () => {
  program = await createTestProgram();
  for (const handle of ['one', 'two', 'bad', 'three']) await program.append('x', handle, sighted(handle, AT));
  for await (const page of program.log.readAll(0n)) {
    bad = page.events.find((event) => event.stream === 'account-x:bad') ?? bad;
  }
});
afterEach(async () => {
  stop.abort();
  await Promise.all(running);
  stop = new AbortController();
  running = [];
});
afterAll(() => program.close());

const run = (projection: Projection, logger: Logger = silentLogger, log: EventLog = program.log) => {
  const { db, url } = program.database;
  const options = { db, log, logger, connectionString: url, signal: stop.signal };
  running.push(runProjection(projection, options));
};

const schemaOf = async (projection: Projection): Promise<string> =>
  (await activeBuild(program.database.db, projection.name, projection.version))?.schema ?? '';

const handles = async (schema: string): Promise<readonly string[]> => {
  const { rows } = await program.database.db.query<{ handle: string }>(
    `select handle from ${schema}.accounts order by 1`,
  );
  return rows.map(({ handle }) => handle);
};

const stopOf = async ({ name }: Projection) =>
  (await listStalls(program.database.db)).find(({ projection }) => projection === name);

const followed = async (projection: Projection) => {
  const head = await program.log.head();
  await until('the projection has followed', async () => {
    return (await checkpointOf(program.database.db, await schemaOf(projection))) >= head;
  });
};

const rebuildOptions = () => {
  const { db } = program.database;
  return { db, log: program.log, logger: silentLogger, signal: new AbortController().signal, graceMs: 0 };
};

/** A logger that keeps what it is told. */
const listening = () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { lines, logger };
};

describe.for(KINDS)('an event that a projection cannot apply (%s)', ([, projection, why]) => {
  it('is named by the writer, which keeps everything before it', async () => {
    const { db } = program.database;
    const { schema } = await createBuild(db, projection, 'active');
    const writer = await openWriter(db, projection, schema);
    for await (const page of program.log.readAll(0n, { types: accounts.types })) {
      const failure = await writer.write(page).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplyEventError);
      expect(failure).toMatchObject({ projection: projection.name, event: { id: bad.id } });
      expect((failure as Error).message).toContain(why);
      expect((failure as Error).message).toContain(`position ${bad.position} `);
    }
    expect(writer.position()).toBe(bad.position - 1n);
    expect(await checkpointOf(db, schema)).toBe(bad.position - 1n);
    expect(await handles(schema)).toEqual(['one', 'two']);
  });

  it('is named by a rebuild, which leaves everything as it was', async () => {
    const before = await schemaOf(projection);
    const failure = await rebuild(projection, rebuildOptions()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplyEventError);
    expect(failure).toMatchObject({ event: { position: bad.position } });
    expect(await schemaOf(projection)).toBe(before);
    const { rows } = await program.database.db.query(
      'select from projections.builds where projection = $1 and status <> $2',
      [projection.name, 'active'],
    );
    expect(rows).toEqual([]);
  });

  it('stalls the projection, loudly, until it is skipped; the skip outlives restarts and rebuilds', async () => {
    const { lines, logger } = listening();
    run(projection, logger);
    const stopped = await until('it is told where it stands', () => stopOf(projection));
    expect(stopped).toMatchObject({ position: bad.position, partition: 'x' });
    expect(stopped.reason).toContain(why);
    const line = lines.find(({ position }) => position === String(bad.position));
    expect(line).toMatchObject({ level: 50, stream: 'account-x:bad', type: 'AccountSighted' });
    expect(line?.msg).toContain(
      `sightline projections skip ${bad.position} --projection ${projection.name} --reason`,
    );
    expect(await handles(await schemaOf(projection))).toEqual(['one', 'two']);

    expect(await skipEvent(program.log, projection, bad, 'a test', Date.now())).toBe(true);
    await followed(projection);
    const schema = await schemaOf(projection);
    expect(await handles(schema)).toEqual(['one', 'three', 'two']);
    await until('it is told that it goes on', async () => (await stopOf(projection)) === undefined);

    const build = await rebuild(projection, rebuildOptions());
    expect(build.schema).not.toBe(schema);
    expect(await handles(build.schema)).toEqual(['one', 'three', 'two']);
    // A writer that begins at the log's start knows of it too.
    await program.database.db.query(
      'update projections.checkpoints set position = 0 where schema_name = $1',
      [build.schema],
    );
    await program.database.db.query(`truncate ${build.schema}.accounts, ${build.schema}.totals`);
    await followed(projection);
    expect(await handles(build.schema)).toEqual(['one', 'three', 'two']);
  });
});

it('is applied alone if events of its page fail only together', async () => {
  const { db } = program.database;
  const together: Projection = {
    ...accounts,
    name: 'together',
    open: (schema) => {
      const fold = accounts.open(schema);
      let loaded = 0;
      return {
        ...fold,
        load: async (client, events) => {
          loaded = events.length;
          await fold.load(client, events);
        },
        store: async (client) => {
          if (loaded > 1) throw new RangeError('too many');
          await fold.store(client);
        },
      };
    },
  };
  const { schema } = await createBuild(db, together, 'active');
  const writer = await openWriter(db, together, schema);
  const pages = program.log.readAll(0n, { types: accounts.types });
  for await (const page of pages) await writer.write(page);
  expect(writer.position()).toBe(await program.log.head());
  expect(await handles(schema)).toEqual(['bad', 'one', 'three', 'two']);
});

it.each([
  ['by the server', (client: Queryable) => client.query(sql`select pg_terminate_backend(pg_backend_pid())`)],
  [
    'on its way',
    (client: Queryable) => {
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
      return client.query(sql`select 1`);
    },
  ],
] as const)('is not blamed for a connection that is cut %s while events are folded', async (_, cutOff) => {
  const { db } = program.database;
  const cut: Projection = {
    ...accounts,
    name: 'cut',
    open: (schema) => ({
      ...accounts.open(schema),
      load: async (client) => {
        await cutOff(client);
      },
    }),
  };
  const { schema } = await createBuild(db, cut, 'building');
  const writer = await openWriter(db, cut, schema);
  for await (const page of program.log.readAll(0n, { types: accounts.types })) {
    const failure = await writer.write(page).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(ApplyEventError);
  }
  expect(await checkpointOf(db, schema)).toBe(0n);
});

it('is not logged with its data', async () => {
  const { db, url } = program.database;
  const raw = createPostgresLog(db, url, silentLogger);
  const data = { key_hash: 'HASH', key_id: 'k', scopes: 'not a list', label: null, at: AT };
  await raw.append('holder-broken', [{ id: uuidV7(Date.now()), type: 'KeyIssued', data }], 'any');
  await raw.close();
  const { lines, logger } = listening();
  run(holders, logger);
  await until('it stands', () => stopOf(holders));
  expect(lines.filter(({ level }) => level === 50).length).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain('HASH');
  const position = await program.log.head();
  await skipAsOperator({ db, log: program.log }, { position, reason: 'a test' });
});

describe('an unreadable event', () => {
  let position: bigint;
  const skipping = async (at: bigint, reason = 'a test', names?: readonly string[]) => {
    const context = { db: program.database.db, log: program.log };
    return (await skipAsOperator(context, { position: at, reason, projections: names })).flatMap(skipLines);
  };

  beforeAll(async () => {
    const raw = createPostgresLog(program.database.db, program.database.url, silentLogger);
    const broken = { id: uuidV7(Date.now()), type: 'AccountSighted', data: { nonsense: true } };
    await raw.append(accountStream('x', 'broken'), [broken], 'any');
    await raw.close();
    position = await program.log.head();
    await program.append('x', 'later', sighted('later', AT));
  });

  it('stalls a projection that cannot park its stream, and a rebuild, which name it', async () => {
    const unreading: Projection = { ...unparking, name: 'unreading' };
    await createBuild(program.database.db, unreading, 'active');
    run(unreading);
    const stopped = await until('it is told where it stands', () => stopOf(unreading));
    expect(stopped.position).toBe(position);
    // What came before it in its page is in the rows.
    expect(await handles(await schemaOf(unreading))).toEqual(['bad', 'one', 'three', 'two']);
    const failure = await rebuild(unreading, rebuildOptions()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EventDeserializationError);
    expect(failure).toMatchObject({ event: { position } });
  });

  it('is parked with its stream if possible: the others continue, in rebuilds too', async () => {
    run(accounts);
    await followed(accounts);
    expect(await handles(await schemaOf(accounts))).toEqual(['bad', 'later', 'one', 'three', 'two']);
    expect(await stopOf(accounts)).toBeUndefined();
    expect(await listParked(program.log, [accounts])).toMatchObject([
      { projection: 'accounts', stream: 'account-x:broken', position },
    ]);
    const build = await rebuild(accounts, rebuildOptions());
    expect(await handles(build.schema)).toEqual(['bad', 'later', 'one', 'three', 'two']);
  });

  it('is skipped by the projections concerned; an invalid skip is refused, and nothing is written', async () => {
    const before = await program.log.head();
    await expect(skipping(position, '  ')).rejects.toMatchObject({ code: 'reason_missing' });
    await expect(skipping(9_999_999n)).rejects.toThrow('There is no event at position 9999999.');
    await expect(skipping(position, 'x', ['nobody'])).rejects.toThrow(
      '"nobody" is no projection. The projections are:',
    );
    await expect(skipping(position, 'x', ['holders'])).rejects.toThrow(
      'holders does not apply AccountSighted in account-x:broken',
    );
    expect(await program.log.head()).toBe(before);

    run(accounts);
    const skipped = (name: string) =>
      `${name} now skips position ${position} (AccountSighted in account-x:broken).`;
    expect(await skipping(position, ' for a test ')).toEqual([
      skipped('accounts'),
      'The events after it in account-x:broken were parked, and are applied now.',
      skipped('directory'),
      skipped('frontier'),
      skipped('handles'),
      skipped('people'),
      skipped('posts'),
    ]);
    await until('it is parked no more', async () => (await listParked(program.log, [accounts])).length === 0);
    await followed(accounts);
    const event = (await program.log.readStream(projectionStream('accounts'))).find(
      ({ type }) => type === 'ProjectionEventSkipped',
    );
    expect(event).toMatchObject({
      type: 'ProjectionEventSkipped',
      data: { position: String(position), stream: 'account-x:broken', why: 'for a test' },
    });

    const after = await program.log.head();
    expect((await skipping(position, 'again', ['accounts']))[0]).toBe(
      `accounts already skips position ${position}.`,
    );
    expect(await program.log.head()).toBe(after);
  });

  it('is skipped by rebuilds, and by runners that were not stalled at it', async () => {
    const build = await rebuild(accounts, rebuildOptions());
    expect(await handles(build.schema)).toEqual(['bad', 'later', 'one', 'three', 'two']);
    run(directory);
    await followed(directory);
    expect(await stopOf(directory)).toBeUndefined();
  });

  it('stays if the rows already contain it', async () => {
    expect(await skipping(bad.position, 'late', ['accounts'])).toEqual([
      `accounts now skips position ${bad.position} (AccountSighted in account-x:bad).`,
      'The served rows contain it; to remove it: sightline projections rebuild accounts',
    ]);
    expect((await loadControl(program.log, accounts)).skipped).toContain(bad.id);
    const build = await rebuild(accounts, rebuildOptions());
    expect(await handles(build.schema)).toEqual(['later', 'one', 'three', 'two']);
  });
});

it('is never applied if it is skipped before it is reached', async () => {
  const following: Projection = { ...accounts, name: 'following' };
  const { db } = program.database;
  for (const id of (await loadControl(program.log, accounts)).skipped) {
    await skipEvent(program.log, following, { ...bad, id }, 'as another', Date.now());
  }
  let subscriptions = 0;
  const log: EventLog = {
    ...program.log,
    subscribe: (after, options) => {
      subscriptions += 1;
      return program.log.subscribe(after, options);
    },
  };
  await createBuild(db, following, 'active');
  run(following, silentLogger, log);
  await followed(following);
  const seen = subscriptions;
  const id = uuidV7(Date.now());
  await skipEvent(program.log, following, { ...bad, id }, 'it is known to come', Date.now());
  await until('it has heard of it', () => subscriptions > seen);
  await program.log.append(accountStream('x', 'foreseen'), [{ id, ...sighted('foreseen', AT) }], 'any');
  await program.append('x', 'unforeseen', sighted('unforeseen', AT));
  await followed(following);
  const rows = await handles(await schemaOf(following));
  expect([rows.includes('foreseen'), rows.includes('unforeseen')]).toEqual([false, true]);
});

it('is left out of a rebuild during which it is skipped', async () => {
  const late: Projection = { ...accounts, name: 'late' };
  await createBuild(program.database.db, late, 'active');
  for (const id of (await loadControl(program.log, accounts)).skipped) {
    if (id !== bad.id) await skipEvent(program.log, late, { ...bad, id }, 'it can’t be read', Date.now());
  }
  let passes = 0;
  const log: EventLog = {
    ...program.log,
    async *readAll(after, options) {
      yield* program.log.readAll(after, options);
      if (passes++ === 0) await skipEvent(program.log, late, bad, 'a test', Date.now());
    },
  };
  const build = await rebuild(late, { ...rebuildOptions(), log });
  expect(passes).toBeGreaterThan(2);
  expect(await handles(build.schema)).not.toContain('bad');
});
