/** Exponential backoff: delays before the first, second … retry, in milliseconds; the last one repeats. */
const FAST_MS = [100, 250, 500, 1_000, 2_000] as const;
const SLOW_MS = [200, 500, 1_000, 2_000, 5_000] as const;

const at = (delays: readonly number[], failures: number): number =>
  delays[Math.min(Math.max(0, failures), delays.length - 1)] as number;

/** Milliseconds before a failed read of the log is retried, by the number of consecutive failures before it. */
export const readBackoffMs = (failures: number): number => at(FAST_MS, failures);

/** Milliseconds before a component (a projection, a relay, a consumer) restarts. */
export const restartBackoffMs = (failures: number): number => at(SLOW_MS, failures);
