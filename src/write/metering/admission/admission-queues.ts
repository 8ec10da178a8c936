import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionRequest } from '../entitlements.ts';
import type { Admitted } from '../quota-state.ts';

/** A request that nothing can be decided of: its holder's terms can't be had, or its turn did not come in time. */
export class AdmissionTimeoutError extends Error {
  override readonly name = 'Undecided';
}

/** A request that waits for its decision. */
export interface PendingRequest {
  readonly ask: AdmissionRequest;
  /** By the process's steady clock. */
  readonly sinceMs: number;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: unknown) => void;
}

/** Most holders of a turn, and most requests of one: who has thousands waiting must not keep the others. */
const MAX_HOLDERS = 128;
const MAX_OF_ONE = 250;
/** How long a request waits for its turn at the most. */
const MAX_WAIT_MS = 5_000;
/** How long terms that others have outrun are left alone before they are read again. */
const STALE_MS = 20;

/** A holder's requests of one turn. */
export interface HolderRequests {
  readonly holder: string;
  readonly waiting: readonly PendingRequest[];
}

/** What a turn left open, to be asked again. */
type Undecided = readonly { readonly asked: HolderRequests; readonly stale: boolean }[];

export interface AdmissionQueue {
  /** Whether requests of a holder wait here, or are with the database. */
  holds(holder: string): boolean;
  put(holder: string, waiting: readonly PendingRequest[]): void;
}

/**
 * Gathers requests and has them decided, one turn at a time: what arrives while a turn is under way forms the next,
 * so that batches grow with the load.
 * @param next takes the holders that a turn left undecided; the last queue keeps them itself.
 */
export const openAdmissionQueue = (
  decide: (asked: readonly HolderRequests[]) => Promise<Undecided>,
  next: AdmissionQueue | null,
): AdmissionQueue => {
  const pending = new Map<string, PendingRequest[]>();
  let locked: ReadonlySet<string> = new Set();
  let running = false;

  /** A turn's requests, in the order of the holders; who has waited longest goes first, and what has no room stays. */
  const take = (): HolderRequests[] => {
    const taken: HolderRequests[] = [];
    // A copy: who is put back at the end must not be met again.
    for (const [holder, waiting] of [...pending]) {
      if (taken.length === MAX_HOLDERS) break;
      pending.delete(holder);
      taken.push({ holder, waiting: waiting.splice(0, MAX_OF_ONE) });
      // To the end of the queue: the others' turn comes first.
      if (waiting.length > 0) pending.set(holder, waiting);
    }
    return taken.sort((a, b) => (a.holder < b.holder ? -1 : 1));
  };

  /** Refuses what has waited for too long: its caller has left, or will have. It was never sent, so nothing is in doubt. */
  const refuseOverdue = (): void => {
    const since = performance.now() - MAX_WAIT_MS;
    for (const [holder, waiting] of pending) {
      if ((waiting[0]?.sinceMs ?? since) >= since) continue;
      const inTime = waiting.filter((each) => each.sinceMs >= since);
      for (const each of waiting) {
        if (each.sinceMs < since)
          each.reject(new AdmissionTimeoutError(`${holder} was not decided on in time`));
      }
      if (inTime.length === 0) pending.delete(holder);
      else pending.set(holder, inTime);
    }
  };

  const turn = async (): Promise<void> => {
    refuseOverdue();
    const asked = take();
    if (asked.length === 0) return;
    locked = new Set(asked.map(({ holder }) => holder));
    try {
      const open = await decide(asked);
      for (const { asked: left } of open) {
        // What came meanwhile follows what came before.
        const later = pending.get(left.holder) ?? [];
        pending.delete(left.holder);
        (next ?? queue).put(left.holder, [...left.waiting, ...later]);
      }
      // Where the next queue takes them, they are its to wait for.
      if (next === null && open.some(({ stale }) => stale)) await sleep(STALE_MS);
    } catch (error) {
      for (const { waiting } of asked) for (const each of waiting) each.reject(error);
    }
    locked = new Set();
  };

  const run = async (): Promise<void> => {
    running = true;
    // All that the present turn of the event loop brings goes together.
    await null;
    while (pending.size > 0) await turn();
    running = false;
  };

  const queue: AdmissionQueue = {
    holds: (holder) => pending.has(holder) || locked.has(holder),
    put: (holder, waiting) => {
      const before = pending.get(holder);
      if (before === undefined) pending.set(holder, [...waiting]);
      else before.push(...waiting);
      if (!running) void run();
    },
  };
  return queue;
};
