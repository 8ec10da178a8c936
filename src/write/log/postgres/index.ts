import { backoffMs, READ_BACKOFF } from '../../../kernel/backoff.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { Client } from '../../../kernel/postgres/client.ts';
import type { Db } from '../../../kernel/postgres/pool.ts';
import { sql } from '../../../kernel/postgres/statement.ts';
import { pause } from '../../../kernel/retry.ts';
import type { EventLog, EventPage, SubscribeOptions } from '../port.ts';
import { createAppender } from './append.ts';
import { head, readPages, readStream } from './read.ts';

/** Maximum wait of a reader, which bounds the cost of a lost notification. */
const POLL_MS = 1_000;
const RECONNECT_MS = 500;

/**
 * Wakes readers when the log grows: one LISTEN connection per process, reconnected when it breaks. Readers also
 * poll once a second, in case a notification is lost.
 */
const createNotifyListener = (connectionString: string, logger: Logger) => {
  const sleepers = new Set<() => void>();
  let client: Client | null = null;
  let reconnect: NodeJS.Timeout | undefined;
  let started = false;
  let closed = false;

  const wakeAll = () => {
    for (const wake of [...sleepers]) wake();
  };

  const listen = async (): Promise<void> => {
    const next = new Client({
      connectionString,
      application_name: 'sightline log listener',
      keepAlive: true,
    });
    const again = () => {
      if (closed || client !== next) return;
      client = null;
      reconnect = setTimeout(() => void listen(), RECONNECT_MS);
    };
    client = next;
    next.on('notification', wakeAll);
    next.on('error', (error) => {
      logger.debug({ err: error.message }, 'log listener lost its connection');
      again();
    });
    next.on('end', again);
    try {
      await next.connect();
      await next.query(sql`listen sightline_log`);
      // Notifications were lost while disconnected.
      wakeAll();
    } catch (error) {
      logger.debug({ err: (error as Error).message }, 'log listener could not connect');
      next.end().catch(() => undefined);
      again();
    }
  };

  return {
    /** Resolves when the log may have grown, the signal fired, or the poll interval passed. */
    sleep: (signal: AbortSignal): Promise<void> => {
      if (!started && !closed) {
        started = true;
        void listen();
      }
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, POLL_MS);
        sleepers.add(wake);
        signal.addEventListener('abort', wake, { once: true });
        if (signal.aborted || closed) wake();
      });
    },
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(reconnect);
      wakeAll();
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
    },
  };
};

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
