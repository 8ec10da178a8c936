import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { checkpointOf } from '../../projections/checkpoints/checkpoint-store.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import type { Projection } from '../../projections/projection.ts';
import type { OperationsContext } from '../context.ts';

/**
 * Waits until a read model of one writer has processed a position, so that a command's change is visible when it returns.
 * The process that gets the lease does the work: a running service, or this one.
 */
export const waitForProjection = async (
  context: OperationsContext,
  projection: Projection,
  position: bigint,
): Promise<void> => {
  if ((await positionOf(context, projection)) >= position) return;
  const stop = new AbortController();
  const running = runProjection(projection, {
    ...context,
    db: context.asyncCommitDb,
    connectionString: context.url,
    signal: stop.signal,
  });
  try {
    const until = steadyMs() + WAIT_MS;
    while ((await positionOf(context, projection)) < position) {
      if (steadyMs() > until)
        throw new OperatorError(
          'read_model_behind',
          'The change is in the event log, but the read model does not follow.',
        );
      await sleep(10);
    }
  } finally {
    stop.abort();
    await running;
  }
};

const WAIT_MS = 30_000;

const positionOf = async (
  context: OperationsContext,
  { name, version }: Pick<Projection, 'name' | 'version'>,
): Promise<bigint> => {
  const build = await activeBuild(context.db, name, version);
  return build === null ? -1n : checkpointOf(context.db, build.schema);
};
