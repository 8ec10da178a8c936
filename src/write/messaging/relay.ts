import { setTimeout as sleep } from 'node:timers/promises';
import { restartBackoffMs } from '../../kernel/backoff.ts';
import { withGracePeriod } from '../../kernel/grace-period.ts';
import type { Logger } from '../../kernel/logger.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { type EventLog, type EventPage, LogUnavailableError } from '../log/port.ts';
import { prefetch } from '../log/prefetch.ts';
import { positionAtTime } from '../position-at-time.ts';
import { encodeMessage } from './message.ts';
import { type Messaging, type OutgoingMessage, type Producer, TopicMismatchError } from './port.ts';
import {
  advanceRelayCheckpoint,
  initializeRelayCheckpoint,
  RelayFencedError,
  readRelayCheckpoint,
} from './relay-checkpoint.ts';
import { partitionFor, partitionKey, TOPICS } from './topics.ts';

/** How a relay does: it begins, another has the lease, it hands out, or something is amiss and it tries again. */
export type RelayState =
  | { readonly is: 'beginning' }
  | { readonly is: 'waiting' }
  /** With the time of this process's clock at which the brokers took something last, where they have. */
  | { readonly is: 'working'; readonly lastAckMs: number | null }
  | { readonly is: 'failing'; readonly error: unknown };

export interface RelayOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly messaging: Messaging;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** What is older than this would be thrown away by the brokers at once. */
  readonly retentionMs: number;
  /** Told how many events a topic was given. */
  readonly onPublished?: (topic: string, events: number) => void;
  /** Told how it does, whenever that changes. */
  readonly onState?: (state: RelayState) => void;
}

const LEASE = { kind: ADVISORY_LOCKS.RELAY_LEASE, name: 'relay' };
const PAGE = 5_000;
const IDLE_MOVE_MS = 1_000;
/** What brokers that say nothing are given when it is to end. What is in doubt then, the next relay sends again. */
const GIVE_UP_MS = 5_000;
/** Bytes of one partition in one request: a broker refuses batches of more than a MiB, of events that fit at all. */
const MAX_BYTES = 512 * 1024;

/**
 * The largest value that is sent. No event that is appended today comes near; one that is larger, from before events
 * were bounded, would keep all that follow it from being sent.
 */
const MAX_VALUE_BYTES = 2 * 1024 * 1024;

const isTooLarge = (value: string): boolean =>
  value.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(value) > MAX_VALUE_BYTES;

/** Splits messages so that no partition gets more in one request than a broker takes. */
export function* batchesOf(messages: readonly OutgoingMessage[]): Iterable<readonly OutgoingMessage[]> {
  let from = 0;
  const bytes = new Map<string, number>();
  for (let i = 0; i < messages.length; i++) {
    const { topic, partition, value } = messages[i] as OutgoingMessage;
    const key = `${topic}/${partition}`;
    // A character is three bytes at the most.
    const filled = (bytes.get(key) ?? 0) + value.length * 3 + 500;
    if (filled > MAX_BYTES && i > from) {
      yield messages.slice(from, i);
      from = i;
      bytes.clear();
    }
    bytes.set(key, bytes.size === 0 ? value.length * 3 + 500 : filled);
  }
  if (from < messages.length) yield messages.slice(from);
}

