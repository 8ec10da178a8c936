import { setTimeout as sleep } from 'node:timers/promises';
import type { Admitted } from './standing.ts';
import type { Ask } from './terms.ts';

/** A request that nothing can be decided of: its holder's terms can't be had, or its turn did not come in time. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

/** A request that waits for its decision. */
export interface Waiting {
  readonly ask: Ask;
  /** By the process's steady clock. */
  readonly sinceMs: number;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: unknown) => void;
}

/** Most holders of a turn, and most requests of one: who has thousands waiting must not keep the others. */
const MOST_HOLDERS = 128;
const MOST_OF_ONE = 250;
/** How long a request waits for its turn at the most. */
const MOST_WAIT_MS = 5_000;
/** How long terms that others have outrun are left alone before they are read again. */
const STALE_MS = 20;

/** A holder's requests of one turn. */
export interface Asked {
  readonly holder: string;
  readonly waiting: readonly Waiting[];
}

/** What a turn left open, to be asked again. */
type Open = readonly { readonly asked: Asked; readonly stale: boolean }[];

export interface Lane {
  /** Whether requests of a holder wait here, or are with the database. */
  holds(holder: string): boolean;
  put(holder: string, waiting: readonly Waiting[]): void;
}

/**
 * Gathers requests and has them decided, one turn at a time: what arrives while a turn is under way forms the next,
 * so that batches grow with the load.
 * @param next takes the holders that a turn left undecided; the last lane keeps them itself.
 */
export const openLane = (decide: (asked: readonly Asked[]) => Promise<Open>, next: Lane | null): Lane => {
  const queue = new Map<string, Waiting[]>();
  let inHand: ReadonlySet<string> = new Set();
  let running = false;

  /** A turn's requests, in the order of the holders; who has waited longest goes first, and what has no room stays. */
  const take = (): Asked[] => {
    const taken: Asked[] = [];
    // A copy: who is put back at the end must not be met again.
    for (const [holder, waiting] of [...queue]) {
      if (taken.length === MOST_HOLDERS) break;
      queue.delete(holder);
      taken.push({ holder, waiting: waiting.splice(0, MOST_OF_ONE) });
      // To the end of the queue: the others' turn comes first.
      if (waiting.length > 0) queue.set(holder, waiting);
    }
    return taken.sort((a, b) => (a.holder < b.holder ? -1 : 1));
  };

  /** Refuses what has waited for too long: its caller has left, or will have. It was never sent, so nothing is in doubt. */
  const refuseOverdue = (): void => {
    const since = performance.now() - MOST_WAIT_MS;
    for (const [holder, waiting] of queue) {
      if ((waiting[0]?.sinceMs ?? since) >= since) continue;
      const inTime = waiting.filter((each) => each.sinceMs >= since);
      for (const each of waiting) {
        if (each.sinceMs < since) each.reject(new Undecided(`${holder} was not decided on in time`));
      }
      if (inTime.length === 0) queue.delete(holder);
      else queue.set(holder, inTime);
    }
  };

  const turn = async (): Promise<void> => {
    refuseOverdue();
    const asked = take();
    if (asked.length === 0) return;
    inHand = new Set(asked.map(({ holder }) => holder));
    try {
      const open = await decide(asked);
      for (const { asked: left } of open) {
        // What came meanwhile follows what came before.
        const later = queue.get(left.holder) ?? [];
        queue.delete(left.holder);
        (next ?? lane).put(left.holder, [...left.waiting, ...later]);
      }
      // Where the next lane takes them, they are its to wait for.
      if (next === null && open.some(({ stale }) => stale)) await sleep(STALE_MS);
    } catch (error) {
      for (const { waiting } of asked) for (const each of waiting) each.reject(error);
    }
    inHand = new Set();
  };

  const run = async (): Promise<void> => {
    running = true;
    // All that the present turn of the event loop brings goes together.
    await null;
    while (queue.size > 0) await turn();
    running = false;
  };

  const lane: Lane = {
    holds: (holder) => queue.has(holder) || inHand.has(holder),
    put: (holder, waiting) => {
      const before = queue.get(holder);
      if (before === undefined) queue.set(holder, [...waiting]);
      else before.push(...waiting);
      if (!running) void run();
    },
  };
  return lane;
};
