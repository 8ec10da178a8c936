import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBuild } from '../../../src/projections/builds/builds.ts';
import {
  CheckpointConflictError,
  checkpointsOf,
  partitionIn,
  repartition,
  topicPartitions,
} from '../../../src/projections/checkpoints.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { openBatchApplier, type PartitionBatch } from '../../../src/projections/writer.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
let schema: string;

beforeAll(async () => {
  program = await createTestProgram();
  const { db } = program.database;
  schema = (await createBuild(db, accounts, 'building')).schema;
  await repartition(db, schema, topicPartitions(accounts));
});
afterAll(() => program.close());

/** Sees an account so many times, and gives the run of its partition from where that stands. */
const seen = async (handle: string, followers: readonly number[]): Promise<PartitionBatch> => {
  const { db } = program.database;
  for (const [i, count] of followers.entries()) {
    const at = new Date(
      Date.UTC(2026, 5, 1) + (await program.log.head().then(Number)) * 60_000 + i,
    ).toISOString();
    await program.append('x', handle, sighted(handle, at, { followers: count }));
  }
  const checkpoints = await checkpointsOf(db, schema);
  const partition = partitionIn(`account-x:${handle}`, checkpoints) as string;
  const from = checkpoints.get(partition) ?? 0n;
  const events: RecordedEvent[] = [];
  for await (const page of program.log.readAll(from, { types: accounts.types })) events.push(...page.events);
  const own = events.filter(({ stream }) => partitionIn(stream, checkpoints) === partition);
  return { partition, from, endPosition: await program.log.head(), events: own };
};

const followersOf = async (handle: string): Promise<number> => {
  const { rows } = await program.database.db.query<{ followers: string }>(
    `select followers from ${schema}.accounts where handle = $1`,
    [handle],
  );
  return Number(rows[0]?.followers);
};

it('a writer whose partition another has moved writes nothing, in this or any other partition of the step', async () => {
  const { db } = program.database;
  const [zombie, other] = [openBatchApplier(db, accounts, schema), openBatchApplier(db, accounts, schema)];
  await zombie.apply([await seen('lost', [1]), await seen('kept', [1])]);
  const [lost, kept] = [await seen('lost', [2]), await seen('kept', [2])];
  await other.apply([lost]);
  const again = await seen('lost', [3]);
  await other.apply([again]);
  await expect(zombie.apply([lost, kept])).rejects.toThrow(CheckpointConflictError);
  expect(await followersOf('lost')).toBe(3);
  expect(await followersOf('kept')).toBe(1);
  // What it has not lost it may go on with, and it remembers nothing of what it could not write.
  await zombie.apply([kept]);
  expect(await followersOf('kept')).toBe(2);
});

it('nothing is written if the guard refuses', async () => {
  const { db } = program.database;
  let open = true;
  const guarded = openBatchApplier(db, accounts, schema, async () => {
    if (!open) throw new CheckpointConflictError('guarded');
  });
  const run = await seen('guarded', [7]);
  open = false;
  await expect(guarded.apply([run])).rejects.toThrow(CheckpointConflictError);
  expect(await followersOf('guarded')).toBeNaN();
  open = true;
  await guarded.apply([run]);
  expect(await followersOf('guarded')).toBe(7);
});

it('a new build resumes at an earlier build’s Kafka offset, unless that is ahead', async () => {
  const { db } = program.database;
  const next = await createBuild(db, accounts, 'building');
  const [behind, beyond] = topicPartitions(accounts) as [string, string];
  const move = (partition: string, position: number, offset: number) =>
    db.query(
      'update projections.checkpoints set position = $3, kafka_offset = $4 where schema_name = $1 and partition = $2',
      [schema, partition, position, offset],
    );
  await move(behind, 5, 105);
  await move(beyond, 50, 150);
  await db.query('update projections.checkpoints set position = 10 where schema_name = $1', [next.schema]);
  expect(await repartition(db, next.schema, topicPartitions(accounts))).toBe(true);
  const { rows } = await db.query<{ partition: string; position: string; kafka_offset: string | null }>(
    'select partition, position, kafka_offset from projections.checkpoints where schema_name = $1',
    [next.schema],
  );
  expect(new Set(rows.map(({ position }) => position))).toEqual(new Set(['10']));
  const offsets = new Map(rows.map((row) => [row.partition, row.kafka_offset]));
  expect(offsets.get(behind)).toBe('105');
  expect(offsets.get(beyond)).toBeNull();
});
