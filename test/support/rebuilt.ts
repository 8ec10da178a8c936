import { expect } from 'vitest';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { createBuild, dropBuild, listBuilds, withBuildLock } from '../../src/projections/builds/builds.ts';
import type { Projection } from '../../src/projections/projection.ts';
import { openWriter } from '../../src/projections/writer.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { differences, sizes } from './compare.ts';
import { until } from './wait.ts';

/** Waits until the live builds have all that the log holds. */
export const allFollowed = async (
  db: Db,
  log: EventLog,
  projections: readonly Projection[],
): Promise<void> => {
  const head = await log.head();
  await until('the read models have followed', async () => {
    const active = (await listBuilds(db)).filter(({ status }) => status === 'active');
    return projections.every(({ name }) =>
      active.some(({ projection, position }) => projection === name && position >= head),
    );
  });
};

/** Rebuilds from the whole log, page by page, and expects rows that equal the live ones and are not empty. */
export const expectAsRebuilt = async (
  db: Db,
  log: EventLog,
  projections: readonly Projection[],
): Promise<void> => {
  const builds = await listBuilds(db);
  for (const projection of projections) {
    const live = builds.find((build) => build.projection === projection.name && build.status === 'active');
    // Without the lock, a process that takes over work drops the build as abandoned.
    await withBuildLock(db, projection, async () => {
      const { schema } = await createBuild(db, projection, 'building');
      const writer = await openWriter(db, projection, schema);
      for await (const page of log.readAll(0n, { types: projection.types })) await writer.write(page);
      expect(await differences(db, live?.schema ?? '', schema), projection.name).toEqual([]);
      // Not every run reports, or reads follower lists, companies or a marketplace.
      const mayBeEmpty = [
        'engines',
        'follows',
        'ladders',
        'leads',
        'listings',
        'pool_stats',
        'research',
      ].includes(projection.name);
      const hasRows = Object.values(await sizes(db, live?.schema ?? '')).some((n) => n > 0);
      expect(hasRows || mayBeEmpty, projection.name).toBe(true);
      await dropBuild(db, schema);
    });
  }
};
