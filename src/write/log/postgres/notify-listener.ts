import pg from 'pg';
import type { Logger } from '../../../kernel/logger.ts';

/** Maximum wait of a reader, which bounds the cost of a lost notification. */
const POLL_MS = 1_000;
const RECONNECT_MS = 500;

/**
 * Wakes readers when the log grows: one LISTEN connection per process, reconnected when it breaks. Readers also
 * poll once a second, in case a notification is lost.
 */
export const createNotifyListener = (connectionString: string, logger: Logger) => {
  const sleepers = new Set<() => void>();
  let client: pg.Client | null = null;
  let reconnect: NodeJS.Timeout | undefined;
  let started = false;
  let closed = false;

  const wakeAll = () => {
    for (const wake of [...sleepers]) wake();
  };

  const listen = async (): Promise<void> => {
    const next = new pg.Client({
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
      await next.query('listen sightline_log');
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
