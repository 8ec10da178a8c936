import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../kernel/postgres/pool.ts';
import { type AsideOptions, makeAside } from './aside.ts';
import { activateBuild, type Build, dropBuild } from './builds.ts';
import { dropLeftovers, exclusively } from './exclusive.ts';
import type { Projection } from './projection.ts';

export interface RebuildOptions extends AsideOptions {
  /** How long a replaced build stays for readers that have not heard of the new one. */
  readonly graceMs?: number;
}

const GRACE_MS = 3_000;

/**
 * Makes a new build of a projection from the log and switches to it. While it is built, readers and the writer of
 * the present build go on; where it fails or is stopped, it leaves nothing behind.
 * @returns the build that is active now.
 * @throws {UsageError} where another build of the projection is being made.
 */
export const rebuild = (projection: Projection, options: RebuildOptions): Promise<Build> =>
  exclusively(options.db, projection, async () => {
    const { db, signal, logger } = options;
    await dropLeftovers(db, projection);
    const build = await makeAside(projection, {}, options);
    let replaced: boolean;
    try {
      replaced = await inTransaction(db, (client) => activateBuild(client, build));
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
