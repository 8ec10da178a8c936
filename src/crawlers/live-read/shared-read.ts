import { ServiceError } from '../../kernel/errors.ts';
import { timedOutError } from './error-mapping.ts';
import { type LiveCall, wasLimited } from './live-queue.ts';

/** Reads in progress, by what they are of, each with the call that began it. */
export type SharedReads<T> = Map<string, { readonly call: LiveCall; readonly read: Promise<T> }>;

/** A read that has this much less time than a caller is joined all the same. */
const TOLERANCE_MS = 5_000;
/** With less time left a read is not begun again. */
const LEAST_MS = 500;

/** The result, unless the caller's deadline passes first. */
const byDeadline = async <T>(read: Promise<T>, leftMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOutError()), Math.max(0, leftMs));
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Whether a read ended because its own time was over. */
const isLate = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.code === 'platform_timeout' || error.code === 'service_unavailable');

/**
 * Joins an equal read in progress, or begins one that others may join. A caller keeps its own deadline and requests: it
 * neither waits longer for a read that has more time, nor fails with one that had less of either.
 */
export const sharedRead = async <T>(
  reads: SharedReads<T>,
  key: string,
  call: LiveCall,
  nowMs: () => number,
  begin: () => Promise<T>,
): Promise<T> => {
  const { untilMs } = call;
  const joined = reads.get(key);
  if (joined !== undefined && joined.call.untilMs >= untilMs - TOLERANCE_MS) {
    try {
      return await byDeadline(joined.read, untilMs - nowMs());
    } catch (error) {
      const endedWithItsTime = isLate(error) && joined.call.untilMs < untilMs;
      const endedWithItsRequests = wasLimited(joined.call) && !wasLimited(call);
      if (!(endedWithItsTime || endedWithItsRequests) || untilMs - nowMs() < LEAST_MS) throw error;
    }
  }
  const read = begin();
  const entry = { call, read };
  reads.set(key, entry);
  try {
    return await read;
  } finally {
    if (reads.get(key) === entry) reads.delete(key);
  }
};
