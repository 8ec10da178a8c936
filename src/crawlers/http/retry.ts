import type { Backoff } from '../../kernel/retry.ts';

/** Maximum wait within one fetch; longer ones are left to the scheduler. */
export const MAX_FETCH_WAIT_MS = 2_000;

export const FETCH_BACKOFF: Backoff = { firstMs: 200, maxMs: MAX_FETCH_WAIT_MS };

/** Maximum wait that any response can impose. */
export const MAX_WAIT_MS = 86_400_000;

/**
 * Wait of `Retry-After` in milliseconds, one day at most, from seconds or a date; null if absent or malformed.
 * @param nowMs null if the time of the response is unknown: dates are ignored then.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number | null): number | null => {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return cappedWaitMs(Number(text) * 1000);
  if (nowMs === null || !HTTP_DATE.test(text)) return null;
  // The third form has no zone and means UTC.
  return cappedWaitMs(Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - nowMs);
};

/**
 * Wait of `X-Rate-Limit-Reset` and `RateLimit-Reset` in milliseconds, one day at most: small numbers are seconds
 * from now, large ones seconds since 1970. Null if absent, malformed, or the time is unknown.
 */
export const resetAfterMs = (header: string | undefined, nowMs: number | null): number | null => {
  const text = header?.trim() ?? '';
  if (!SECONDS.test(text)) return null;
  const reset = Number(text);
  if (reset < 1e9) return cappedWaitMs(reset * 1000);
  return nowMs === null ? null : cappedWaitMs(reset * 1000 - nowMs);
};

/** Clamps a wait to [0, one day]; null for NaN. */
const cappedWaitMs = (ms: number): number | null =>
  Number.isNaN(ms) ? null : Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms)));

const SECONDS = /^\d+(?:\.\d*)?$/;

// The three date forms of RFC 9110, 5.6.7. The date parser accepts much more, as "-5".
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;
