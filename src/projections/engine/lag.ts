import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type EventCount, eventsBetween } from '../../write/log/events-between.ts';
import type { EventLog } from '../../write/log/port.ts';
import { loadControl } from '../../write/projection-control.ts';
import { activeBuild } from '../builds/builds.ts';
import { type Checkpoints, checkpointsOf, isIn, minPosition } from '../checkpoints.ts';
import type { Projection } from '../projection.ts';
import { listStalls, type Stall } from '../stalls.ts';

/** Lag of a projection's active build. */
export interface Lag {
  readonly projection: string;
  readonly version: number;
  /** Null if this version has no build yet. */
  readonly build: {
    readonly schema: string;
    /** Every event up to here is applied; with Kafka, the position of the slowest partition. */
    readonly position: bigint;
    readonly partitions: number;
  } | null;
  readonly head: bigint;
  /** Events from there to the head. */
  readonly behind: EventCount;
  /** When the oldest unprocessed event was recorded; null if all are processed. */
  readonly oldestUnprocessedAt: string | null;
  readonly stalls: readonly Stall[];
}

/** When the oldest event that a build has not processed was recorded. */
const oldestUnprocessed = async (
  projection: Projection,
  checkpoints: Checkpoints,
  log: EventLog,
): Promise<string | null> => {
  const { skipped } = await loadControl(log, projection);
  const { types, streamPrefixes } = projection;
  const wanted = {
    types,
    ...(streamPrefixes === undefined ? {} : { streamPrefixes }),
    excludeIds: skipped,
    raw: true,
    pageSize: 100,
  };
  for await (const page of log.readAll(minPosition(checkpoints), wanted)) {
    const missing = page.events.find((event) => !isIn(event, checkpoints));
    if (missing !== undefined) return missing.recorded_at;
  }
  return null;
};

export const lagOf = async (
  db: Queryable,
  log: EventLog,
  projections: readonly Projection[],
): Promise<readonly Lag[]> => {
  const stalls = await listStalls(db);
  const found: Lag[] = [];
  for (const projection of projections) {
    const { name, version } = projection;
    const active = await activeBuild(db, name, version);
    const checkpoints = active === null ? null : await checkpointsOf(db, active.schema);
    // Read after the checkpoints, so that it is never below them.
    const head = await log.head();
    found.push({
      projection: name,
      version,
      build:
        active === null || checkpoints === null
          ? null
          : { schema: active.schema, position: minPosition(checkpoints), partitions: checkpoints.size },
      head,
      behind: await eventsBetween(log, checkpoints === null ? 0n : minPosition(checkpoints), head),
      oldestUnprocessedAt:
        checkpoints === null ? null : await oldestUnprocessed(projection, checkpoints, log),
      stalls: stalls.filter((stall) => stall.projection === name && stall.version === version),
    });
  }
  return found;
};
