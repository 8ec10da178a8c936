import { inTransaction } from '../../kernel/postgres/pool.ts';
import { pause } from '../../kernel/retry.ts';
import { checkpointOf } from '../checkpoints/checkpoint-store.ts';
import { checkpointsOf, maxPosition } from '../checkpoints/checkpoints.ts';
import { openParking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { dropLeftovers, withBuildLock } from './build-lock.ts';
import { activateBuild, type Build, dropBuild, retireActive } from './builds.ts';
import { buildShadow, catchUpOneByOne, type ShadowBuildOptions } from './shadow-build.ts';

export interface RebuildOptions extends ShadowBuildOptions {
  /** How long the replaced build is kept for readers that still use it. */
  readonly graceMs?: number;
}

const GRACE_MS = 3_000;

/**
 * Activates a build in one transaction. The previous build accepts no writes meanwhile and the new one has caught
 * up with it, so readers never see an older state.
 * @returns whether a previous build was replaced.
 */
const switchTo = async (projection: Projection, build: Build, options: RebuildOptions): Promise<boolean> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  // Catch up once more before blocking the writer, so that little is left for the locked phase.
  await catchUpOneByOne(projection, build.schema, parking, {}, withoutProgress(options));
  return inTransaction(db, async (client) => {
    const before = await retireActive(client, build);
    if (before !== null) {
      const to = maxPosition(await checkpointsOf(client, before));
      await parking.reload();
      if ((await checkpointOf(db, build.schema)) < to) {
        await catchUpOneByOne(projection, build.schema, parking, { to }, withoutProgress(options));
      }
    }
    await activateBuild(client, build);
    return before !== null;
  });
};

const withoutProgress = (options: RebuildOptions): RebuildOptions => ({
  ...options,
  onProgress: () => undefined,
});

/**
 * Rebuilds a projection from the log and switches to the new build. Readers and the writer of the present build are
 * not interrupted; a rebuild that fails or is stopped is dropped.
 * @returns the new active build.
 * @throws {OperatorError} if another build of the projection is in progress.
 */
export const rebuild = (projection: Projection, options: RebuildOptions): Promise<Build> =>
  withBuildLock(options.db, projection, async () => {
    const { db, signal, logger } = options;
    await dropLeftovers(db, projection);
    const build = await buildShadow(projection, {}, options);
    let replaced: boolean;
    try {
      replaced = await switchTo(projection, build, options);
    } catch (error) {
      await dropBuild(db, build.schema);
      throw error;
    }
    logger.info({ projection: projection.name, build: build.schema }, 'projection rebuilt');
    if (replaced) {
      await pause(options.graceMs ?? GRACE_MS, signal);
      await dropLeftovers(db, projection);
    }
    return { ...build, status: 'active' };
  });
