import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { pause } from '../../kernel/retry.ts';
import { activeBuild } from '../builds/builds.ts';
import { checkpointOf } from '../checkpoints/checkpoint-store.ts';
import type { Projection } from '../projection.ts';
import { levelOf } from '../stalls/report-stall.ts';
import { clearStalls } from '../stalls/stalls.ts';

const CHECK_MS = 1_000;

export interface ActiveBuild {
  readonly projection: Projection;
  readonly schema: string;
  readonly db: Db;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Clears the stalls that the build is past: of earlier attempts, of other processes, of partitions that it had. */
export const clearPassedStalls = async ({ projection, schema, db, logger }: ActiveBuild): Promise<void> => {
  const cleared = await clearStalls(db, projection, await checkpointOf(db, schema));
  if (cleared.length > 0) {
    logger.info({ projection: projection.name, partitions: cleared }, 'projection resumed');
  }
};

/**
 * Maintains a build as long as it is the active one: checked once a second, beside the work.
 * @param isUsable whether the work may continue; called with every check.
 * @param work is given a signal that fires once the build is replaced or no longer usable.
 */
export const whileActive = async <T>(
  build: ActiveBuild,
  isUsable: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { projection, schema, db, logger } = build;
  const over = new AbortController();
  const signal = AbortSignal.any([build.signal, over.signal]);
  const check = async (): Promise<void> => {
    const active = await activeBuild(db, projection.name, projection.version);
    if (active?.schema !== schema || !(await isUsable())) return over.abort();
    await clearPassedStalls(build);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await pause(CHECK_MS, signal);
      if (signal.aborted) return;
      await check().catch((error) =>
        logger[levelOf(error, 'warn')]({ err: errorMessage(error) }, 'periodic checks of the build failed'),
      );
    }
  };
  const watching = watch();
  try {
    return await work(signal);
  } finally {
    over.abort();
    await watching;
  }
};
