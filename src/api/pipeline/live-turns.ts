import { ServiceError } from '../../kernel/errors.ts';

/** Calls that may read platforms, by what one costs: a tool sends dozens of requests, any other call a few. */
export type LiveLane = 'tool' | 'read';

/** Bounds of a holder's calls in a lane. */
interface TurnBounds {
  /** Calls at once. */
  readonly slots: Readonly<Record<LiveLane, number>>;
  /** Calls that wait. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** Gives a holder's calls that may read platforms their turns, in order. Holders don't wait for each other. */
export interface LiveTurns {
  /** @throws {ServiceError} `live_rate_limited` if too many wait, or the turn does not come in time. Nothing was done then. */
  run<T>(holder: string, lane: LiveLane, work: () => Promise<T>): Promise<T>;
}

export const TURN_BOUNDS: TurnBounds = { slots: { tool: 1, read: 16 }, waiting: 100, waitMs: 10_000 };

/** Seconds after which a refused call has a chance: some of those before it are done. */
const RETRY_AFTER_S = 5;

interface Lane {
  running: number;
  /** What begins the waiting calls. */
  readonly waiting: (() => void)[];
}

export const createLiveTurns = (bounds: TurnBounds = TURN_BOUNDS): LiveTurns => {
  /** Lanes of holders with a running call. */
  const lanes = new Map<string, Lane>();

  const wait = ({ waiting }: Lane): Promise<void> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= bounds.waiting) {
        reject(crowded());
        return;
      }
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(crowded());
      }, bounds.waitMs);
      waiting.push(begin);
    });

  return {
    run: async (holder, lane, work) => {
      const name = `${lane} ${holder}`;
      const calls = lanes.get(name) ?? { running: 0, waiting: [] };
      lanes.set(name, calls);
      if (calls.running < bounds.slots[lane]) calls.running += 1;
      else await wait(calls);
      try {
        return await work();
      } finally {
        // The slot passes to the next call.
        const next = calls.waiting.shift();
        if (next !== undefined) next();
        else calls.running -= 1;
        if (calls.running === 0) lanes.delete(name);
      }
    },
  };
};

const crowded = (): ServiceError =>
  new ServiceError(
    'live_rate_limited',
    'Too many of your calls that read platforms are waiting: tools run one at a time, other calls a few at once.',
    { retryAfterS: RETRY_AFTER_S },
  );
