import { setTimeout as sleep } from 'node:timers/promises';
import type { LogAvailability } from '../../write/log/availability.ts';
import { LogUnavailableError } from '../../write/log/port.ts';

/** Between tries of what failed although the log counts as back. */
const AGAIN_MS = 200;

/**
 * Does work that appends, again and again while the event log does not answer: what was read of a platform is held until
 * it is kept. The work has to be one that changes nothing the second time.
 * @throws {LogUnavailableError} where the signal fires first; whatever else the work throws, at once.
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
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
};
