import { ServiceError } from '../../kernel/errors/service-error.ts';
import { type ReadPool, STATEMENT_MS } from '../read-pool.ts';
import { createListQueue, type ListQueue, type ListQueueUser } from './list-queue.ts';

/** Where one request reads lists: typed rows of its statements, each in its holder's turn. */
export type ListReads = Pick<ReadPool, 'any'>;

/** The lists of the catalog, apart from the reads that look one thing up. */
export interface Lists {
  /**
   * The lists of one request.
   * @param requests that the holder's plan allows in a minute: they may take longer for whoever may ask for more.
   * @param admitted resolves once the request is let in, and rejects where it is turned away: nothing is begun before.
   */
  of(holder: string, requests: number, admitted: Promise<unknown>): ListReads;
}

/** Time of statements that a holder may use in a minute: so much for each request of its plan, or at least so much. */
const A_REQUEST_MS = 10;
const MIN_MS = 3_000;
/** And no more than this share of all that the queue can do in a minute. */
const SHARE = 0.2;
const MINUTE_MS = 60_000;

/** A queue as wide as the pool. */
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

/** How long an answer is waited for where the database does not even stop the statement. */
const SILENCE_MS = 2 * STATEMENT_MS;

const isStopped = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === '57014') return true;
  }
  return false;
};

/** What the database stopped is a list that is too long for its time. */
const stopped = (error: unknown): unknown =>
  isStopped(error)
    ? new ServiceError(
        'service_unavailable',
        'The list takes too long to be read: narrow it, or try again.',
        {
          retryAfterS: 2,
          cause: error,
        },
      )
    : error;

const silent = (): ServiceError =>
  new ServiceError('service_unavailable', 'The database does not answer. Try again.', { retryAfterS: 2 });

/** A holder's statement in its turn. Where it stays silent its caller is told so; its place is free once it has ended. */
const inTurn = <T>(queue: ListQueue, user: ListQueueUser, statement: () => Promise<T>): Promise<T> =>
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

/** Reads lists in a queue of their own, fair by holder and bounded in every direction. */
export const createLists = (
  pool: ReadPool,
  queue: ListQueue = queueOf(pool.configuration.maxPoolSize ?? 2),
): Lists => ({
  of: (holder, requests, admitted) => {
    const user = { holder, allowedMs: Math.max(MIN_MS, requests * A_REQUEST_MS) };
    return {
      any: async (query) => {
        await admitted;
        return inTurn(queue, user, () => pool.any(query));
      },
    };
  },
});
