import { backoffMs, READ_BACKOFF } from '../../../kernel/backoff.ts';
import { pause } from '../../../kernel/retry.ts';
import type { EventPage, SubscribeOptions } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { Connection } from './connection.ts';
import { isTooSlow } from './errors.ts';
import { NO_SYSTEM, splitFilter } from './filter.ts';
import { openLive } from './live.ts';
import { readPages } from './read.ts';

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
