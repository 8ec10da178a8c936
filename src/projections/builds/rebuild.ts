import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { openParking } from '../dead-letters/parking.ts';
import { checkpointOf } from '../engine/checkpoint-store.ts';
import { checkpointsOf, maxPosition } from '../engine/checkpoints.ts';
import type { Projection } from '../projection.ts';
import { dropLeftovers, withBuildLock } from './build-lock.ts';
import { activateBuild, type Build, dropBuild, retireActive } from './builds.ts';
import { buildShadow, catchUpOneByOne, type ShadowBuildOptions } from './shadow-build.ts';

export interface RebuildOptions extends ShadowBuildOptions {
  /** How long a replaced build stays for readers that have not heard of the new one. */
  readonly graceMs?: number;
}

const GRACE_MS = 3_000;

/**
 * Makes a build the active one, in one transaction. Its readers never go back: the one before it stands still until then,
 * and the new one has all that it has.
 * @returns whether there was one before.
 */
const switchTo = async (projection: Projection, build: Build, options: RebuildOptions): Promise<boolean> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  // Once more without keeping the writer waiting: what is left then is little.
  await catchUpOneByOne(projection, build.schema, parking, {}, quiet(options));
  return inTransaction(db, async (client) => {
    const before = await retireActive(client, build);
    if (before !== null) {
      const to = maxPosition(await checkpointsOf(client, before));
      await parking.reload();
      if ((await checkpointOf(db, build.schema)) < to) {
        await catchUpOneByOne(projection, build.schema, parking, { to }, quiet(options));
      }
    }
    await activateBuild(client, build);
    return before !== null;
  });
};

const quiet = (options: RebuildOptions): RebuildOptions => ({ ...options, onProgress: () => undefined });

/**
 * Makes a new build of a projection from the log and switches to it. While it is built, readers and the writer of
 * the present build go on; where it fails or is stopped, it leaves nothing behind.
 * @returns the build that is active now.
 * @throws {OperatorError} where another build of the projection is being made.
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
    logger.info({ projection: projection.name, build: build.schema }, 'the projection was rebuilt');
    if (replaced) {
      await sleep(options.graceMs ?? GRACE_MS, undefined, { signal }).catch(() => undefined);
      await dropLeftovers(db, projection);
    }
    return { ...build, status: 'active' };
  });
