import { callerOf } from '../../kernel/cidr.ts';

/** Limits the resources without a key that an address may use per second. */
export interface RateLimit {
  /**
   * Takes an amount from an address's allowance; false if it is exceeded. An amount larger than the allowance
   * passes once.
   */
  take(address: string, amount: number): boolean;
}

/** @param max amount per address and second. */
export const createRateLimit = (max: number, steadyMs: () => number = () => performance.now()): RateLimit => {
  /** Amounts used in the running second; cleared when it is over. */
  let used = new Map<string, number>();
  let since = steadyMs();
  return {
    take: (address, amount) => {
      const now = steadyMs();
      if (now - since >= WINDOW_MS || used.size >= MAX_ADDRESSES) {
        used = new Map();
        since = now;
      }
      const caller = callerOf(address);
      const before = used.get(caller) ?? 0;
      if (before > 0 && before + amount > max) return false;
      used.set(caller, before + amount);
      return true;
    },
  };
};

/**
 * Rate-limits an expensive computation: beyond the limit the last result is returned, so a hundred requests per
 * second cost no more than one.
 * @param perSecond sustained rate.
 * @param atOnce burst after idle time.
 */
export const throttled = <T>(
  make: () => Promise<T>,
  perSecond: number,
  atOnce = perSecond,
  steadyMs: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let left = atOnce;
  let countedMs = steadyMs();
  let last: Promise<T> | undefined;
  let inFlight: Promise<T> | undefined;
  return () => {
    // Concurrent requests share the computation in flight.
    if (inFlight !== undefined) return inFlight;
    const now = steadyMs();
    left = Math.min(atOnce, left + ((now - countedMs) / 1_000) * perSecond);
    countedMs = now;
    if (left < 1 && last !== undefined) return last;
    left = Math.max(0, left - 1);
    const making = make().finally(() => {
      inFlight = undefined;
    });
    inFlight = making;
    last = making;
    // A failure is returned to current requests and not cached.
    making.catch(() => {
      if (last === making) last = undefined;
    });
    return making;
  };
};

const WINDOW_MS = 1_000;
const MAX_ADDRESSES = 50_000;
