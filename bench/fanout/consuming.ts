import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaMessage } from 'kafkajs';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { createBuild, dropBuild } from '../../src/projections/builds/builds.ts';
import { repartition, topicPartitions, topicsOf } from '../../src/projections/checkpoints.ts';
import { createReceiver } from '../../src/projections/consumer/messages.ts';
import { runWorker } from '../../src/projections/consumer/runner.ts';
import { accounts } from '../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createDecoder } from '../../src/write/log/codec.ts';
import { readRelayCheckpoint } from '../../src/write/messaging/relay.ts';
import type { Bed } from './setup.ts';

let groups = 0;

/** A bare consumer that counts what comes. @returns events a second. */
export const countAll = (bed: Bed, events: number): Promise<number> =>
  consumeAll(bed, events, () => undefined);

/** The same, which also parses and validates each event that a projection subscribes to, and stores nothing. */
export const parseAll = (bed: Bed, events: number): Promise<number> => {
  const receive = createReceiver(accounts, createDecoder(eventTypes));
  return consumeAll(bed, events, (messages) => {
    for (const { offset, key, value, headers = {} } of messages) {
      receive({ offset: BigInt(offset), key, value, headers });
    }
  });
};

const consumeAll = async (
  { kafka }: Bed,
  events: number,
  look: (messages: readonly KafkaMessage[]) => void,
): Promise<number> => {
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
      look(batch.messages);
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
  await repartition(db, schema, topicPartitions(projection));
  const stopping = new AbortController();
  const began = performance.now();
  // As the service writes read models: a commit does not wait for the disk.
  const pool = createPool(url, { max: 10, logger: silentLogger, name: 'bench worker', durable: false });
  const running = runWorker(projection, {
    db: pool,
    connectionString: url,
    log,
    logger: silentLogger,
    messaging,
    decoder: createDecoder(eventTypes),
    signal: stopping.signal,
  });
  // As the peer ends with the last message: idle partitions advance to the head of the log a moment later.
  const published = await readRelayCheckpoint(db);
  if (published === null || published.position < head) throw new Error('the relay has not published the log');
  const names = [...published.lastPublished.keys()];
  const behind = async () => {
    const { rows } = await db.query<{ behind: boolean }>(
      `select bool_or(c.position < p.position) as behind from projections.checkpoints c
       join unnest($2::text[], $3::bigint[]) as p(partition, position) using (partition) where schema_name = $1`,
      [schema, names, names.map((name) => String(published.lastPublished.get(name)))],
    );
    return rows[0]?.behind === true;
  };
  while (await behind()) await sleep(10);
  const seconds = (performance.now() - began) / 1_000;
  stopping.abort();
  await running;
  await pool.end();
  await dropBuild(db, schema);
  return events / seconds;
};
