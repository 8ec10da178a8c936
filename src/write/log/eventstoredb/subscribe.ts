import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { backoffMs, READ_BACKOFF } from '../../../kernel/backoff.ts';
import { pause } from '../../../kernel/retry.ts';
import {
  type EventPage,
  LogRequestRejectedError,
  type RecordedEvent,
  type SubscribeOptions,
} from '../port.ts';
import type { Connection } from './connection.ts';
import { isTooSlow, portError, within } from './errors.ts';
import { decodeEvent, liveRequest, NO_SYSTEM, readPages, type ServerFilter, splitFilter } from './read.ts';

/** Buffered events of a slow reader; beyond that the node buffers, and ends the call if that is too many. */
const MAX_WAITING = 4_000;
const CONFIRMED_MS = 10_000;
/**
 * While events keep coming, at least so long passes between two batches that are not full: each event arrives by itself,
 * and readers commit once per batch. The first event after a pause is not delayed.
 */
const LINGER_MS = 100;

/** The live phase of a subscription: events appended while it is open. */
export interface Live {
  /** Events since the last call, up to a limit; waits at most `ms` for the first. */
  next(limit: number, ms: number, signal: AbortSignal): Promise<readonly RecordedEvent[]>;
  close(): void;
}

/** Subscribes at the present end: every event appended after this resolves is returned in order, or `next` fails. */
export const openLive = async (connection: Connection, filter: ServerFilter): Promise<Live> => {
  const stream = await connection.read(liveRequest(filter));
  const waiting: RecordedEvent[] = [];
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  let takenMs = 0;
  /** Events for which `wake` is called. */
  let wanted = 1;
  let confirm: () => void = () => undefined;
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });

  const fail = (error: Error): void => {
    failure ??= error;
    confirm();
    wake();
  };
  stream.on('data', (response: ReadResp) => {
    try {
      if (response.hasConfirmation()) confirm();
      const raw = response.getEvent()?.getEvent();
      if (raw === undefined) return;
      waiting.push(decodeEvent(raw));
      if (waiting.length >= MAX_WAITING) stream.pause();
      if (waiting.length >= wanted) wake();
    } catch (error) {
      fail(error as Error);
    }
  });
  stream.on('error', fail);
  stream.on('end', () => fail(new Error('the node ended the subscription')));

  /** Waits until so many events are there, the stream has failed, the signal fires, or the time is over. */
  const events = async (count: number, ms: number, signal: AbortSignal): Promise<void> => {
    if (waiting.length >= count || failure !== null || signal.aborted) return;
    wanted = count;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      wake = done;
    });
  };

  const close = () => stream.cancel();
  const throwFailure = () => {
    if (failure !== null) throw portError(failure);
  };
  try {
    await within(CONFIRMED_MS, confirmed);
    throwFailure();
  } catch (error) {
    close();
    throw error;
  }

  return {
    next: async (limit, ms, signal) => {
      await events(1, ms, signal);
      const early = takenMs + LINGER_MS - performance.now();
      if (early > 0 && waiting.length > 0) await events(Math.min(limit, MAX_WAITING), early, signal);
      takenMs = performance.now();
      // Events received before the failure are valid.
      if (waiting.length === 0) throwFailure();
      const taken = waiting.splice(0, limit);
      if (waiting.length < MAX_WAITING / 2) stream.resume();
      return taken;
    },
    close,
  };
};

/** Idle time after which the reader gets an empty page with how far the log has advanced. */
const IDLE_MS = 1_000;
const PAGE_SIZE = 1_000;

/** Called for a failure that is retried. */
export type OnFailure = (
  error: unknown,
  about: { readonly position: string; readonly delay: number },
) => void;

/**
 * Reads up to the end, subscribes from the end, reads the events in between and continues with the subscription. On
 * failure it starts over after the last event returned. The server is never asked to resume a filtered
 * subscription: if it was left at an event or checkpoint that the filter excludes, versions differ in what they
 * send next, and some omit the first match. Checkpoints are not needed either: while idle, reads report the
 * progress of the log.
 */
export async function* subscribe(
  connection: Connection,
  after: bigint,
  options: SubscribeOptions,
  onFailure: OnFailure,
): AsyncIterable<EventPage> {
  const { signal, pageSize = PAGE_SIZE } = options;
  const { server, wants } = splitFilter(options);
  let position = after;
  let failures = 0;
  /** Position at which the reader was last ended for being too slow; twice at the same one is a failure. */
  let endedAt: bigint | null = null;

  async function* catchUp(): AsyncIterable<EventPage> {
    for await (const page of readPages(connection, position, options)) {
      if (signal.aborted) return;
      position = page.endPosition;
      yield page;
    }
  }

  while (!signal.aborted) {
    let close: () => void = () => undefined;
    try {
      yield* catchUp();
      if (signal.aborted) break;
      const live = await openLive(connection, server ?? NO_SYSTEM);
      close = live.close;
      yield* catchUp();
      failures = 0;
      while (!signal.aborted) {
        const arrived = await live.next(pageSize, IDLE_MS, signal);
        if (signal.aborted) break;
        const news = arrived.filter((event) => event.position > position);
        const last = news.at(-1);
        if (last !== undefined) {
          position = last.position;
          yield { events: news.filter(wants), endPosition: position };
        } else if (arrived.length === 0) {
          const before = position;
          yield* catchUp();
          if (position === before && !signal.aborted) yield { events: [], endPosition: position };
        }
      }
    } catch (error) {
      if (signal.aborted) break;
      // A retry would be rejected again: the reader has to know.
      if (error instanceof LogRequestRejectedError) throw error;
      // A node buffers few events of a live reader. A lagging reader reads pages instead.
      if (isTooSlow(error) && position !== endedAt) {
        endedAt = position;
        continue;
      }
      const delay = backoffMs(READ_BACKOFF, failures);
      failures += 1;
      onFailure(error, { position: String(position), delay });
      await pause(delay, signal);
    } finally {
      close();
    }
  }
}
