import type { Random } from './random.ts';

/** Exponential backoff in milliseconds: the first delay, doubled with each failure before it, up to a maximum. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Of a failed read of the log. */
export const READ_BACKOFF: Backoff = { firstMs: 100, maxMs: 2_000 };
/** Of a request to the log whose outcome is unknown. */
export const APPEND_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000 };
/** Of a component that restarts: a projection, a relay, a consumer. */
export const RESTART_BACKOFF: Backoff = { firstMs: 200, maxMs: 5_000 };

/** @param failures consecutive failures before this one. */
export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures));

/** The same with full jitter, so that clients that failed together don't retry together. */
export const jitteredBackoffMs = (backoff: Backoff, failures: number, random: Random): number =>
  Math.floor(random.next() * backoffMs(backoff, failures));
