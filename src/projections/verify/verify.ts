import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { type Db, inTransaction } from '../../kernel/postgres/pool.ts';
import { withReadSnapshot } from '../../kernel/postgres/read-snapshot.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import type { EventPage } from '../../write/log/port.ts';
import { dropLeftovers, withBuildLock } from '../builds/build-lock.ts';
import { activeBuild, type Build, createBuild, dropBuild, tablesOf } from '../builds/builds.ts';
import { openBuilder } from '../builds/bulk-builder.ts';
import { eachPage } from '../builds/each-page.ts';
import type { ShadowBuildOptions } from '../builds/shadow-build.ts';
import {
  type Checkpoints,
  checkpointsOf,
  isIn,
  maxPosition,
  minPosition,
} from '../checkpoints/checkpoints.ts';
import { deliveriesOf } from '../checkpoints/partitioning.ts';
import { retriedAt } from '../dead-letters/late-retries.ts';
import { type ParkedStreams, parkedStreams } from '../dead-letters/parked-rows.ts';
import { openParking } from '../dead-letters/parking.ts';
import { isRetry } from '../dead-letters/plan.ts';
import type { AppliedEvent, Projection } from '../projection.ts';
import { type CompareOptions, type Comparison, compareBuilds } from './compare-builds.ts';

export type VerifyOptions = ShadowBuildOptions & CompareOptions;

export interface Verification extends Comparison {
  readonly active: Build;
  /** Checkpoints of the active build. */
  readonly checkpoints: Checkpoints;
}

/** The wanted events of a page, as the writers of the active build apply them. */
const only = (
  page: EventPage,
  checkpoints: Checkpoints,
  isWanted: (event: AppliedEvent) => boolean,
): EventPage => ({
  events: page.events
    .flatMap((event) => (isRetry(event) ? [event] : deliveriesOf(event, checkpoints)))
    .filter(isWanted),
  endPosition: page.endPosition,
});

const isSame = (a: ParkedStreams, b: ParkedStreams): boolean =>
  a.size === b.size && [...a].every(([stream, row]) => b.get(stream)?.eventId === row.eventId);

/** Whether an event is applied in a build; a retry counts as an event of the stream it retries. */
const effectIsIn = (checkpoints: Checkpoints) => (event: AppliedEvent) =>
  isRetry(event)
    ? isIn({ stream: (event.data as { stream: string }).stream, position: event.position }, checkpoints)
    : isIn(event, checkpoints);

/**
 * The active build.
 * @throws {OperatorError} if this version has none.
 */
const requireActiveBuild = async (db: Db, { name, version }: Projection): Promise<Build> => {
  const active = await activeBuild(db, name, version);
  if (active === null)
    throw new OperatorError('build_missing', `${name} has no build of version ${version} yet.`);
  return active;
};

/**
 * One attempt; null if an event was skipped or a stream parked or retried meanwhile, which only one of the builds
 * may have seen.
 */
const tryVerify = async (
  projection: Projection,
  active: Build,
  shadow: Build,
  options: VerifyOptions,
): Promise<Verification | null> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  const begun = parking.control();
  const before = await checkpointsOf(db, active.schema);
  const lacking = await parkedStreams(db, active.schema);
  // Kafka consumers apply a retry a little after its position.
  const isDeferred = (stream: string, at: bigint) => {
    const row = lacking.get(stream);
    const retried = row === undefined ? null : retriedAt(begun, row);
    return retried !== null && at >= retried;
  };
  const builder = await openBuilder(db, projection, shadow.schema, { log, parking, isDeferred });
  const isIn = effectIsIn(before);
  try {
    // Most of the work happens before the snapshot, which keeps the server from vacuuming replaced rows.
    const first = { after: 0n, to: maxPosition(before) };
    const writeFirst = (page: EventPage) => builder.write(only(page, before, isIn));
    await eachPage(projection, parking, first, options, writeFirst, builder.isParked);
    return await withReadSnapshot(db, async (snapshot) => {
      const checkpoints = await checkpointsOf(snapshot, active.schema);
      const rest = { after: minPosition(before), to: maxPosition(checkpoints) };
      const isInNow = effectIsIn(checkpoints);
      const writeRest = (page: EventPage) =>
        builder.write(only(page, checkpoints, (event) => !isIn(event) && isInNow(event)));
      const quiet = { ...options, onProgress: () => undefined };
      await eachPage(projection, parking, rest, quiet, writeRest, builder.isParked);
      await builder.finish();
      await db.query(sql`analyze ${raw((await tablesOf(db, shadow.schema)).join(', '))}`);
      const now = await parking.reload();
      if (now.revision !== begun.revision || !isSame(lacking, await parkedStreams(snapshot, active.schema))) {
        return null;
      }
      const found = await inTransaction(db, (client) =>
        compareBuilds(
          { db: snapshot, schema: active.schema },
          { db: client, schema: shadow.schema },
          options,
        ),
      );
      return { ...found, active, checkpoints };
    });
  } finally {
    await builder.idle();
  }
};

/**
 * Builds a projection a second time, up to the active build's checkpoints, and compares the two row by row while
 * events keep arriving. The second build is always dropped.
 * @throws {OperatorError} if another build of the projection is in progress.
 */
export const verify = (projection: Projection, options: VerifyOptions): Promise<Verification> =>
  withBuildLock(options.db, projection, async () => {
    const { db, signal } = options;
    const active = await requireActiveBuild(db, projection);
    await dropLeftovers(db, projection);
    for (;;) {
      signal.throwIfAborted();
      const shadow = await createBuild(db, projection, 'building');
      try {
        const found = await tryVerify(projection, active, shadow, options);
        if (found !== null) return found;
      } finally {
        await dropBuild(db, shadow.schema);
      }
    }
  });
