import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { silentLogger } from '../../src/kernel/logger.ts';
import { encodeMessage, partitionFor } from '../../src/write/messaging/message.ts';
import { readRelayCheckpoint, runRelay } from '../../src/write/messaging/relay.ts';
import { type Bed, RETENTION_MS } from './setup.ts';

/** The relay's own. */
const PAGE = 5_000;

/** Relays the whole log, from a standing at its start. @returns events a second. */
export const relayAll = async ({ database, log, messaging }: Bed, events: number): Promise<number> => {
  await database.db.query('delete from relay.checkpoints');
  const head = await log.head();
  const stopping = new AbortController();
  const began = performance.now();
  const running = runRelay({
    db: database.db,
    connectionString: database.url,
    log,
    messaging,
    logger: silentLogger,
    signal: stopping.signal,
    retentionMs: RETENTION_MS,
  });
  while (((await readRelayCheckpoint(database.db))?.position ?? 0n) < head) await sleep(5);
  const seconds = (performance.now() - began) / 1_000;
  stopping.abort();
  await running;
  return events / seconds;
};

/** The very messages that the relay sends, made beforehand, in its pages. */
export const prepared = async ({ log }: Bed): Promise<{ topic: string; messages: Message[] }[][]> => {
  const pages: { topic: string; messages: Message[] }[][] = [];
  const origin = { logId: '00000000-0000-0000-0000-000000000000', previousPosition: 123_456n };
  for await (const page of log.readAll(0n, { pageSize: PAGE, raw: true })) {
    const byTopic = new Map<string, Message[]>();
    for (const event of page.events) {
      const assigned = partitionFor(event.stream);
      if (assigned === null) continue;
      const { topic } = assigned.topic;
      const { key, value, headers, partition, timestampMs } = encodeMessage(
        event,
        { topic, partition: assigned.partition },
        origin,
      );
      const message = { key, value, headers, partition, timestamp: String(timestampMs) };
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), message]);
    }
    pages.push([...byTopic].map(([topic, messages]) => ({ topic, messages })));
  }
  return pages;
};

/** Sends them with the bare client, as idempotently and in the same pages. @returns events a second. */
export const produceAll = async (
  { kafka }: Bed,
  pages: Awaited<ReturnType<typeof prepared>>,
  events: number,
): Promise<number> => {
  const began = performance.now();
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  for (const topicMessages of pages) await producer.sendBatch({ acks: -1, topicMessages });
  const seconds = (performance.now() - began) / 1_000;
  await producer.disconnect();
  return events / seconds;
};
