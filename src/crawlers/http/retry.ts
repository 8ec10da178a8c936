import type { Random } from '../../kernel/random.ts';

const BASE_MS = 200;
const CAP_MS = 2_000;

/** Longest wait that a platform may ask for and get within one fetch; longer ones are the scheduler's business. */
export const SHORT_WAIT_MS = 2_000;

/** Full jitter: anything up to a doubling cap, so that clients that failed together don't come back together. */
export const backoffMs = (attempt: number, random: Random): number =>
  Math.floor(random.next() * Math.min(CAP_MS, BASE_MS * 2 ** attempt));

/** What `Retry-After` asks for in milliseconds, from seconds or from a date; null where it is not there. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | null => {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
};
