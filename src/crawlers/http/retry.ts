import type { Random } from '../../kernel/random.ts';

const BASE_MS = 200;
const CAP_MS = 2_000;

/** Longest wait that a platform may ask for and get within one fetch; longer ones are the scheduler's business. */
export const MIN_WAIT_MS = 2_000;

/** Longest wait that anything an answer says may impose, in whatever form it says it. */
export const MAX_WAIT_MS = 86_400_000;

/** Full jitter: anything up to a doubling cap, so that clients that failed together don't come back together. */
export const backoffMs = (attempt: number, random: Random): number =>
  Math.floor(random.next() * Math.min(CAP_MS, BASE_MS * 2 ** attempt));

/** A wait within [0, a day]; null for what is no number. */
const cappedWaitMs = (ms: number): number | null =>
  Number.isNaN(ms) ? null : Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms)));

const SECONDS = /^\d+(?:\.\d*)?$/;

// The three forms of RFC 9110, 5.6.7. The date parser takes much more than these for a date, "-5" among it.
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * What `Retry-After` asks for in milliseconds, a day at the most, from seconds or from a date; null where it is not
 * there or is neither.
 * @param nowMs null where the time of the answer is not known: a date tells nothing then.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number | null): number | null => {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return cappedWaitMs(Number(text) * 1000);
  if (nowMs === null || !HTTP_DATE.test(text)) return null;
  // The third form has no zone and means UTC.
  return cappedWaitMs(Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - nowMs);
};

/**
 * What `X-Rate-Limit-Reset` and `RateLimit-Reset` ask for: a small figure is seconds from now, a large one seconds
 * since 1970. In milliseconds, a day at the most; null where it is not there, malformed, or the time is not known.
 */
export const resetAfterMs = (header: string | undefined, nowMs: number | null): number | null => {
  const text = header?.trim() ?? '';
  if (!SECONDS.test(text)) return null;
  const reset = Number(text);
  if (reset < 1e9) return cappedWaitMs(reset * 1000);
  return nowMs === null ? null : cappedWaitMs(reset * 1000 - nowMs);
};
