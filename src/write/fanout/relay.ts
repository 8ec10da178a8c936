import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/logger.ts';
import { patiently } from '../../kernel/patience.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { ahead } from '../log/ahead.ts';
import { positionBefore } from '../log/instants.ts';
import { type EventLog, type EventPage, LogUnavailable } from '../log/port.ts';
import { messageOf } from './message.ts';
import { type Fanout, FanoutMismatch, type OutgoingMessage, type Sender } from './port.ts';
import { beginStanding, moveStanding, RelayOvertaken, readStanding } from './standing.ts';
import { placeName, placeOf, TOPICS } from './topics.ts';

/** How a relay does: it begins, another has the lease, it hands out, or something is amiss and it tries again. */
export type RelayState =
  | { readonly is: 'beginning' }
  | { readonly is: 'waiting' }
  /** With the time of this process's clock at which the brokers took something last, where they have. */
  | { readonly is: 'working'; readonly takenAtMs: number | null }
  | { readonly is: 'failing'; readonly error: unknown };

export interface RelayOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly fanout: Fanout;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** What is older than this would be thrown away by the brokers at once. */
  readonly retentionMs: number;
  /** Told how many events a topic was given. */
  readonly onSent?: (topic: string, events: number) => void;
  /** Told how it does, whenever that changes. */
  readonly onState?: (state: RelayState) => void;
}

const LEASE = { kind: 7203118, name: 'relay' };
const PAGE = 5_000;
const IDLE_MOVE_MS = 1_000;
/** What brokers that say nothing are given when it is to end. What is in doubt then, the next relay sends again. */
const GIVE_UP_MS = 5_000;
const BACKOFF_MS = [200, 500, 1_000, 2_000, 5_000] as const;
/** Bytes of one partition in one request: a broker refuses batches of more than a MiB, of events that fit at all. */
const MOST_BYTES = 512 * 1024;

/**
 * The largest value that is sent. No event that is appended today comes near; one that is larger, from before events
 * were bounded, would keep all that follow it from being sent.
 */
const MAX_VALUE_BYTES = 2 * 1024 * 1024;

const isTooLarge = (value: string): boolean =>
  value.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(value) > MAX_VALUE_BYTES;

/** Splits messages so that no partition gets more in one request than a broker takes. */
export function* requestsOf(messages: readonly OutgoingMessage[]): Iterable<readonly OutgoingMessage[]> {
  let from = 0;
  const bytes = new Map<string, number>();
  for (let i = 0; i < messages.length; i++) {
    const { topic, partition, value } = messages[i] as OutgoingMessage;
    const place = `${topic}/${partition}`;
    // A character is three bytes at the most.
    const filled = (bytes.get(place) ?? 0) + value.length * 3 + 500;
    if (filled > MOST_BYTES && i > from) {
      yield messages.slice(from, i);
      from = i;
      bytes.clear();
    }
    bytes.set(place, bytes.size === 0 ? value.length * 3 + 500 : filled);
  }
  if (from < messages.length) yield messages.slice(from);
}

/** Hands the log out from where the last relay stood, until the signal fires or something breaks. */
const relay = async (sender: Sender, options: RelayOptions, signal: AbortSignal): Promise<void> => {
  const { db, log } = options;
  await beginStanding(db, await positionBefore(log, Date.now() - options.retentionMs));
  const standing = await readStanding(db);
  if (standing === null) throw new Error('the relay has no standing');
  const tails = new Map(standing.tails);
  let at = standing.position;
  let movedAt = 0;
  let moving: Promise<void> = Promise.resolve();

  const messagesOf = (page: EventPage, moved: Map<string, bigint>): OutgoingMessage[] => {
    const messages: OutgoingMessage[] = [];
    for (const event of page.events) {
      const place = placeOf(event.stream);
      if (place === null) continue;
      const { topic, partition } = place;
      const name = placeName(topic.name, partition);
      const after = moved.get(name) ?? tails.get(name) ?? standing.origin;
      const message = messageOf(event, { topic: topic.topic, partition }, { log: standing.log, after });
      // Left out, it is missing before what follows it: consumers then read it from the log.
      if (!isTooLarge(message.value)) messages.push(message);
      moved.set(name, event.position);
    }
    return messages;
  };

  try {
    for await (const page of ahead(log.subscribe(at, { pageSize: PAGE, signal, raw: true }))) {
      if (signal.aborted) break;
      if (page.through <= at) {
        await moving;
        continue;
      }
      const moved = new Map<string, bigint>();
      const messages = messagesOf(page, moved);
      if (moved.size === 0 && Date.now() - movedAt < IDLE_MOVE_MS) continue;
      for (const request of requestsOf(messages)) {
        await patiently(sender.send(request), signal, GIVE_UP_MS);
        for (const [topic, sent] of Map.groupBy(request, (message) => message.topic))
          options.onSent?.(topic, sent.length);
        options.onState?.({ is: 'working', takenAtMs: Date.now() });
      }
      for (const [name, position] of moved) tails.set(name, position);
      // The next page is sent while this is written: what a crash in between makes come twice is dropped.
      await moving;
      moving = moveStanding(db, at, page.through, moved);
      moving.catch(() => undefined);
      at = page.through;
      movedAt = Date.now();
    }
  } finally {
    await moving;
  }
};

/** Closes a sender, or leaves it to itself where the brokers say nothing. */
const closeSender = (sender: Sender): Promise<void> =>
  patiently(sender.close(), AbortSignal.abort(), GIVE_UP_MS).catch(() => undefined);

const openSender = async (fanout: Fanout, signal: AbortSignal): Promise<Sender> => {
  const opening = fanout.openSender();
  try {
    return await patiently(opening, signal, GIVE_UP_MS);
  } catch (error) {
    // It may be there yet, and then nobody wants it.
    opening.then(closeSender, () => undefined);
    throw error;
  }
};

/** Hands the log out to the topics. Any number of processes may run it: one at a time does, fenced by its place. */
export const runRelay = async (options: RelayOptions): Promise<void> => {
  const { logger, signal, fanout } = options;
  const tell = (state: RelayState) => options.onState?.(state);
  const work = async (leased: AbortSignal): Promise<void> => {
    await patiently(fanout.prepare(TOPICS), leased, GIVE_UP_MS);
    const sender = await openSender(fanout, leased);
    tell({ is: 'working', takenAtMs: null });
    try {
      await relay(sender, options, leased);
    } finally {
      await closeSender(sender);
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
      const delay = BACKOFF_MS[Math.min(failures - 1, BACKOFF_MS.length - 1)] ?? 200;
      const overtaken = error instanceof RelayOvertaken;
      // That the log is away is said once for the whole process.
      const isLogAway = error instanceof LogUnavailable;
      const level = overtaken
        ? 'info'
        : error instanceof FanoutMismatch
          ? 'error'
          : isLogAway
            ? 'debug'
            : 'warn';
      tell(overtaken ? { is: 'beginning' } : { is: 'failing', error });
      logger[level]({ err: error, delay }, 'the relay stopped and starts again');
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
};
