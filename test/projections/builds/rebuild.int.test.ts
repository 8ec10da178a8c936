import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import {
  activeBuild,
  createBuild,
  dropAbandoned,
  listBuilds,
  retireActive,
} from '../../../src/projections/builds/builds.ts';
import { rebuild, rebuildAll } from '../../../src/projections/builds/rebuild.ts';
import { CheckpointConflictError, checkpointOf } from '../../../src/projections/checkpoints.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import { watchBuilds } from '../../../src/read/active-builds.ts';
import { holderStream } from '../../../src/write/holders/holder.ts';
import type { EventLog, EventPage } from '../../../src/write/log/port.ts';
import { differences } from '../../support/compare.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
let appended = 0;
const more = async (count: number) => {
  await live(program.log, 2, count, appended);
  appended += count;
};

beforeAll(async () => {
  program = await createTestProgram();
  await more(1_500);
  await program.issueKey();
});
afterAll(() => program.close());

const never = new AbortController().signal;
const options = (signal = never, graceMs = 0) => ({
  db: program.database.db,
  log: program.log,
  logger: silentLogger,
  signal,
  graceMs,
});

const schemasOf = async (): Promise<readonly string[]> => {
  const { rows } = await program.database.db.query<{ nspname: string }>(
    `select nspname from pg_namespace where nspname ~ '_v\\d+_b\\d+$' order by 1`,
  );
  return rows.map(({ nspname }) => nspname);
};

const activeSchema = async (projection: Projection): Promise<string> =>
  (await activeBuild(program.database.db, projection.name, projection.version))?.schema ?? '';

/** A build that is kept aside, with all that the log holds. */
const aside = async (projection: Projection): Promise<string> => {
  const { schema } = await createBuild(program.database.db, projection, 'building');
  const writer = await openWriter(program.database.db, projection, schema);
  for await (const page of program.log.readAll(0n, { types: projection.types })) await writer.write(page);
  return schema;
};

describe('a rebuild', () => {
  it.for(projections.map((projection) => [projection.name, projection] as const))(
    'of %s has the rows of the live one',
    async ([, projection]) => {
      for (let i = 0; i < 5; i++) {
        await more(60);
        await program.project();
      }
      const before = await activeSchema(projection);
      // The live build stays for those who have not heard of the new one, here until it is compared.
      const stop = new AbortController();
      const rebuilding = rebuild(projection, options(stop.signal, 60_000));
      await until('the new build is served', async () => (await activeSchema(projection)) !== before);
      const after = await activeSchema(projection);
      expect(await differences(program.database.db, before, after)).toEqual([]);
      stop.abort();
      expect((await rebuilding).schema).toBe(after);
      expect(await schemasOf()).not.toContain(before);
    },
  );

  it('loses nothing and disturbs no reader while events arrive', { tags: 'long' }, async () => {
    const { db, url } = program.database;
    const stop = new AbortController();
    const running = runProjection(directory, { ...options(stop.signal), connectionString: url });
    const builds = await watchBuilds(db, silentLogger);
    await program.append('youtube', 'steady', sighted('steady', new Date().toISOString(), { id: '77' }));
    const read = async () => {
      const { rows } = await db.query(
        `select handle from ${builds.schema('directory')}.entries where platform = 'youtube' and native_id = '77'`,
      );
      return rows.length;
    };
    await until('the account is there', async () => (await read()) === 1);
    let busy = true;
    const reads: number[] = [];
    const reading = (async () => {
      while (busy) reads.push(await read());
    })();
    const writing = (async () => {
      while (busy) await more(50);
    })();
    for (let i = 0; i < 3; i++) await rebuild(directory, options(never, 2_000));
    busy = false;
    await Promise.all([reading, writing]);
    const head = await program.log.head();
    await until('the new build has followed', async () => {
      await builds.refresh();
      return (builds.progress('directory')?.position ?? 0n) >= head;
    });
    stop.abort();
    await running;
    builds.close();
    expect(new Set(reads)).toEqual(new Set([1]));
    expect(await differences(db, await activeSchema(directory), await aside(directory))).toEqual([]);
  });

  it('of several projections begins the next one while the build before is kept for its readers', async () => {
    const which = [directory, holders];
    const before = await Promise.all(which.map(activeSchema));
    const stop = new AbortController();
    const rebuilding = rebuildAll(which, options(stop.signal, 3_600_000));
    await until('both new builds are served', async () =>
      (await Promise.all(which.map(activeSchema))).every((schema, i) => schema !== before[i]),
    );
    for (const schema of before) expect(await schemasOf()).toContain(schema);
    stop.abort();
    expect((await rebuilding).map(({ schema }) => schema)).toEqual(
      await Promise.all(which.map(activeSchema)),
    );
    for (const schema of before) expect(await schemasOf()).not.toContain(schema);
  });

  it('of several projections ends with the first that fails, and begins none after it', async () => {
    const before = await activeSchema(holders);
    const broken: Projection = {
      ...directory,
      tables: () => {
        throw new Error('broken');
      },
    };
    await expect(rebuildAll([broken, holders], options())).rejects.toThrow('broken');
    expect(await activeSchema(holders)).toBe(before);
  });

  it('leaves nothing behind if stopped', async () => {
    const before = [await schemasOf(), await activeSchema(directory)];
    const stop = new AbortController();
    const rebuilding = rebuild(directory, {
      ...options(stop.signal),
      onProgress: () => stop.abort(),
    });
    await expect(rebuilding).rejects.toThrow();
    const leftover = (await listBuilds(program.database.db)).filter(({ status }) => status !== 'active');
    expect(leftover.filter(({ projection }) => projection === 'directory')).toEqual([]);
    expect([(await schemasOf()).includes(String(before[1])), await activeSchema(directory)]).toEqual([
      true,
      before[1],
    ]);
  });

  it('leaves a droppable build, and no lock, if killed', {
    tags: 'long',
  }, async () => {
    const { db } = program.database;
    const before = await activeSchema(directory);
    for (let i = 0; i < 10; i++) {
      const { schema } = await createBuild(db, directory, 'building');
      await dropAbandoned(db, directory);
      expect(await schemasOf()).not.toContain(schema);
      const stop = new AbortController();
      const next = rebuild(directory, { ...options(stop.signal), onProgress: () => stop.abort() });
      await expect(next).rejects.toThrow('aborted');
    }
    expect(await activeSchema(directory)).toBe(before);
  });

  it('is refused while another one runs', async () => {
    const stop = new AbortController();
    let second: Promise<unknown> | undefined;
    const first = rebuild(directory, {
      ...options(stop.signal),
      onProgress: () => {
        second ??= rebuild(directory, options()).catch((error: Error) => error.message);
      },
    });
    await first;
    expect(await second).toMatch('is in progress');
  });
});

