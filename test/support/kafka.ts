import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { type Broker, startBroker } from '../../infra/kafka/broker.ts';
import { brokerLacks } from '../../infra/kafka/jars.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { openKafka } from '../../src/write/fanout/kafka/index.ts';
import type { Fanout, IncomingMessage, Partition } from '../../src/write/fanout/port.ts';

/** A suite that needs a Kafka broker; a machine that can't run one says why, and skips it. */
export const describeWithKafka = async (name: string, suite: () => void): Promise<void> => {
  const lacks = await brokerLacks();
  if (lacks !== null) console.log(`skipped, as ${lacks}: ${name}`);
  describe.skipIf(lacks !== null)(name, suite);
};

export interface TestKafka {
  readonly broker: Broker;
  readonly fanout: Fanout;
  close(): Promise<void>;
}

export const fanoutOf = (broker: Broker): Fanout =>
  openKafka(
    { brokers: [broker.address], tls: false, sasl: undefined, replication: 1, retentionMs: 86_400_000 * 7 },
    silentLogger,
  );

/** A broker of a test file's own. */
export const openTestKafka = async (): Promise<TestKafka> => {
  const dir = await mkdtemp(join(tmpdir(), 'sightline-kafka-'));
  const broker = await startBroker(dir);
  return {
    broker,
    fanout: fanoutOf(broker),
    close: async () => {
      await broker.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
};

export interface Received extends Partition {
  readonly message: IncomingMessage;
}

/** Collects what comes, from the oldest on, as a group of its own. */
export const listen = (fanout: Fanout, topics: readonly string[], group: string) => {
  const received: Received[] = [];
  const stop = new AbortController();
  const running = fanout.consume({
    group,
    topics,
    signal: stop.signal,
    assigned: async (share) => share.map(() => null),
    handle: async (partition, messages) => {
      received.push(...messages.map((message) => ({ ...partition, message })));
      return null;
    },
  });
  return {
    received,
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
