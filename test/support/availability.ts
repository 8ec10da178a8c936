import type { LogAvailability } from '../../src/write/log/availability.ts';

/** Of a log that is never away, as one in memory. */
export const alwaysAvailable: LogAvailability = {
  isUnavailable: () => false,
  answers: async () => true,
  failed: () => undefined,
  untilBack: async () => undefined,
  close: () => undefined,
};