describe('a new version', () => {
  const next: Projection = { ...directory, version: directory.version + 1 };

  it('is built from the log while the old one is served, and both are followed', {
    tags: 'long',
  }, async () => {
    const { db, url } = program.database;
    const old = await activeSchema(directory);
    const stop = new AbortController();
    const following = { ...options(stop.signal), connectionString: url };
    const running = [runProjection(directory, following), runProjection(next, following)];
    await until('the new version is served', async () => (await activeSchema(next)) !== '');
    expect(await activeSchema(directory)).toBe(old);
    await more(200);
    const head = await program.log.head();
    await until('both have followed', async () =>
      (await listBuilds(db))
        .filter(({ projection, status }) => projection === 'directory' && status === 'active')
        .every(({ position }) => position >= head),
    );
    stop.abort();
    await Promise.all(running);
    expect(await differences(db, old, await activeSchema(next))).toEqual([]);
  });
});

const collect = async (pages: AsyncIterable<EventPage>): Promise<readonly EventPage[]> => {
  const found: EventPage[] = [];
  for await (const page of pages) found.push(page);
  return found;
};

describe('the switch to a rebuilt read model', () => {
  it('happens at or after the old one’s position: a key revoked meanwhile stays revoked', {
    tags: 'long',
  }, async () => {
    const { db, url } = program.database;
    const holder = 'switching';
    await program.issueKey(undefined, { holder });
    const stop = new AbortController();
    const running = runProjection(holders, { ...options(stop.signal), connectionString: url });
    const old = async () => checkpointOf(db, await activeSchema(holders));
    await until('it has followed', async () => (await old()) >= (await program.log.head()));
    const keys = async () => {
      const { rows } = await db.query<{ key_id: string; revoked_at: string | null }>(
        `select key_id, revoked_at from ${await activeSchema(holders)}.keys where holder = $1`,
        [holder],
      );
      return rows;
    };
    const keyId = (await keys())[0]?.key_id ?? '';
    let revoked = 0n;
    // What comes in when the new build has all that there was, and the old one is a step ahead.
    const revoke = async () => {
      await program.log.append(
        holderStream(holder),
        [
          {
            id: uuidV7(Date.now()),
            type: 'KeyRevoked',
            data: { at: new Date().toISOString(), key_id: keyId },
          },
        ],
        'any',
      );
      revoked = await program.log.head();
      await until('the old one has it', async () => (await old()) >= revoked);
    };
    let reads = 0;
    const log: EventLog = {
      ...program.log,
      async *readAll(after, wanted) {
        yield* program.log.readAll(after, wanted);
        // The build's first pass, its second, and the one just before the switch.
        if (++reads === 3) await revoke();
      },
    };
    const before = await activeSchema(holders);
    await rebuild(holders, { ...options(), log });
    expect(revoked).toBeGreaterThan(0n);
    expect(await activeSchema(holders)).not.toBe(before);
    expect(await old()).toBeGreaterThanOrEqual(revoked);
    expect((await keys())[0]?.revoked_at).toEqual(expect.any(String));
    stop.abort();
    await running;
  });

  it('waits for writes to the old one, whose writer then lost its partition', {
    tags: 'long',
  }, async () => {
    const { db } = program.database;
    const kept: Projection = { ...accounts, name: 'kept' };
    const build = await createBuild(db, kept, 'active');
    const writer = await openWriter(db, kept, build.schema);
    const [page] = await collect(program.log.readAll(0n, { types: kept.types, pageSize: 100 }));
    if (page === undefined) throw new Error('the log is empty');
    const switching = await db.connect();
    await switching.query('begin');
    expect(await retireActive(switching, build)).toBe(build.schema);
    const late = writer.write(page).then(
      () => 'written',
      (error: unknown) => error,
    );
    const isWaiting = async () => {
      const { rows } = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and (query like '%move_checkpoints%' or query like '%projections.checkpoints%')`,
      );
      return rows.length > 0;
    };
    await until('the writer waits', isWaiting);
    await switching.query('commit');
    switching.release();
    expect(await late).toBeInstanceOf(CheckpointConflictError);
    expect(await checkpointOf(db, build.schema)).toBe(0n);
  });
});
