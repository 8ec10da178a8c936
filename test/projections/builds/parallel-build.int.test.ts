import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { type BuildWriters, createBuildWriters } from '../../../src/projections/builds/build-writers.ts';
import { activeBuild, createBuild, listBuilds } from '../../../src/projections/builds/builds.ts';
import { createPointInTimeCopy } from '../../../src/projections/builds/point-in-time.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointsOf, isSharedByPlatform } from '../../../src/projections/checkpoints.ts';
import { parkedStreams } from '../../../src/projections/dead-letters/parking.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import { accountStream } from '../../../src/write/accounts/account.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { differences } from '../../support/compare.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
  await live(program.log, 9, 1_000);
});
afterAll(() => program.close());

const source = () => ({ connectionString: program.database.url, logSettings: {} });

const writersOf = (count: number): BuildWriters => createBuildWriters(source(), { count, leastEvents: 1n });

const options = (writers: BuildWriters, signal = new AbortController().signal) => ({
  db: program.database.db,
  log: program.log,
  logger: silentLogger,
  graceMs: 0,
  signal,
  writers,
});

/** Folded by one writer, event by event as they came. */
const folded = async (projection: Projection, to?: bigint): Promise<string> => {
  const { schema } = await createBuild(program.database.db, projection, 'building');
  const writer = await openWriter(program.database.db, projection, schema);
  const end = to === undefined ? {} : { to };
  for await (const page of program.log.readAll(0n, { types: projection.types, pageSize: 100, ...end })) {
    await writer.write(page);
  }
  await program.database.db.query(`update projections.builds set status = 'copy' where schema_name = $1`, [
    schema,
  ]);
  return schema;
};

describe.for(
  projections.filter(isSharedByPlatform).map((projection) => [projection.name, projection] as const),
)('a rebuild of %s', ([, projection]) => {
  for (const count of [2, 3, 7]) {
    const tags = count === 3 ? [] : ['long'];
    it(`by ${count} writers has the rows maintained event by event`, { tags }, async () => {
      const { db } = program.database;
      const expected = await folded(projection);
      const progress: [bigint, bigint][] = [];
      const { schema } = await rebuild(projection, {
        ...options(writersOf(count)),
        onProgress: (done, total) => progress.push([done, total]),
      });
      expect(await differences(db, expected, schema)).toEqual([]);
      const head = await program.log.head();
      expect(await checkpointsOf(db, schema)).toEqual(new Map(PLATFORMS.map((platform) => [platform, head])));
      // The bar never goes back, and ends where the log does.
      expect(progress.every(([done], i) => done >= (progress[i - 1]?.[0] ?? 0n))).toBe(true);
      expect(progress.at(-1)?.[1]).toBe(head);
    });
  }
});

it('has equal point-in-time copies by one writer and by two', { tags: 'long' }, async () => {
  const { db } = program.database;
  const to = (await program.log.head()) / 2n;
  const expected = await folded(directory, to);
  await createPointInTimeCopy(directory, to, 'half', options(writersOf(2)));
  expect(await differences(db, expected, 'half')).toEqual([]);
});

describe('a rebuild by two writers', () => {
  const building = async () =>
    (await listBuilds(program.database.db)).filter(({ status }) => status === 'building');

  it('is dropped when one of them fails, and the other is stopped', async () => {
    const before = await activeBuild(program.database.db, directory.name, directory.version);
    const real = writersOf(2);
    const failing: BuildWriters = {
      ...real,
      fold: (task, onReached, signal) => {
        if (task.platforms.includes('x')) return real.fold({ ...task, schema: 'gone' }, onReached, signal);
        return real.fold(task, onReached, signal);
      },
    };
    await expect(rebuild(directory, options(failing))).rejects.toThrow('gone');
    expect(await building()).toEqual([]);
    expect(await activeBuild(program.database.db, directory.name, directory.version)).toEqual(before);
  });

  it('is dropped when it is stopped, with no thread left', async () => {
    const stop = new AbortController();
    const real = writersOf(2);
    let running = 0;
    const counted: BuildWriters = {
      ...real,
      fold: async (...task) => {
        running += 1;
        const folding = real.fold(...task).finally(() => {
          running -= 1;
        });
        stop.abort();
        await folding;
      },
    };
    await expect(rebuild(directory, options(counted, stop.signal))).rejects.toThrow();
    expect(running).toBe(0);
    expect(await building()).toEqual([]);
  });

  it('finds the poison event that one of them meets, and parks its stream', { tags: 'long' }, async () => {
    const { db, url } = program.database;
    // An event as no schema allows it: another program wrote it.
    const raw = createPostgresLog(db, url, silentLogger);
    const stream = accountStream('bluesky', 'poison');
    const bad = { id: uuidV7(Date.now()), type: 'AccountSighted', data: { is: 'poison' }, metadata: {} };
    await raw.append(stream, [bad], 'any');
    await raw.close();
    await program.append('x', 'after', sighted('after', new Date(0).toISOString()));
    const { schema } = await rebuild(directory, options(writersOf(2)));
    expect([...(await parkedStreams(db, schema)).keys()]).toEqual([stream]);
    // The next one knows the stream from its start.
    const again = await rebuild(directory, options(writersOf(2)));
    expect([...(await parkedStreams(db, again.schema)).keys()]).toEqual([stream]);
    const { rows } = await db.query(`select handle from ${again.schema}.entries where handle = 'after'`);
    expect(rows).toHaveLength(1);
  });
});

it('builds of one process share its writers', { tags: 'long' }, async () => {
  const writers = writersOf(1);
  let waiting = true;
  const done: string[] = [];
  const stop = new AbortController();
  const { schema } = await createBuild(program.database.db, directory, 'building');
  const to = await program.log.head();
  const task = { projection: 'directory', schema, platforms: PLATFORMS, to };
  const first = writers
    .fold({ ...task, schema: 'gone' }, () => undefined, stop.signal)
    .catch(() => done.push('first'));
  const second = writers
    .fold({ ...task, schema: 'gone' }, () => undefined, stop.signal)
    .catch(() => {
      waiting = false;
      done.push('second');
    });
  await first;
  expect(waiting).toBe(true);
  await second;
  await until('both have ended', () => done.join() === 'first,second');
});
