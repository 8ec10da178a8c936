import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createBuild, dropBuild } from '../../src/projections/builds/builds.ts';
import { partitionsOf, topicsOf } from '../../src/projections/consumer/assignment.ts';
import { runWorker } from '../../src/projections/consumer/runner.ts';
import { repartition } from '../../src/projections/engine/checkpoint-store.ts';
import { accounts } from '../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createDecoder } from '../../src/write/log/codec/decoder.ts';
import type { Bed } from './setup.ts';

let groups = 0;

/** A bare consumer that counts what comes. @returns events a second. */
export const countAll = async ({ kafka }: Bed, events: number): Promise<number> => {
  const began = performance.now();
  const consumer = kafka.consumer({
    groupId: `count-${groups++}`,
    maxWaitTimeInMs: 500,
    maxBytesPerPartition: 512 * 1024,
  });
  await consumer.connect();
  await consumer.subscribe({ topics: topicsOf(accounts).map(({ topic }) => topic), fromBeginning: true });
  let count = 0;
  const all = Promise.withResolvers<void>();
  await consumer.run({
    autoCommit: false,
    partitionsConsumedConcurrently: 1_000,
    eachBatch: async ({ batch }) => {
      count += batch.messages.length;
      if (count >= events) all.resolve();
    },
  });
  await all.promise;
  const seconds = (performance.now() - began) / 1_000;
  await consumer.disconnect();
  return events / seconds;
};

/** One worker that folds all of it into rows, from an empty build. @returns events a second. */
export const foldAll = async ({ database, log, messaging }: Bed, events: number): Promise<number> => {
  const { db, url } = database;
  const head = await log.head();
  // A group of its own each time, as a rebuild has.
  const projection = { ...accounts, name: `bench_${groups++}` };
  const { schema } = await createBuild(db, projection, 'active');
  await repartition(db, schema, partitionsOf(projection));
  const stopping = new AbortController();
  const began = performance.now();
  const running = runWorker(projection, {
    db,
    connectionString: url,
    log,
    logger: silentLogger,
    messaging,
    decoder: createDecoder(eventTypes),
    signal: stopping.signal,
  });
  const behind = async () => {
    const { rows } = await db.query<{ least: string }>(
      'select min(position) as least from projections.checkpoints where schema_name = $1',
      [schema],
    );
    return BigInt(rows[0]?.least ?? 0) < head;
  };
  while (await behind()) await sleep(10);
  const seconds = (performance.now() - began) / 1_000;
  stopping.abort();
  await running;
  await dropBuild(db, schema);
  return events / seconds;
};
