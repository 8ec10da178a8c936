import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import type { Lease } from '../../kernel/postgres/lease.ts';
import type { Projection } from '../projection.ts';

type Versioned = Pick<Projection, 'name' | 'version'>;

/**
 * Lease of the writers of a version: exclusive to the writer of a projection that is not shared; held together by the
 * processes that share one, which divide its parts.
 */
export const leaseOf = ({ name, version }: Versioned): Lease => ({
  kind: ADVISORY_LOCKS.PROJECTION_LEASE,
  name: `${name} ${version}`,
});

/** Lease of the process that creates a version's first build, or divides one into other partitions. */
export const preparationLeaseOf = ({ name, version }: Versioned): Lease => ({
  kind: ADVISORY_LOCKS.PROJECTION_LEASE,
  name: `${name} ${version} preparation`,
});
