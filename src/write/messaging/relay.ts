/** The relay from the log to the broker, and its checkpoint. */

import { withGracePeriod } from '../../kernel/abort.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { keepRunning, steadyMs } from '../../kernel/retry.ts';
import { type EventLog, type EventPage, LogUnavailableError } from '../log/port.ts';
import { prefetch } from '../log/prefetch.ts';
import { positionAtTime } from '../position-at-time.ts';
import { encodeMessage, partitionFor, partitionKey, TOPICS } from './message.ts';
import { type Messaging, type OutgoingMessage, type Producer, TopicMismatchError } from './port.ts';

/** State of a relay: starting, waiting for the lease, publishing, or failing and retrying. */
export type RelayState =
  | { readonly is: 'beginning' }
  | { readonly is: 'waiting' }
  /** When the brokers last acknowledged a message, by this process's clock; null before the first. */
  | { readonly is: 'working'; readonly lastAckMs: number | null }
  | { readonly is: 'failing'; readonly error: unknown };

export interface RelayOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly messaging: Messaging;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Topics have a retention, and older events would be deleted at once. */
  readonly retentionMs: number;
  /** Called with the number of events published to a topic. */
  readonly onPublished?: (topic: string, events: number) => void;
  /** Called on every change of state. */
  readonly onState?: (state: RelayState) => void;
}

const LEASE = { kind: ADVISORY_LOCKS.RELAY_LEASE, name: 'relay' };
const PAGE = 5_000;
const IDLE_MOVE_MS = 1_000;
/** Grace period for unresponsive brokers on shutdown. The next relay publishes unacknowledged messages again. */
const GIVE_UP_MS = 5_000;
/** Bytes per partition and request: brokers reject batches above 1 MiB. */
const MAX_BYTES = 512 * 1024;

/**
 * Maximum size of a value. No event that is appended today comes near it. A larger one, from before events were bounded, would
 * block all that follow it.
 */
const MAX_VALUE_BYTES = 2 * 1024 * 1024;

const isTooLarge = (value: string): boolean =>
  value.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(value) > MAX_VALUE_BYTES;

/** Splits messages so that no partition exceeds the request limit. */
export function* batchesOf(messages: readonly OutgoingMessage[]): Iterable<readonly OutgoingMessage[]> {
  let from = 0;
  const bytes = new Map<string, number>();
  for (let i = 0; i < messages.length; i++) {
    const { topic, partition, value } = messages[i] as OutgoingMessage;
    const key = `${topic}/${partition}`;
    // A UTF-16 unit takes at most three bytes.
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

/** Publishes the log from the checkpoint until the signal fires or something fails. */
const relay = async (
  producer: Producer,
  options: RelayOptions,
  signal: AbortSignal,
  progressed: () => void,
): Promise<void> => {
  const { db, log } = options;
  await initializeRelayCheckpoint(db, await positionAtTime(log, systemClock.now() - options.retentionMs));
  const relayCheckpoint = await readRelayCheckpoint(db);
  if (relayCheckpoint === null) throw new Error('the relay has no checkpoint');
  const lastPublished = new Map(relayCheckpoint.lastPublished);
  let at = relayCheckpoint.position;
  let movedAt = Number.NEGATIVE_INFINITY;
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
      // Consumers detect the gap and read the event from the log.
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
      if (moved.size === 0 && steadyMs() - movedAt < IDLE_MOVE_MS) continue;
      for (const request of batchesOf(messages)) {
        await withGracePeriod(producer.send(request), signal, GIVE_UP_MS);
        for (const [topic, sent] of Map.groupBy(request, (message) => message.topic))
          options.onPublished?.(topic, sent.length);
        options.onState?.({ is: 'working', lastAckMs: systemClock.now() });
      }
      for (const [name, position] of moved) lastPublished.set(name, position);
      // The next page is published while this checkpoint is written. Consumers drop the duplicates after a crash.
      await moving;
      moving = advanceRelayCheckpoint(db, at, page.endPosition, moved);
      moving.catch(() => undefined);
      at = page.endPosition;
      movedAt = steadyMs();
      progressed();
    }
  } finally {
    await moving;
  }
};

/** Closes a producer, or abandons it if the brokers don't respond. */
const closeProducer = (producer: Producer): Promise<void> =>
  withGracePeriod(producer.close(), AbortSignal.abort(), GIVE_UP_MS).catch(() => undefined);

const openProducer = async (messaging: Messaging, signal: AbortSignal): Promise<Producer> => {
  const opening = messaging.openProducer();
  try {
    return await withGracePeriod(opening, signal, GIVE_UP_MS);
  } catch (error) {
    // It may still connect, and is closed then.
    opening.then(closeProducer, () => undefined);
    throw error;
  }
};

/**
 * Publishes the log to the topics. Any number of processes may run it: the lease holder publishes, and its checkpoint fences it.
 */
