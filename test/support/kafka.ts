import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { type Broker, startBroker } from '../../infra/kafka/broker.ts';
import { brokerLacks } from '../../infra/kafka/jars.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { openKafka } from '../../src/write/messaging/kafka/index.ts';
import { TOPICS } from '../../src/write/messaging/message.ts';
import type { IncomingMessage, Messaging, TopicPartition } from '../../src/write/messaging/port.ts';

/** A suite that needs a Kafka broker. A machine that can't run one skips it and says why. */
export const describeWithKafka = async (name: string, suite: () => void): Promise<void> => {
  const lacks = await brokerLacks();
  if (lacks !== null) console.log(`skipped, as ${lacks}: ${name}`);
  describe.skipIf(lacks !== null)(name, suite);
};

export interface TestKafka {
  readonly broker: Broker;
  readonly messaging: Messaging;
  close(): Promise<void>;
}

export const messagingOf = (broker: Broker): Messaging =>
  openKafka(
    { brokers: [broker.address], tls: false, sasl: undefined, replication: 1, retentionMs: 86_400_000 * 7 },
    silentLogger,
  );

/**
 * Requests of another client to a broker that says nothing, which it gives up for good after a minute: what ends earlier
 * did not wait for the broker, however slow the machine is.
 */
export const untilGivenUp = async ({ messaging }: Pick<TestKafka, 'messaging'>): Promise<'given up'> => {
  for (let tries = 0; tries < 2; tries++) {
    await messaging.ensureTopics(TOPICS).then(
      () => {
        throw new Error('the broker answers');
      },
      () => undefined,
    );
  }
  return 'given up';
};

/** A broker for one test file. */
export const openTestKafka = async (): Promise<TestKafka> => {
  const dir = await mkdtemp(join(tmpdir(), 'sightline-kafka-'));
  const broker = await startBroker(dir, true);
  return {
    broker,
    messaging: messagingOf(broker),
    close: async () => {
      await broker.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
};

export interface Received extends TopicPartition {
  readonly message: IncomingMessage;
}

/** Collects each message once, from the oldest on, in a separate consumer group. */
export const listen = (messaging: Messaging, topics: readonly string[], group: string) => {
  const received: Received[] = [];
  const seen = new Set<string>();
  const stop = new AbortController();
  const running = messaging.consume({
    group,
    topics,
    signal: stop.signal,
    onPartitionsAssigned: async (share) => share.map(() => null),
    handle: async (partition, messages) => {
      for (const message of messages) {
        // A member that had to rejoin reads from the oldest on again.
        const id = `${partition.topic}/${partition.partition}@${message.offset}`;
        if (!seen.has(id)) received.push({ ...partition, message });
        seen.add(id);
      }
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
