import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { checkpointOf } from '../../projections/engine/checkpoint-store.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';

const WAIT_MS = 30_000;

const positionOf = async (runtime: Runtime): Promise<bigint> => {
  const build = await activeBuild(runtime.db, holders.name, holders.version);
  return build === null ? -1n : checkpointOf(runtime.db, build.schema);
};

/**
 * Waits until the holders' read model has come to a position: what a command changed holds when it returns. The
 * running service does the work, or this process where none runs: whoever gets the lease.
 */
export const waitForProjections = async (runtime: Runtime, position: bigint): Promise<void> => {
  if ((await positionOf(runtime)) >= position) return;
  const stop = new AbortController();
  const running = runProjection(holders, {
    ...runtime,
    db: runtime.scratch,
    connectionString: runtime.url,
    signal: stop.signal,
  });
  try {
    const until = Date.now() + WAIT_MS;
    while ((await positionOf(runtime)) < position) {
      if (Date.now() > until)
        throw new OperatorError(
          'The change is in the log, but the read model does not follow: see `sightline projections list`.',
        );
      await sleep(10);
    }
  } finally {
    stop.abort();
    await running;
  }
};
