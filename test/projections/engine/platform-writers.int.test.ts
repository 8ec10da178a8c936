import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { activeBuild, createBuild, listBuilds } from '../../../src/projections/builds/builds.ts';
import { checkpointsOf, repartition } from '../../../src/projections/checkpoints.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { listStalls } from '../../../src/projections/stalls.ts';
import { subscription } from '../../../src/projections/subscription.ts';
import { verify } from '../../../src/projections/verify.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { frontier } from '../../../src/projections/views/frontier/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import { skipEvent } from '../../../src/write/projection-control.ts';
import { faultCount } from '../../support/faults.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
let appended = 0;
let stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  program = await createTestProgram();
  appended = 0;
});
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
  await program.close();
});

const own = () => ({ db: program.database.db, log: program.log, logger: silentLogger });

/** Runs a projection as a process does. @returns what stops it. */
const run = (projection: Projection): (() => Promise<void>) => {
  const stopping = new AbortController();
  const running = runProjection(projection, {
    ...own(),
    connectionString: program.database.url,
    signal: stopping.signal,
  });
  const stop = async () => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return stop;
};

const append = async (count: number) => {
  await live(program.log, 5, count, appended);
  appended += count;
};

const schemaOf = async ({ name, version }: Projection) =>
  (await activeBuild(program.database.db, name, version))?.schema ?? '';

const positions = async (projection: Projection) =>
  checkpointsOf(program.database.db, await schemaOf(projection));

const followed = async (projection: Projection, platforms: readonly string[] = PLATFORMS) => {
  const head = await program.log.head();
  await until('the platforms have followed', async () => {
    const at = await positions(projection);
    return platforms.every((platform) => (at.get(platform) ?? 0n) >= head);
  });
};

const expectAsRebuilt = async (projection: Projection) => {
  const found = await verify(projection, { ...own(), signal: new AbortController().signal, max: 5 });
  expect(found.differences).toEqual([]);
  expect(found.equal).toBeGreaterThan(0);
};

it('processes that share a projection take over a single writer’s build at its position, without a rebuild', async () => {
  const { db } = program.database;
  await append(200);
  const schema = await schemaOf(directory);
  const writer = await openWriter(db, directory, schema);
  for await (const page of program.log.readAll(0n, { types: directory.types })) await writer.write(page);
  expect([...(await positions(directory)).keys()]).toEqual(['all']);
  await append(100);
  run(directory);
  await followed(directory);
  expect(await schemaOf(directory)).toBe(schema);
  expect([...(await positions(directory)).keys()].sort()).toEqual([...PLATFORMS].sort());
  await expectAsRebuilt(directory);
});

it.for([accounts, directory, frontier].map((projection) => [projection.name, projection] as const))(
  'processes that share a projection lose and double nothing of %s while processes come, go and die',
  { tags: 'faults' },
  async ([, projection]) => {
    const { db } = program.database;
    const processes = [run(projection)];
    const random = [2, 0, 1, 1, 0, 2, 1, 0];
    for (let n = 0; n < faultCount(24, 8); n++) {
      await append(40);
      const action = random[n % random.length] as number;
      if (action === 0 && processes.length > 1) await processes.shift()?.();
      else if (action === 1) {
        await db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
             and application_name = $1 order by random() limit 1`,
          [`sightline lease ${projection.name} ${projection.version}`],
        );
      } else processes.push(run(projection));
      await append(40);
      if (n % 3 === 2) await followed(projection);
    }
    await followed(projection);
    await expectAsRebuilt(projection);
  },
);

it('processes that share a projection continue with six platforms while the seventh is stalled, and with it after a skip', async () => {
  // Nothing is parked: a poison event stalls its platform.
  const { parks: _, ...rest } = directory;
  const strict: Projection = {
    ...rest,
    name: 'strict',
    open: (schema) => {
      const fold = directory.open(schema);
      return {
        ...fold,
        apply: (event) => {
          if (event.stream === 'account-x:poison') throw new Error('it is poison');
          fold.apply(event);
        },
      };
    },
  };
  await createBuild(program.database.db, strict, 'active');
  run(strict);
  await append(100);
  await followed(strict);
  await program.append('x', 'poison', sighted('poison', new Date(0).toISOString()));
  const bad = await program.log.head();
  await append(100);
  const others = PLATFORMS.filter((platform) => platform !== 'x');
  await followed(strict, others);
  expect((await positions(strict)).get('x')).toBe(bad - 1n);
  expect(
    (await listStalls(program.database.db)).map(({ partition, position }) => [partition, position]),
  ).toEqual([['x', bad]]);
  const [event] = await program.log.readStream('account-x:poison');
  if (event === undefined) throw new Error('there is no such event');
  await skipEvent(program.log, strict, event, 'a test', Date.now());
  await followed(strict);
  await append(100);
  await followed(strict);
  await until('the stall is forgotten', async () => (await listStalls(program.database.db)).length === 0);
  await expectAsRebuilt(strict);
});

it('processes that share a projection finish the first build although others join meanwhile', async () => {
  const { db } = program.database;
  const gate = Promise.withResolvers<void>();
  const slow: Projection = {
    ...directory,
    name: 'slow',
    open: (schema) => {
      const fold = directory.open(schema);
      return {
        ...fold,
        load: async (client, events) => {
          await gate.promise;
          await fold.load(client, events);
        },
      };
    },
  };
  await append(300);
  const building = async () => (await listBuilds(db)).find(({ projection }) => projection === 'slow');
  run(slow);
  const begun = await until('the build has begun', building);
  run(slow);
  // Each process counts the members about once a second: both have seen the other.
  const seen = async (since: Date) => {
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database()
         and application_name = $1 and query_start > $2::timestamptz`,
      [`sightline lease slow ${slow.version}`, since.toISOString()],
    );
    return rows[0]?.n === 2;
  };
  await until('both are members', () => seen(new Date(0)));
  const both = new Date();
  await until('both have looked since', () => seen(both));
  gate.resolve();
  await until('the build is served', async () => (await building())?.status === 'active');
  expect((await building())?.schema).toBe(begun.schema);
  await followed(slow);
  await expectAsRebuilt(slow);
});

it('processes that share a projection let a platform catch up that is far behind, without waiting for it', {
  tags: 'long',
}, async () => {
  const { db } = program.database;
  const gate = Promise.withResolvers<void>();
  const gated: Projection = {
    ...directory,
    name: 'gated',
    open: (schema) => {
      const fold = directory.open(schema);
      return {
        ...fold,
        load: async (client, events) => {
          if (events.some(({ stream }) => stream.startsWith('account-x:'))) await gate.promise;
          await fold.load(client, events);
        },
      };
    },
  };
  const others = PLATFORMS.filter((platform) => platform !== 'x');
  const { schema } = await createBuild(db, gated, 'active');
  await repartition(db, schema, PLATFORMS);
  await append(11_000);
  // As if the process that had this platform had died long ago.
  const writer = await openWriter(db, gated, schema, undefined, others);
  for await (const page of program.log.readAll(0n, subscription(gated, others))) await writer.write(page);
  run(gated);
  for (let n = 0; n < 3; n++) {
    await append(100);
    await followed(gated, others);
  }
  expect((await positions(gated)).get('x')).toBe(0n);
  gate.resolve();
  await followed(gated);
  await append(100);
  await followed(gated);
  await expectAsRebuilt(gated);
});