export const runRelay = async (options: RelayOptions): Promise<void> => {
  const { logger, signal, messaging } = options;
  const report = (state: RelayState) => options.onState?.(state);
  const work = async (leased: AbortSignal, progressed: () => void): Promise<void> => {
    await withGracePeriod(messaging.ensureTopics(TOPICS), leased, GIVE_UP_MS);
    const producer = await openProducer(messaging, leased);
    report({ is: 'working', lastAckMs: null });
    try {
      await relay(producer, options, leased, progressed);
    } finally {
      await closeProducer(producer);
    }
  };
  report({ is: 'beginning' });
  await keepRunning(
    signal,
    (progressed) =>
      withLease(
        options.connectionString,
        LEASE,
        signal,
        (leased) => work(leased, progressed),
        () => report({ is: 'waiting' }),
      ),
    (error, delay) => {
      report(error instanceof RelayFencedError ? { is: 'beginning' } : { is: 'failing', error });
      logger[levelOf(error)]({ err: error, delay }, 'relay failed; restarting');
    },
  );
};

/** An unavailable log is logged once per process. */
const levelOf = (error: unknown): 'info' | 'error' | 'debug' | 'warn' => {
  if (error instanceof RelayFencedError) return 'info';
  if (error instanceof TopicMismatchError) return 'error';
  return error instanceof LogUnavailableError ? 'debug' : 'warn';
};

/** How far the log has been published. */
export interface RelayCheckpoint {
  /** ID of the log: brokers may hold messages of other logs, or of the log before a restore. */
  readonly logId: string;
  /** The brokers have stored everything up to here. */
  readonly position: bigint;
  /** Where publishing began: older events were never published. */
  readonly startPosition: bigint;
  /** Position of the last published event by partition; `startPosition` if there is none. */
  readonly lastPublished: ReadonlyMap<string, bigint>;
}

/** A single relay publishes the whole log. */
const RELAY = 'log';

interface Row {
  readonly log_id: string;
  readonly position: string;
  readonly start_position: string;
  readonly last_published: Readonly<Record<string, string>>;
}

/** The relay's checkpoint, as a consistent snapshot; null if no relay ran in this incarnation of the database. */
export const readRelayCheckpoint = async (db: Queryable): Promise<RelayCheckpoint | null> => {
  const { rows } = await db.query<Row>(sql`
    select log_id, position, start_position, last_published from relay.checkpoints where relay = ${RELAY}
      and incarnation = relay.incarnation()`);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    logId: row.log_id,
    position: BigInt(row.position),
    startPosition: BigInt(row.start_position),
    lastPublished: new Map(
      Object.entries(row.last_published).map(([partition, position]) => [partition, BigInt(position)]),
    ),
  };
};

/**
 * Initializes the checkpoint unless it exists. A restored database gets a new log ID, so that messages published from the lost
 * timeline are ignored.
 */
export const initializeRelayCheckpoint = async (db: Queryable, startPosition: bigint): Promise<void> => {
  await db.query(sql`
    insert into relay.checkpoints as r (relay, incarnation, position, start_position, last_published)
    values (${RELAY}, relay.incarnation(), ${String(startPosition)}, ${String(startPosition)}, '{}')
    on conflict (relay) do update set
      log_id = gen_random_uuid(), incarnation = excluded.incarnation, start_position = r.position,
        last_published = '{}'
    where r.incarnation <> excluded.incarnation`);
};

/** The log's ID has changed. Messages with the former ID must not be applied. */
export class LogIdChangedError extends Error {
  override readonly name = 'LogIdChangedError';
}

/**
 * Checks the log's ID, in the transaction of the rows.
 * @throws {LogIdChangedError}
 */
export const checkLogId = async (db: Queryable, log: string): Promise<void> => {
  const { rowCount } = await db.query(sql.named('check_log')`
    select 1 from relay.checkpoints where relay = ${RELAY} and log_id = ${log} and incarnation = relay.incarnation()`);
  if (rowCount !== 1)
    throw new LogIdChangedError('the log ID has changed: the database was restored or replaced');
};

/** Another relay advanced the checkpoint: this one has lost its lease. */
class RelayFencedError extends Error {
  override readonly name = 'RelayFencedError';
}

/**
 * Advances the checkpoint by compare-and-set.
 * @param moved the partitions with new last positions.
 * @throws {RelayFencedError}
 */
const advanceRelayCheckpoint = async (
  db: Queryable,
  from: bigint,
  to: bigint,
  moved: ReadonlyMap<string, bigint>,
): Promise<void> => {
  const lastPublished = Object.fromEntries(
    [...moved].map(([partition, position]) => [partition, String(position)]),
  );
  const { rowCount } = await db.query(sql.named('move_relay')`
    update relay.checkpoints set position = ${String(to)},
      last_published = last_published || ${JSON.stringify(lastPublished)}::jsonb, updated_at = now()
    where relay = ${RELAY} and position = ${String(from)} and incarnation = relay.incarnation()`);
  if (rowCount !== 1) throw new RelayFencedError(`another relay has advanced from position ${from}`);
};
