import { backoffMs, READ_BACKOFF } from '../../../kernel/backoff.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Db } from '../../../kernel/postgres/pool.ts';
import { pause } from '../../../kernel/retry.ts';
import type { EventLog, EventPage, SubscribeOptions } from '../port.ts';
import { createAppender } from './append.ts';
import { createNotifyListener } from './notify-listener.ts';
import { head, readPages, readStream } from './read.ts';

/**
 * The event log in Postgres. `connectionString` is for the LISTEN connection; everything else uses the pool. The
 * schema must be migrated.
 */
export const createPostgresLog = (db: Db, connectionString: string, logger: Logger): EventLog => {
  const appender = createAppender(db);
  const waker = createNotifyListener(connectionString, logger);

  async function* subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<EventPage> {
    const { signal } = options;
    let position = after;
    let failures = 0;
    while (!signal.aborted) {
      // Wait first, then read: an append between a read and the wait after it would go unnoticed.
      const looked = new AbortController();
      const woken = waker.sleep(AbortSignal.any([signal, looked.signal]));
      try {
        let moved = false;
        for await (const page of readPages(db, position, options)) {
          if (signal.aborted) break;
          moved = true;
          yield page;
          position = page.endPosition;
        }
        if (!moved && !signal.aborted) yield { events: [], endPosition: position };
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        const delay = backoffMs(READ_BACKOFF, failures);
        failures += 1;
        logger.warn(
          { err: (error as Error).message, position: String(position), delay },
          'reading the log failed',
        );
        await pause(delay, signal);
        looked.abort();
      }
      await woken;
    }
  }

  return {
    append: (stream, events, expected) => appender.append({ stream, events, expected }),
    appendMany: (appends) => Promise.all(appends.map((append) => appender.append(append))),
    readStream: (stream, options = {}) => readStream(db, stream, options),
    readAll: (after, options = {}) => readPages(db, after, options),
    subscribe,
    head: () => head(db),
    close: async () => {
      appender.close();
      await waker.close();
    },
  };
};
