import type { LogAvailability } from '../../src/write/log/availability.ts';

/** Availability of a log that is never unavailable, such as one in memory. */
export const alwaysAvailable: LogAvailability = {
  isUnavailable: () => false,
  answers: async () => true,
  failed: () => undefined,
  untilBack: async () => undefined,
  close: () => undefined,
};
