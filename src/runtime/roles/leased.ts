import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type Lease, withLease } from '../../kernel/postgres/lease.ts';
import { pause } from '../../kernel/retry.ts';

/** Pause before the next attempt to get a lease. */
const AGAIN_MS = 1_000;

/**
 * Does work in the one process that holds a lease, and waits for the lease again if it is lost, until the signal fires.
 * @param lease.of what the lease is about, for the log.
 */
export const whileLeased = async (
  url: string,
  { of, ...lease }: Lease & { readonly of: string },
  signal: AbortSignal,
  logger: Pick<Logger, 'warn'>,
  work: (leased: AbortSignal) => Promise<void>,
): Promise<void> => {
  while (!signal.aborted) {
    await withLease(url, lease, signal, work).catch((error: unknown) =>
      logger.warn({ err: errorMessage(error) }, `the lease of ${of} was lost; waiting to get it back`),
    );
    await pause(AGAIN_MS, signal);
  }
};
