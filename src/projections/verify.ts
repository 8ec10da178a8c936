import { UsageError } from '../kernel/errors.ts';
import { type Db, inTransaction } from '../kernel/postgres/pool.ts';
import { inSnapshot } from '../kernel/postgres/snapshot.ts';
import type { EventPage, RecordedEvent } from '../write/log/port.ts';
import { type AsideOptions, eachPage } from './aside.ts';
import { openBuilder } from './builder.ts';
import { activeBuild, type Build, createBuild, dropBuild, tablesOf } from './builds.ts';
import { type CompareOptions, type Comparison, compareBuilds } from './compare.ts';
import { dropLeftovers, exclusively } from './exclusive.ts';
import { type Checkpoints, checkpointsOf, isIn, leastOf, mostOf } from './places.ts';
import type { Projection } from './projection.ts';
import { haveGrown, loadSkips } from './skips.ts';

export type VerifyOptions = AsideOptions & CompareOptions;

export interface Verification extends Comparison {
  readonly live: Build;
  /** Where the live build stood. */
  readonly checkpoints: Checkpoints;
}

const only = (page: EventPage, isWanted: (event: RecordedEvent) => boolean): EventPage => ({
  events: page.events.filter(isWanted),
  through: page.through,
});

/** The live build, or a refusal where this version has none. */
const liveBuild = async (db: Db, { name, version }: Projection): Promise<Build> => {
  const live = await activeBuild(db, name, version);
  if (live === null) throw new UsageError(`${name} has no build of version ${version} yet.`);
  return live;
};

/** One try; null where an event was skipped meanwhile, which the live build may do without and the other not. */
const tryVerify = async (
  projection: Projection,
  live: Build,
  aside: Build,
  options: VerifyOptions,
): Promise<Verification | null> => {
  const { db, log } = options;
  const skips = await loadSkips(log, projection);
  const before = await checkpointsOf(db, live.schema);
  const builder = await openBuilder(db, projection, aside.schema);
  try {
    // Most of it before the snapshot is taken, which keeps the server from clearing rows that were replaced.
    await eachPage(projection, skips, { after: 0n, to: mostOf(before) }, options, (page) =>
      builder.write(only(page, (event) => isIn(event, before))),
    );
    return await inSnapshot(db, async (snapshot) => {
      const checkpoints = await checkpointsOf(snapshot, live.schema);
      const rest = { after: leastOf(before), to: mostOf(checkpoints) };
      await eachPage(projection, skips, rest, { ...options, onProgress: () => undefined }, (page) =>
        builder.write(only(page, (event) => !isIn(event, before) && isIn(event, checkpoints))),
      );
      await builder.finish();
      await db.query(`analyze ${(await tablesOf(db, aside.schema)).join(', ')}`);
      if (await haveGrown(log, projection, skips)) return null;
      const found = await inTransaction(db, (client) =>
        compareBuilds({ db: snapshot, schema: live.schema }, { db: client, schema: aside.schema }, options),
      );
      return { ...found, live, checkpoints };
    });
  } finally {
    await builder.idle();
  }
};

/**
 * Builds a projection aside, as far as the live build has come, and compares the two row by row, while events flow.
 * The build aside is dropped, whatever came of it.
 * @throws {UsageError} where another build of the projection is being made.
 */
export const verify = (projection: Projection, options: VerifyOptions): Promise<Verification> =>
  exclusively(options.db, projection, async () => {
    const { db, signal } = options;
    const live = await liveBuild(db, projection);
    await dropLeftovers(db, projection);
    for (;;) {
      signal.throwIfAborted();
      const aside = await createBuild(db, projection, 'building');
      try {
        const found = await tryVerify(projection, live, aside, options);
        if (found !== null) return found;
      } finally {
        await dropBuild(db, aside.schema);
      }
    }
  });
