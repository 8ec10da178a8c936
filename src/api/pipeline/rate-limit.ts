import { callerOf } from '../../kernel/cidr.ts';

/** Limits what an address gets per second of resources that need no key. */
export interface RateLimit {
  /**
   * Takes an amount from an address's allowance; false if it is exceeded. An amount larger than the allowance
   * passes once.
   */
  take(address: string, amount: number): boolean;
}

const WINDOW_MS = 1_000;
const MAX_ADDRESSES = 50_000;

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
