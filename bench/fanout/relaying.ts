import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { silentLogger } from '../../src/kernel/logger.ts';
import { messageOf } from '../../src/write/fanout/message.ts';
import { runRelay } from '../../src/write/fanout/relay.ts';
import { readStanding } from '../../src/write/fanout/standing.ts';
import { placeOf } from '../../src/write/fanout/topics.ts';
import { type Bed, RETENTION_MS } from './setup.ts';

/** The relay's own. */
const PAGE = 5_000;

/** Relays the whole log, from a standing at its start. @returns events a second. */
export const relayAll = async ({ database, log, fanout }: Bed, events: number): Promise<number> => {
  await database.db.query('delete from fanout.relay');
  const head = await log.head();
  const stopping = new AbortController();
  const began = performance.now();
  const running = runRelay({
    db: database.db,
    connectionString: database.url,
    log,
    fanout,
    logger: silentLogger,
    signal: stopping.signal,
    retentionMs: RETENTION_MS,
  });
  while (((await readStanding(database.db))?.position ?? 0n) < head) await sleep(5);
  const seconds = (performance.now() - began) / 1_000;
  stopping.abort();
  await running;
  return events / seconds;
};

/** The very messages that the relay sends, made beforehand, in its pages. */
export const prepared = async ({ log }: Bed): Promise<{ topic: string; messages: Message[] }[][]> => {
  const pages: { topic: string; messages: Message[] }[][] = [];
  const origin = { log: '00000000-0000-0000-0000-000000000000', after: 123_456n };
  for await (const page of log.readAll(0n, { pageSize: PAGE, raw: true })) {
    const byTopic = new Map<string, Message[]>();
    for (const event of page.events) {
      const place = placeOf(event.stream);
      if (place === null) continue;
      const { topic } = place.topic;
      const { key, value, headers, partition, timestampMs } = messageOf(
        event,
        { topic, partition: place.partition },
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
