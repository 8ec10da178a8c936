import { setTimeout as sleep } from 'node:timers/promises';
import { lagOf } from '../../projections/engine/lag.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import { listings } from '../../projections/views/listings/projection.ts';
import type { OperationsContext } from '../context.ts';

/** The read model of listings beside other work. */
export interface FollowedListings {
  /** Waits until the read model has all that the log holds. @returns its schema; null if it is stalled. */
  caughtUp(): Promise<string | null>;
}

const LOOK_MS = 50;

/**
 * Runs work while the read model of listings follows the log: decisions take states of listings from it. The process
 * that gets the lease maintains it, a running service or this one; with Kafka, only the consumers do.
 */
export const withListings = async <Result>(
  context: OperationsContext,
  signal: AbortSignal,
  work: (followed: FollowedListings) => Promise<Result>,
): Promise<Result> => {
  const { db, log } = context;
  const stop = new AbortController();
  const running =
    context.config.KAFKA_BROKERS === undefined
      ? runProjection(listings, {
          ...context,
          db: context.asyncCommitDb,
          connectionString: context.url,
          signal: stop.signal,
        })
      : Promise.resolve();
  try {
    return await work({
      caughtUp: async () => {
        for (;;) {
          const [lag] = await lagOf(db, log, [listings]);
          if (lag?.build != null && lag.oldestUnprocessedAt === null) return lag.build.schema;
          if ((lag?.stalls.length ?? 0) > 0) return null;
          await sleep(LOOK_MS, undefined, { signal });
        }
      },
    });
  } finally {
    stop.abort();
    await running;
  }
};
