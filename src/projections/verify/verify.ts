import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { type Db, inTransaction } from '../../kernel/postgres/pool.ts';
import { withReadSnapshot } from '../../kernel/postgres/read-snapshot.ts';
import type { EventPage, RecordedEvent } from '../../write/log/port.ts';
import { dropLeftovers, withBuildLock } from '../builds/build-lock.ts';
import { activeBuild, type Build, createBuild, dropBuild, tablesOf } from '../builds/builds.ts';
import { openBuilder } from '../builds/bulk-builder.ts';
import { eachPage, type ShadowBuildOptions } from '../builds/shadow-build.ts';
import { retriedAt } from '../dead-letters/late-retries.ts';
import { type ParkedStreams, parkedStreams } from '../dead-letters/parked-rows.ts';
import { openParking } from '../dead-letters/parking.ts';
import { isRetry } from '../dead-letters/plan.ts';
import { type Checkpoints, checkpointsOf, isIn, maxPosition, minPosition } from '../engine/checkpoints.ts';
import type { Projection } from '../projection.ts';
import { type CompareOptions, type Comparison, compareBuilds } from './compare-builds.ts';

export type VerifyOptions = ShadowBuildOptions & CompareOptions;

export interface Verification extends Comparison {
  readonly live: Build;
  /** Where the live build stood. */
  readonly checkpoints: Checkpoints;
}

const only = (page: EventPage, isWanted: (event: RecordedEvent) => boolean): EventPage => ({
  events: page.events.filter(isWanted),
  endPosition: page.endPosition,
});

const isSame = (a: ParkedStreams, b: ParkedStreams): boolean =>
  a.size === b.size && [...a].every(([stream, row]) => b.get(stream)?.eventId === row.eventId);

/** Whether an event's effect is in the rows of a build; a retry is one of the stream that it retries. */
const effectIsIn = (checkpoints: Checkpoints) => (event: RecordedEvent) =>
  isRetry(event)
    ? isIn({ stream: (event.data as { stream: string }).stream, position: event.position }, checkpoints)
    : isIn(event, checkpoints);

/** The live build, or a refusal where this version has none. */
const liveBuild = async (db: Db, { name, version }: Projection): Promise<Build> => {
  const live = await activeBuild(db, name, version);
  if (live === null)
    throw new OperatorError('build_missing', `${name} has no build of version ${version} yet.`);
  return live;
};

/** One try; null where an event was skipped or a stream parked or retried meanwhile, which the live build may have done and the other not. */
const tryVerify = async (
  projection: Projection,
  live: Build,
  aside: Build,
  options: VerifyOptions,
): Promise<Verification | null> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  const begun = parking.control();
  const before = await checkpointsOf(db, live.schema);
  const lacking = await parkedStreams(db, live.schema);
  // Of a partition that Kafka's workers keep, a retry is applied a little after its position was passed.
  const isPutOff = (stream: string, at: bigint) => {
    const row = lacking.get(stream);
    const retried = row === undefined ? null : retriedAt(begun, row);
    return retried !== null && at >= retried;
  };
  const builder = await openBuilder(db, projection, aside.schema, { log, parking, isPutOff });
  const isIn = effectIsIn(before);
  try {
    // Most of it before the snapshot is taken, which keeps the server from clearing rows that were replaced.
    const first = { after: 0n, to: maxPosition(before) };
    const writeFirst = (page: EventPage) => builder.write(only(page, isIn));
    await eachPage(projection, parking, first, options, writeFirst, builder.isParked);
    return await withReadSnapshot(db, async (snapshot) => {
      const checkpoints = await checkpointsOf(snapshot, live.schema);
      const rest = { after: minPosition(before), to: maxPosition(checkpoints) };
      const isInNow = effectIsIn(checkpoints);
      const writeRest = (page: EventPage) =>
        builder.write(only(page, (event) => !isIn(event) && isInNow(event)));
      const quiet = { ...options, onProgress: () => undefined };
      await eachPage(projection, parking, rest, quiet, writeRest, builder.isParked);
      await builder.finish();
      await db.query(`analyze ${(await tablesOf(db, aside.schema)).join(', ')}`);
      const now = await parking.reload();
      if (now.revision !== begun.revision || !isSame(lacking, await parkedStreams(snapshot, live.schema))) {
        return null;
      }
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
 * @throws {OperatorError} where another build of the projection is being made.
 */
export const verify = (projection: Projection, options: VerifyOptions): Promise<Verification> =>
  withBuildLock(options.db, projection, async () => {
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
