import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionRequest } from '../entitlements.ts';
import type { Admitted } from '../quota-state.ts';

/** No decision on a request: its holder's entitlements are unknown, or the queue took too long. */
export class AdmissionTimeoutError extends Error {
  override readonly name = 'AdmissionTimeoutError';
}

/** A request that waits for its decision. */
export interface PendingRequest {
  readonly ask: AdmissionRequest;
  /** Enqueued at, by the process's monotonic clock. */
  readonly sinceMs: number;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum holders of a batch, and requests per holder, so that one with thousands can't delay the others. */
const MAX_HOLDERS = 128;
const MAX_OF_ONE = 250;
/** Maximum wait of a request in the queue. */
const MAX_WAIT_MS = 5_000;
/** A batch that takes longer no longer holds back the next ones: its connection may hang. */
const LATE_MS = 1_000;
/** Late batches at once: each has a connection. */
const MAX_LATE = 2;
/** Pause before entitlements are read again after they turned out to be stale. */
const STALE_MS = 20;

/** A holder's requests in one batch. */
export interface HolderRequests {
  readonly holder: string;
  readonly waiting: readonly PendingRequest[];
}

/** What a batch left undecided. */
type LeftOver = readonly { readonly asked: HolderRequests; readonly stale: boolean }[];

export interface AdmissionQueue {
  /** Whether requests of a holder are queued or being decided here. */
  has(holder: string): boolean;
  put(holder: string, waiting: readonly PendingRequest[]): void;
}

/**
 * Batches requests, one batch at a time: those that arrive meanwhile form the next, so that batches grow with the
 * load. A batch that is late is left to its own requests: the next one takes another connection.
 * @param next the queue for holders that a batch left undecided; the last queue retries them itself.
 */
export const openAdmissionQueue = (
  decide: (asked: readonly HolderRequests[]) => Promise<LeftOver>,
  next: AdmissionQueue | null,
): AdmissionQueue => {
  const pending = new Map<string, PendingRequest[]>();
  /** Batches being decided, with their holders. */
  const deciding = new Set<ReadonlySet<string>>();
  let running = false;

  /** The next batch, ordered by holder; the longest-waiting holders first, up to the maximum. */
  const take = (): HolderRequests[] => {
    const taken: HolderRequests[] = [];
    // A copy: holders that are requeued must not be visited again.
    for (const [holder, waiting] of [...pending]) {
      if (taken.length === MAX_HOLDERS) break;
      pending.delete(holder);
      taken.push({ holder, waiting: waiting.splice(0, MAX_OF_ONE) });
      // Requeue last, for fairness between holders.
      if (waiting.length > 0) pending.set(holder, waiting);
    }
    return taken.sort((a, b) => (a.holder < b.holder ? -1 : 1));
  };

  /**
   * Rejects requests that waited too long: the caller has given up. They were never sent, so no charge is in doubt.
   */
  const refuseOverdue = (): void => {
    const since = performance.now() - MAX_WAIT_MS;
    for (const [holder, waiting] of pending) {
      if ((waiting[0]?.sinceMs ?? since) >= since) continue;
      const inTime = waiting.filter((each) => each.sinceMs >= since);
      for (const each of waiting) {
        if (each.sinceMs < since) each.reject(new AdmissionTimeoutError(`${holder} was not decided in time`));
      }
      if (inTime.length === 0) pending.delete(holder);
      else pending.set(holder, inTime);
    }
  };

  const decideBatch = async (): Promise<void> => {
    refuseOverdue();
    const asked = take();
    if (asked.length === 0) return;
    const holders = new Set(asked.map(({ holder }) => holder));
    deciding.add(holders);
    try {
      const open = await decide(asked);
      for (const { asked: left } of open) {
        // Requests that arrived meanwhile come after those that waited.
        const later = pending.get(left.holder) ?? [];
        pending.delete(left.holder);
        (next ?? queue).put(left.holder, [...left.waiting, ...later]);
      }
      // The next queue waits for them.
      if (next === null && open.some(({ stale }) => stale)) await sleep(STALE_MS);
    } catch (error) {
      for (const { waiting } of asked) for (const each of waiting) each.reject(error);
    } finally {
      deciding.delete(holders);
    }
  };

  const late = new Set<Promise<void>>();

  /** Decides the next batch. @returns once it is decided or late, and few enough are late. */
  const decideNext = async (): Promise<void> => {
    const batch = decideBatch();
    let timer: NodeJS.Timeout | undefined;
    const isLate = await Promise.race([
      batch.then(() => false),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, LATE_MS, true);
      }),
    ]);
    clearTimeout(timer);
    if (!isLate) return;
    const ended = batch.finally(() => late.delete(ended));
    late.add(ended);
    if (late.size > MAX_LATE) await Promise.race(late);
  };

  const run = async (): Promise<void> => {
    running = true;
    // Collects all requests of this event-loop tick.
    await null;
    while (pending.size > 0) await decideNext();
    running = false;
  };

  const queue: AdmissionQueue = {
    has: (holder) => pending.has(holder) || deciding.values().some((holders) => holders.has(holder)),
    put: (holder, waiting) => {
      const before = pending.get(holder);
      if (before === undefined) pending.set(holder, [...waiting]);
      else before.push(...waiting);
      if (!running) void run();
    },
  };
  return queue;
};
