import { MAX_WAIT_MS } from '../http/retry.ts';

/** Stops an engine from knocking at a door that stays shut. Pure: time is passed in. */
export interface CircuitBreaker {
  /** Milliseconds until the next request may go out; 0 for now. */
  waitMs(nowMs: number): number;
  succeeded(): void;
  /** @returns true where this failure opened the breaker. */
  failed(nowMs: number, retryAfterMs: number | null, limited: boolean): boolean;
  isOpen(): boolean;
  /** Somebody else's breaker is open until then: this one is too, and closes like one that opened by itself. */
  hold(untilMs: number): void;
}

export interface CircuitBreakerOptions {
  /** Failures in a row that open it; a platform that says it limits us opens it at once. */
  readonly threshold: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

/**
 * Opens after failures in a row, for a pause that doubles with every opening; after it, one reading is tried at a
 * time until one succeeds, which closes it.
 */
export const createCircuitBreaker = ({
  threshold,
  firstPauseMs,
  maxPauseMs,
}: CircuitBreakerOptions): CircuitBreaker => {
  let failures = 0;
  let openings = 0;
  let openUntilMs = 0;
  return {
    waitMs: (nowMs) => Math.max(0, openUntilMs - nowMs),
    succeeded: () => {
      failures = 0;
      openings = 0;
      openUntilMs = 0;
    },
    failed: (nowMs, retryAfterMs, limited) => {
      failures += 1;
      if (!limited && failures < threshold) return false;
      // Failures of readings that were under way when it opened are the same trouble, not more of it.
      if (nowMs < openUntilMs) return false;
      const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** openings);
      openUntilMs = nowMs + Math.max(Math.min(retryAfterMs ?? 0, MAX_WAIT_MS), pause);
      openings += 1;
      return openings === 1;
    },
    isOpen: () => openings > 0,
    hold: (untilMs) => {
      openUntilMs = Math.max(openUntilMs, untilMs);
      openings = Math.max(openings, 1);
    },
  };
};
