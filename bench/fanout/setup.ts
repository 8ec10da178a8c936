import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { startBroker } from '../../infra/kafka/broker.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createDecoder, withValidation } from '../../src/write/log/codec.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { openKafka } from '../../src/write/messaging/kafka/index.ts';
import { TOPICS } from '../../src/write/messaging/message.ts';
import type { Messaging } from '../../src/write/messaging/port.ts';
import { type BenchDatabase, openServer } from '../support/database.ts';

/** The workload's events are months old: nothing of them is to be thrown away while it is measured. */
export const RETENTION_MS = 20 * 365 * 86_400_000;

export interface Bed {
  readonly database: BenchDatabase;
  readonly log: EventLog;
  readonly messaging: Messaging;
  readonly kafka: Kafka;
  /** Deletes the topics and makes them anew. */
  emptyTopics(): Promise<void>;
  close(): Promise<void>;
}

/** A Postgres and a broker, of this bench alone. */
export const makeBed = async (): Promise<Bed> => {
  const server = await openServer();
  const database = await server.migrated('bench_fanout');
  const dir = await mkdtemp(join(tmpdir(), 'sightline-bench-kafka-'));
  const broker = await startBroker(dir);
  const messaging = openKafka(
    { brokers: [broker.address], tls: false, sasl: undefined, replication: 1, retentionMs: RETENTION_MS },
    silentLogger,
  );
  const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
  const log = withValidation(
    createPostgresLog(database.db, database.url, silentLogger),
    eventTypes,
    createDecoder(eventTypes),
  );
  return {
    database,
    log,
    messaging,
    kafka,
    emptyTopics: async () => {
      const admin = kafka.admin();
      await admin.connect();
      const names = TOPICS.map(({ topic }) => topic);
      const there = (await admin.listTopics()).filter((topic) => names.includes(topic));
      if (there.length > 0) await admin.deleteTopics({ topics: there });
      while ((await admin.listTopics()).some((topic) => names.includes(topic)));
      await admin.disconnect();
      await messaging.ensureTopics(TOPICS);
    },
    close: async () => {
      await log.close();
      await broker.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true });
      await server.close();
    },
  };
};
