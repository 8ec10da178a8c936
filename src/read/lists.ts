import { Failure } from '../kernel/errors.ts';
import { type ReadPool, STATEMENT_MS } from './database.ts';
import { createLane, type Lane, type LaneUser } from './lane.ts';

/** Where one request reads lists: typed rows of its statements, each in its holder's turn. */
export type ListReads = Pick<ReadPool, 'any'>;

/** The lists of the catalog, apart from the reads that look one thing up. */
export interface Lists {
  /**
   * The lists of one request.
   * @param requests that the holder's plan allows in a minute: they may take longer for whoever may ask for more.
   * @param letIn resolves once the request is let in, and rejects where it is turned away: nothing is begun before.
   */
  of(holder: string, requests: number, letIn: Promise<unknown>): ListReads;
}

/** Time of statements that a holder may use in a minute: so much for each request of its plan, or at least so much. */
const A_REQUEST_MS = 10;
const LEAST_MS = 3_000;
/** And no more than this share of all that the lane can do in a minute. */
const SHARE = 0.2;
const MINUTE_MS = 60_000;

/** A lane as wide as the pool. */
const laneOf = (slots: number): Lane =>
  createLane({
    slots,
    slotsOfOne: Math.max(1, Math.min(2, slots - 1)),
    quickMs: 50,
    mostWaiting: 500,
    mostWaitingOfOne: 100,
    waitMs: 2_000,
    mostMs: SHARE * slots * MINUTE_MS,
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
    ? new Failure('service_unavailable', 'The list takes too long to be read: narrow it, or try again.', {
        retryAfterS: 2,
        cause: error,
      })
    : error;

const silent = (): Failure =>
  new Failure('service_unavailable', 'The database does not answer. Try again.', { retryAfterS: 2 });

/** A holder's statement in its turn. Where it stays silent its caller is told so; its place is free once it has ended. */
const inTurn = <T>(lane: Lane, user: LaneUser, statement: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    lane
      .run(user, () => {
        timer = setTimeout(() => reject(silent()), SILENCE_MS);
        timer.unref();
        return statement();
      })
      .then(resolve, (error: unknown) => reject(stopped(error)))
      .finally(() => clearTimeout(timer));
  });

/** Reads lists in a lane of their own, fair by holder and bounded in every direction. */
export const createLists = (
  pool: ReadPool,
  lane: Lane = laneOf(pool.configuration.maxPoolSize ?? 2),
): Lists => ({
  of: (holder, requests, letIn) => {
    const user = { holder, allowedMs: Math.max(LEAST_MS, requests * A_REQUEST_MS) };
    return {
      any: async (query) => {
        await letIn;
        return inTurn(lane, user, () => pool.any(query));
      },
    };
  },
});
