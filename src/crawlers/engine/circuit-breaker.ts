import { backoffMs } from '../../kernel/retry.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';

/** Circuit breaker: stops an engine from calling a platform that keeps failing. Pure: callers pass the time. */
export interface CircuitBreaker {
  /** Milliseconds until the next request is allowed; 0 if it is allowed already. */
  waitMs(nowMs: number): number;
  succeeded(): void;
  /** @returns true if this failure opened the breaker. */
  failed(nowMs: number, retryAfterMs: number | null, limited: boolean): boolean;
  isOpen(): boolean;
  /** Ends the pause: one reading at a time is tried. */
  endPause(): void;
  /** Opens the breaker until a time, because another process opened its own. It closes as usual. */
  hold(untilMs: number): void;
}

/**
 * Opens after consecutive failures, for a pause that doubles each time. After the pause it is half open: one
 * reading at a time is tried until one succeeds and closes it.
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
      // Failures of readings that were in flight when it opened don't count again.
      if (nowMs < openUntilMs) return false;
      const pause = backoffMs({ firstMs: firstPauseMs, maxMs: maxPauseMs }, openings);
      openUntilMs = nowMs + Math.max(Math.min(retryAfterMs ?? 0, MAX_WAIT_MS), pause);
      openings += 1;
      return openings === 1;
    },
    isOpen: () => openings > 0,
    endPause: () => {
      openUntilMs = 0;
    },
    hold: (untilMs) => {
      openUntilMs = Math.max(openUntilMs, untilMs);
      openings = Math.max(openings, 1);
    },
  };
};

interface CircuitBreakerOptions {
  /** Consecutive failures that open it; being rate limited opens it at once. */
  readonly threshold: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}
