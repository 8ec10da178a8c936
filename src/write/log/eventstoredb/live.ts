import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { decodeEvent } from './decode-event.ts';
import { portError, within } from './errors.ts';
import type { ServerFilter } from './filter.ts';
import type { ReadResp } from './messages.ts';
import { liveRequest } from './read-requests.ts';

/** Buffered events of a slow reader; beyond that the node buffers, and ends the call if that is too many. */
const MAX_WAITING = 4_000;
const CONFIRMED_MS = 10_000;
/**
 * While events keep coming, at least so long passes between two batches: each event arrives by itself, and readers
 * commit once per batch. The first event after a pause is not delayed.
 */
const LINGER_MS = 250;

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
      if (response.confirmation !== null) confirm();
      const raw = response.event?.event ?? null;
      if (raw === null) return;
      waiting.push(decodeEvent(raw));
      if (waiting.length >= MAX_WAITING) stream.pause();
      wake();
    } catch (error) {
      fail(error as Error);
    }
  });
  stream.on('error', fail);
  stream.on('end', () => fail(new Error('the node ended the subscription')));

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
      if (waiting.length === 0 && failure === null && !signal.aborted) {
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
      }
      const early = takenMs + LINGER_MS - performance.now();
      if (early > 0 && waiting.length < limit && failure === null && !signal.aborted) await sleep(early);
      takenMs = performance.now();
      // Events received before the failure are valid.
      if (waiting.length === 0) throwFailure();
      const events = waiting.splice(0, limit);
      if (waiting.length < MAX_WAITING / 2) stream.resume();
      return events;
    },
    close,
  };
};
