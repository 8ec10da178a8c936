import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { RecordedEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { decodeEvent } from './decode-event.ts';
import { portError, within } from './errors.ts';
import type { ServerFilter } from './filter.ts';
import { liveRequest } from './read-requests.ts';

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
