/** Waiting and retrying: backoff, repetition, deadlines. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Exponential backoff in milliseconds: the first delay doubles with each consecutive failure, up to a maximum. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** For a failed read of the log. */
export const READ_BACKOFF: Backoff = { firstMs: 100, maxMs: 2_000 };
/** For a request to the log whose outcome is unknown. */
export const APPEND_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000 };
/** For a component that restarts: a projection, a relay, a consumer. */
export const RESTART_BACKOFF: Backoff = { firstMs: 200, maxMs: 5_000 };

/**
 * The delay in milliseconds.
 * @param failures consecutive failures before this one.
 */
export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures));

/** The delay with full jitter, so that clients that failed together don't retry together. */
export const jitteredBackoffMs = (backoff: Backoff, failures: number, random: Random): number =>
  Math.floor(random.next() * backoffMs(backoff, failures));

/** Waits for a time, or until the signal fires. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
};

/** Milliseconds of a monotonic clock, for durations. Changes of the time of day don't affect it. */
export const steadyMs = (): number => performance.now();

/**
 * Repeats a request until it succeeds.
 * @param giveUp called after each failure, with whether the time is up. If it throws, its error ends the repetition.
 */
export const retryForMs = async <T>(
  forMs: number,
  backoff: Backoff,
  request: () => Promise<T>,
  giveUp: (error: unknown, isLate: boolean) => void,
): Promise<T> => {
  const until = steadyMs() + forMs;
  for (let failures = 0; ; failures++) {
    try {
      return await request();
    } catch (error) {
      giveUp(error, steadyMs() > until);
      await sleep(backoffMs(backoff, failures));
    }
  }
};

/**
 * Runs a component until the signal fires. Whenever the component fails, it is started again after a delay.
 * @param work calls `progressed` once it works, which resets the backoff.
 * @param onFailure called before the delay, which is in milliseconds.
 */
export const keepRunning = async (
  signal: AbortSignal,
  work: (progressed: () => void) => Promise<void>,
  onFailure: (error: unknown, delayMs: number) => unknown,
): Promise<void> => {
  let failures = 0;
  const progressed = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await work(progressed);
    } catch (error) {
      if (signal.aborted) return;
      const delayMs = backoffMs(RESTART_BACKOFF, failures);
      failures += 1;
      await onFailure(error, delayMs);
      await pause(delayMs, signal);
    }
  }
};

/**
 * The result of work that can't be cancelled, unless a time passes first.
 * @param late makes the error of that case. The work continues, and its outcome is dropped.
 */
export const byDeadline = <T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
