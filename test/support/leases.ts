import type { Lease } from '../../src/crawlers/frontier.ts';

/** The lease of a new account of X that the pool `seed-x` has. */
export const leaseOf = (handle: string, untilMs: number): Lease => ({
  platform: 'x',
  handle,
  pool: 'seed-x',
  reader: 'seed-x',
  charged: 1,
  depth: 0,
  isNew: true,
  failures: 0,
  untilMs,
});
