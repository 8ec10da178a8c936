import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../kernel/errors.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import type { Projection } from '../../projections/projection.ts';
import type { OperationsContext } from '../context.ts';

/**
 * Schema of the active build of a read model.
 * @throws {OperatorError} `read_model_behind` while the first build is still being made.
 */
export const activeSchema = async (
  db: Queryable,
  { name, version }: Pick<Projection, 'name' | 'version'>,
): Promise<string> => {
  const build = await activeBuild(db, name, version);
  if (build !== null) return build.schema;
  throw new OperatorError(
    'read_model_behind',
    `The read model ${name} is still being built: try again later.`,
  );
};

/**
 * Schema of a read model that has processed the whole log, as it is now.
 * @throws {OperatorError} `read_model_behind` if it does not catch up in time.
 */
export const currentSchema = async (context: OperationsContext, projection: Projection): Promise<string> => {
  await waitForProjection(context, projection, await context.log.head());
  return activeSchema(context.db, projection);
};

/**
 * Waits until a read model has processed a position, so that a command's change is visible when the command returns. The
 * process that gets the lease does the work: a running service, or this one.
 * @throws {OperatorError} `read_model_behind` after half a minute.
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
