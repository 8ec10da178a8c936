import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { startBroker } from '../../infra/kafka/broker.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { eventCatalog } from '../../src/write/catalog.ts';
import { openKafka } from '../../src/write/fanout/kafka/index.ts';
import type { Fanout } from '../../src/write/fanout/port.ts';
import { TOPICS } from '../../src/write/fanout/topics.ts';
import { openDoor } from '../../src/write/log/door.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { openReadDoor } from '../../src/write/log/read-door.ts';
import { type BenchDatabase, openServer } from '../support/database.ts';

/** The workload's events are months old: nothing of them is to be thrown away while it is measured. */
export const RETENTION_MS = 20 * 365 * 86_400_000;

export interface Bed {
  readonly database: BenchDatabase;
  readonly log: EventLog;
  readonly fanout: Fanout;
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
  const fanout = openKafka(
    { brokers: [broker.address], tls: false, sasl: undefined, replication: 1, retentionMs: RETENTION_MS },
    silentLogger,
  );
  const kafka = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
  const log = openDoor(
    createPostgresLog(database.db, database.url, silentLogger),
    eventCatalog,
    openReadDoor(eventCatalog),
  );
  return {
    database,
    log,
    fanout,
    kafka,
    emptyTopics: async () => {
      const admin = kafka.admin();
      await admin.connect();
      const names = TOPICS.map(({ topic }) => topic);
      const there = (await admin.listTopics()).filter((topic) => names.includes(topic));
      if (there.length > 0) await admin.deleteTopics({ topics: there });
      while ((await admin.listTopics()).some((topic) => names.includes(topic)));
      await admin.disconnect();
      await fanout.prepare(TOPICS);
    },
    close: async () => {
      await log.close();
      await broker.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true });
      await server.close();
    },
  };
};
