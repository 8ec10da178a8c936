import { ServiceError } from '../../kernel/errors/service-error.ts';
import { type ReadPool, STATEMENT_MS } from '../read-pool.ts';
import { createListQueue, type ListQueue, type ListQueueUser } from './list-queue.ts';

/** List reads of one request: typed rows, queued by holder. */
export type ListReads = Pick<ReadPool, 'any'>;

/** List reads, separate from look-ups. */
export interface Lists {
  /**
   * List reads of one admitted request.
   * @param requests per minute of the holder's plan, to which its statement time is proportional.
   */
  of(holder: string, requests: number): ListReads;
}

/** Statement time per holder and minute: this much per request of its plan, with a minimum. */
const A_REQUEST_MS = 10;
const MIN_MS = 3_000;
/** Maximum fraction of the queue's capacity for one holder. */
const SHARE = 0.2;
const MINUTE_MS = 60_000;

/** A queue with as many slots as the pool has connections. */
const queueOf = (slots: number): ListQueue =>
  createListQueue({
    slots,
    slotsOfOne: Math.max(1, Math.min(2, slots - 1)),
    quickMs: 50,
    maxWaiting: 500,
    maxWaitingPerHolder: 100,
    waitMs: 2_000,
    maxMs: SHARE * slots * MINUTE_MS,
  });

/** Timeout if the database does not even cancel the statement. */
const SILENCE_MS = 2 * STATEMENT_MS;

const isStopped = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === '57014') return true;
  }
  return false;
};

/** Maps a cancelled statement to an error for the caller. */
const stopped = (error: unknown): unknown =>
  isStopped(error)
    ? new ServiceError('service_unavailable', 'The list took too long to read: narrow it, or try again.', {
        retryAfterS: 2,
        cause: error,
      })
    : error;

const silent = (): ServiceError =>
  new ServiceError('service_unavailable', 'The database is unavailable. Try again.', { retryAfterS: 2 });

/**
 * Runs a holder's statement in the queue. On a timeout the caller gets an error; the slot is freed when the
 * statement ends.
 */
const enqueue = <T>(queue: ListQueue, user: ListQueueUser, statement: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    queue
      .run(user, () => {
        timer = setTimeout(() => reject(silent()), SILENCE_MS);
        timer.unref();
        return statement();
      })
      .then(resolve, (error: unknown) => reject(stopped(error)))
      .finally(() => clearTimeout(timer));
  });

/** List reads with their own queue, fair by holder and bounded in every dimension. */
export const createLists = (
  pool: ReadPool,
  queue: ListQueue = queueOf(pool.configuration.maxPoolSize ?? 2),
): Lists => ({
  of: (holder, requests) => {
    const user = { holder, allowedMs: Math.max(MIN_MS, requests * A_REQUEST_MS) };
    return { any: (query) => enqueue(queue, user, () => pool.any(query)) };
  },
});