/** Hands the log out from where the last relay stood, until the signal fires or something breaks. */
const relay = async (producer: Producer, options: RelayOptions, signal: AbortSignal): Promise<void> => {
  const { db, log } = options;
  await initializeRelayCheckpoint(db, await positionAtTime(log, Date.now() - options.retentionMs));
  const relayCheckpoint = await readRelayCheckpoint(db);
  if (relayCheckpoint === null) throw new Error('the relay has no standing');
  const lastPublished = new Map(relayCheckpoint.lastPublished);
  let at = relayCheckpoint.position;
  let movedAt = 0;
  let moving: Promise<void> = Promise.resolve();

  const messagesOf = (page: EventPage, moved: Map<string, bigint>): OutgoingMessage[] => {
    const messages: OutgoingMessage[] = [];
    for (const event of page.events) {
      const assigned = partitionFor(event.stream);
      if (assigned === null) continue;
      const { topic, partition } = assigned;
      const name = partitionKey(topic.name, partition);
      const previousPosition = moved.get(name) ?? lastPublished.get(name) ?? relayCheckpoint.startPosition;
      const message = encodeMessage(
        event,
        { topic: topic.topic, partition },
        { logId: relayCheckpoint.logId, previousPosition },
      );
      // Left out, it is missing before what follows it: consumers then read it from the log.
      if (!isTooLarge(message.value)) messages.push(message);
      moved.set(name, event.position);
    }
    return messages;
  };

  try {
    for await (const page of prefetch(log.subscribe(at, { pageSize: PAGE, signal, raw: true }))) {
      if (signal.aborted) break;
      if (page.endPosition <= at) {
        await moving;
        continue;
      }
      const moved = new Map<string, bigint>();
      const messages = messagesOf(page, moved);
      if (moved.size === 0 && Date.now() - movedAt < IDLE_MOVE_MS) continue;
      for (const request of batchesOf(messages)) {
        await withGracePeriod(producer.send(request), signal, GIVE_UP_MS);
        for (const [topic, sent] of Map.groupBy(request, (message) => message.topic))
          options.onPublished?.(topic, sent.length);
        options.onState?.({ is: 'working', lastAckMs: Date.now() });
      }
      for (const [name, position] of moved) lastPublished.set(name, position);
      // The next page is sent while this is written: what a crash in between makes come twice is dropped.
      await moving;
      moving = advanceRelayCheckpoint(db, at, page.endPosition, moved);
      moving.catch(() => undefined);
      at = page.endPosition;
      movedAt = Date.now();
    }
  } finally {
    await moving;
  }
};

/** Closes a sender, or leaves it to itself where the brokers say nothing. */
const closeProducer = (producer: Producer): Promise<void> =>
  withGracePeriod(producer.close(), AbortSignal.abort(), GIVE_UP_MS).catch(() => undefined);

const openProducer = async (messaging: Messaging, signal: AbortSignal): Promise<Producer> => {
  const opening = messaging.openProducer();
  try {
    return await withGracePeriod(opening, signal, GIVE_UP_MS);
  } catch (error) {
    // It may be there yet, and then nobody wants it.
    opening.then(closeProducer, () => undefined);
    throw error;
  }
};

/** Hands the log out to the topics. Any number of processes may run it: one at a time does, fenced by its partition. */
export const runRelay = async (options: RelayOptions): Promise<void> => {
  const { logger, signal, messaging } = options;
  const tell = (state: RelayState) => options.onState?.(state);
  const work = async (leased: AbortSignal): Promise<void> => {
    await withGracePeriod(messaging.ensureTopics(TOPICS), leased, GIVE_UP_MS);
    const producer = await openProducer(messaging, leased);
    tell({ is: 'working', lastAckMs: null });
    try {
      await relay(producer, options, leased);
    } finally {
      await closeProducer(producer);
    }
  };
  let failures = 0;
  tell({ is: 'beginning' });
  while (!signal.aborted) {
    const startedAt = Date.now();
    try {
      await withLease(options.connectionString, LEASE, signal, work, () => tell({ is: 'waiting' }));
    } catch (error) {
      if (signal.aborted) return;
      failures = Date.now() - startedAt > 60_000 ? 0 : failures + 1;
      const delay = restartBackoffMs(failures - 1);
      const fenced = error instanceof RelayFencedError;
      // That the log is away is said once for the whole process.
      const isLogAway = error instanceof LogUnavailableError;
      const level = fenced
        ? 'info'
        : error instanceof TopicMismatchError
          ? 'error'
          : isLogAway
            ? 'debug'
            : 'warn';
      tell(fenced ? { is: 'beginning' } : { is: 'failing', error });
      logger[level]({ err: error, delay }, 'the relay stopped and starts again');
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
};
