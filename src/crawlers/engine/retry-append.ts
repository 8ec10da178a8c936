import { pause } from '../../kernel/retry.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import { LogUnavailableError } from '../../write/log/port.ts';

/**
 * Retries work that appends while the event log is unavailable, so that a reading is not lost. The work must be
 * idempotent.
 * @throws {LogUnavailableError} if the signal fires first; other errors of the work at once.
 */
export const retryAppend = async <T>(
  availability: Pick<LogAvailability, 'untilBack'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogUnavailableError) || signal.aborted) throw error;
      await availability.untilBack(signal);
      await pause(AGAIN_MS, signal);
    }
  }
};

/** Delay between retries although the log counts as available. */
const AGAIN_MS = 200;
