import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../kernel/errors.ts';
import { activeBuild } from '../../projections/builds.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import { holders } from '../../projections/holders.ts';
import { runProjection } from '../../projections/runner.ts';
import type { Program } from './open.ts';

const WAIT_MS = 30_000;

const positionOf = async (program: Program): Promise<bigint> => {
  const build = await activeBuild(program.db, holders.name, holders.version);
  return build === null ? -1n : checkpointOf(program.db, build.schema);
};

/**
 * Waits until the holders' read model has come to a position: what a command changed holds when it returns. The
 * running service does the work, or this process where none runs: whoever gets the lease.
 */
export const projected = async (program: Program, position: bigint): Promise<void> => {
  if ((await positionOf(program)) >= position) return;
  const stop = new AbortController();
  const running = runProjection(holders, {
    ...program,
    db: program.scratch,
    connectionString: program.url,
    signal: stop.signal,
  });
  try {
    const until = Date.now() + WAIT_MS;
    while ((await positionOf(program)) < position) {
      if (Date.now() > until)
        throw new UsageError(
          'The change is in the log, but the read model does not follow: see `sightline projections list`.',
        );
      await sleep(10);
    }
  } finally {
    stop.abort();
    await running;
  }
};
