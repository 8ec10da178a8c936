import type { Lease } from '../../src/crawlers/frontier.ts';
import type { Recruiter } from '../../src/crawlers/recruiter.ts';

/** The lease of a new account of X that the pool `seed-x` has. */
export const leaseOf = (handle: string, untilMs: number): Lease => ({
  platform: 'x',
  handle,
  pool: 'seed-x',
  reader: 'seed-x',
  charged: 1,
  depth: 0,
  isNew: true,
  candidate: null,
  failures: 0,
  untilMs,
});

/** Recruits nobody. */
export const idleRecruiter: Recruiter = {
  name: async () => undefined,
  found: async () => false,
  settle: async () => false,
  missed: async () => undefined,
  take: async () => ({ recruited: 0, refused: new Set() }),
};
