import { setTimeout as pause } from 'node:timers/promises';
import { readBackoffMs } from '../../../kernel/backoff.ts';
import type { EventPage, SubscribeOptions } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { Connection } from './connection.ts';
import { isTooSlow } from './errors.ts';
import { NO_SYSTEM, splitFilter } from './filter.ts';
import { openLive } from './live.ts';
import { readPages } from './read.ts';

/** How long nothing comes before the reader hears that, and how far the log went meanwhile. */
const IDLE_MS = 1_000;
const PAGE_SIZE = 1_000;

/** Told of a failure that is tried again. */
export type OnFailure = (
  error: unknown,
  about: { readonly position: string; readonly delay: number },
) => void;

/**
 * Reads up to the end, opens a subscription from the end, reads what came between the two, and goes on with what the
 * subscription brings. Where that fails, all of it begins again after the last event that was handed out. So the
 * server is never asked to resume a filtered subscription: where one resumes that was left at an event or checkpoint
 * that its filter leaves out, versions differ in what they send next, and some leave out the first that is wanted.
 * Nor are checkpoints needed: while nothing comes, reading says how far the log has gone.
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
  /** Where the reader was when it was last called too slow: twice at the same position is a failure. */
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
      // Asking again would be refused again: the reader has to hear of it.
      if (error instanceof LogRequestRejectedError) throw error;
      // A node keeps few events for a live reader. One that lags reads them in pages, and is none the worse for it.
      if (isTooSlow(error) && position !== endedAt) {
        endedAt = position;
        continue;
      }
      const delay = readBackoffMs(failures);
      failures += 1;
      onFailure(error, { position: String(position), delay });
      await pause(delay, undefined, { signal }).catch(() => undefined);
    } finally {
      close();
    }
  }
}
