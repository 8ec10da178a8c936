import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBuild } from '../../../src/projections/builds/builds.ts';
import { lagOf } from '../../../src/projections/engine/lag.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { recordStall } from '../../../src/projections/stalls.ts';
import { eventAt } from '../../../src/projections/subscription.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { partitionFor, partitionKey } from '../../../src/write/messaging/message.ts';
import { skipEvent } from '../../../src/write/projection-control.ts';
import { createTestProgram, sighted, type TestProgram, unavailable } from '../../support/program.ts';

const AT = '2026-10-01T00:00:00.000Z';

let program: TestProgram;
const events: RecordedEvent[] = [];
beforeAll(async () => {
  program = await createTestProgram({ known: [] });
  for (const handle of ['one', 'two', 'three', 'four'])
    await program.append('x', handle, sighted(handle, AT));
  for await (const page of program.log.readAll(0n)) events.push(...page.events);
});
afterAll(() => program.close());

const lag = async (projection: Projection) =>
  (await lagOf(program.database.db, program.log, [projection]))[0];

const placeFor = ({ stream }: RecordedEvent): string => {
  const partition = partitionFor(stream);
  return partition === null ? '' : partitionKey(partition.topic.name, partition.partition);
};

const stand = (schema: string, positions: ReadonlyMap<string, bigint>) =>
  program.database.db.query(
    `with gone as (delete from projections.checkpoints where schema_name = $1)
     insert into projections.checkpoints (schema_name, partition, position) select $1, * from unnest($2::text[], $3::bigint[])
     on conflict (schema_name, partition) do update set position = excluded.position`,
    [schema, [...positions.keys()], [...positions.values()].map(String)],
  );

it('the lag of a projection without a build is the length of the log', async () => {
  expect(await lag(accounts)).toMatchObject({
    build: null,
    behind: { events: 4n, isEstimate: false },
    oldestUnprocessedAt: null,
    stalls: [],
  });
});

it('the lag of a projection counts from the oldest event of its own that its rows lack', async () => {
  const { db } = program.database;
  const { schema } = await createBuild(db, accounts, 'active');
  expect(await lag(accounts)).toMatchObject({
    build: { schema, position: 0n, partitions: 1 },
    head: 4n,
    behind: { events: 4n, isEstimate: false },
    oldestUnprocessedAt: events[0]?.recorded_at,
  });
  await stand(schema, new Map([['all', 2n]]));
  expect(await lag(accounts)).toMatchObject({
    behind: { events: 2n, isEstimate: false },
    oldestUnprocessedAt: events[2]?.recorded_at,
  });
  const other: Projection = { ...accounts, types: ['AccountUnavailable'] };
  expect(await lag(other)).toMatchObject({
    behind: { events: 2n, isEstimate: false },
    oldestUnprocessedAt: null,
  });
  // What it is to do without it does not wait for.
  await skipEvent(
    program.log,
    accounts,
    (await eventAt(program.log, 3n)) as RecordedEvent,
    'a test',
    Date.now(),
  );
  expect(await lag(accounts)).toMatchObject({ oldestUnprocessedAt: events[3]?.recorded_at });
});

it('the lag of a projection is that of its slowest partition', async () => {
  const { db } = program.database;
  const split: Projection = { ...accounts, name: 'split' };
  const { schema } = await createBuild(db, split, 'active');
  const partitions = events.map(placeFor);
  expect(new Set(partitions).size).toBe(4);
  const [one, two, three, four] = partitions as [string, string, string, string];
  await stand(
    schema,
    new Map([
      [one, 4n],
      [two, 4n],
      [three, 2n],
      [four, 4n],
    ]),
  );
  expect(await lag(split)).toMatchObject({
    build: { position: 2n, partitions: 4 },
    oldestUnprocessedAt: events[2]?.recorded_at,
  });
  await stand(
    schema,
    new Map([
      [one, 1n],
      [two, 2n],
      [three, 3n],
      [four, 4n],
    ]),
  );
  expect(await lag(split)).toMatchObject({ build: { position: 1n }, oldestUnprocessedAt: null });
});

it('a stall is reported while it lasts, for its version only', async () => {
  const { db } = program.database;
  const event = events[2] as RecordedEvent;
  await recordStall(db, accounts, event, 'it does not fit');
  await recordStall(db, { ...accounts, version: accounts.version + 1 }, event, 'another version');
  await program.append('x', 'one', unavailable('2026-10-02T00:00:00.000Z', 'absent'));
  expect((await lag(accounts))?.stalls).toEqual([
    {
      projection: 'accounts',
      version: accounts.version,
      partition: 'all',
      position: 3n,
      reason: 'it does not fit',
      stalledAt: expect.any(String),
    },
  ]);
});
