import { callerOf } from '../../kernel/cidr.ts';

/** Bounds what an address may have in a second of what needs no key. */
export interface RateLimit {
  /** Takes so much of an address's second; false where there is not so much left. What is larger than a second's is let through once. */
  take(address: string, amount: number): boolean;
}

const WINDOW_MS = 1_000;
const MAX_ADDRESSES = 50_000;

/** @param most that an address may take in a second. */
export const createRateLimit = (max: number, steadyMs: () => number = () => performance.now()): RateLimit => {
  /** What each address took in the running second; forgotten all at once when it is over. */
  let taken = new Map<string, number>();
  let since = steadyMs();
  return {
    take: (address, amount) => {
      const now = steadyMs();
      if (now - since >= WINDOW_MS || taken.size >= MAX_ADDRESSES) {
        taken = new Map();
        since = now;
      }
      const caller = callerOf(address);
      const before = taken.get(caller) ?? 0;
      if (before > 0 && before + amount > max) return false;
      taken.set(caller, before + amount);
      return true;
    },
  };
};
