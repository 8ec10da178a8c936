import type { Db } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog, EventPage } from '../../write/log/port.ts';
import { CheckpointConflictError } from '../checkpoints/checkpoint-store.ts';
import { checkpointsOf, minPosition } from '../checkpoints/checkpoints.ts';
import { deliveriesOf, partitionIn, partitionOf } from '../checkpoints/partitioning.ts';
import { lateRetries } from '../dead-letters/late-retries.ts';
import { type ParkedChange, type ParkedStream, parkedStreams } from '../dead-letters/parked-rows.ts';
import type { Parking } from '../dead-letters/parking.ts';
import { isRetry, type Plan, planPage } from '../dead-letters/plan.ts';
import { type AppliedEvent, type Projection, UNPARTITIONED } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import { openBatchApplier, type PartitionBatch } from './apply-batch.ts';

/** Poison events by the partition that stalls at them: their streams can't be parked. */
export type Stalled = ReadonlyMap<string, ApplyEventError | EventDeserializationError>;

/** Applies pages of the log to partitions of one build and tracks their checkpoints. */
export interface Writer {
  readonly schema: string;
  /** The last position up to which every event is applied. */
  position(): bigint;
  /** Whether the stream is in the dead-letter queue. */
  isParked(stream: string): boolean;
  /**
   * Applies a page to every partition, in one transaction unless an event fails.
   * @returns the partitions that stall at an event of the page; the others have all of it, unless an event of a
   * retried stream can't be decoded.
   * @throws {CheckpointConflictError} if another writer moved a checkpoint; nothing was written then.
   */
  advance(page: EventPage): Promise<Stalled>;
  /**
   * The same for a caller that can't continue without one of the partitions.
   * @throws {ApplyEventError | EventDeserializationError} for a partition that stalls.
   */
  write(page: EventPage): Promise<void>;
}

/** Access to the dead-letter queue, and to the log to read queued events again. */
export interface WriterParking {
  readonly log: EventLog;
  readonly parking: Parking;
}

/**
 * Opens partitions of a build for writing at their checkpoints. Partitions at different positions are caught up from
 * their own.
 * @param deadLetters without it, no stream is parked.
 * @param partitions by default all that the build has.
 * @throws {CheckpointConflictError} if the build does not have these partitions, or is gone.
 */
export const openWriter = async (
  db: Db,
  projection: Projection,
  schema: string,
  deadLetters?: WriterParking,
  partitions?: readonly string[],
): Promise<Writer> => {
  const reached = new Map(await checkpointsOf(db, schema));
  if (partitions !== undefined) {
    for (const partition of reached.keys()) if (!partitions.includes(partition)) reached.delete(partition);
  }
  if (reached.size === 0 || reached.size < (partitions?.length ?? 0)) {
    throw new CheckpointConflictError(schema);
  }
  const applier = openBatchApplier(db, projection, schema);
  const parked = new Map<string, ParkedStream>(
    [...(await parkedStreams(db, schema))].filter(([stream]) => partitionIn(stream, reached) !== null),
  );

  /** The position that a stream's partition has reached; null if it is not among these. */
  const reachedBy = (stream: string): bigint | null =>
    reached.get(partitionIn(stream, reached) ?? '') ?? null;

  const isDone = (stream: string, position: bigint): boolean => position <= (reachedBy(stream) ?? -1n);

  const plan = async (page: EventPage): Promise<Plan> => {
    if (deadLetters === undefined) return { events: page.events, changes: [] };
    const { log, parking } = deadLetters;
    // A retry may exclude an event that has been skipped since.
    const control = page.events.some(isRetry) ? await parking.reload() : parking.control();
    return planPage(page, { log, projection, control, parked, isDone });
  };

  /**
   * The new events of a page, by partition. Events at or before a checkpoint were delivered again and are dropped.
   */
  const runsOf = ({ events, changes }: Plan, endPosition: bigint, stalled: Stalled): PartitionBatch[] => {
    const runs = new Map<string, { from: bigint; events: AppliedEvent[]; changes: ParkedChange[] }>();
    for (const [partition, from] of reached) {
      if (from < endPosition && !stalled.has(partition)) {
        runs.set(partition, { from, events: [], changes: [] });
      }
    }
    for (const event of events) {
      const at = event.appliedAt ?? event.position;
      for (const delivery of deliveriesOf(event, reached)) {
        const run = runs.get(partitionOf(delivery, reached) ?? '');
        if (run !== undefined && at > run.from) run.events.push(delivery);
      }
    }
    for (const change of changes) {
      const run = runs.get(partitionIn(change.stream, reached) ?? '');
      if (run !== undefined && change.at > run.from) run.changes.push(change);
    }
    return [...runs].map(([partition, run]) => ({ partition, endPosition, ...run }));
  };

  const remember = (changes: readonly ParkedChange[] = []) => {
    for (const { stream, row } of changes) {
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
  };

  /**
   * Streams retried while Kafka consumers maintained the build; each partition applies them later than the log
   * does.
   */
  const lateRuns = async (): Promise<PartitionBatch[]> => {
    if (deadLetters === undefined || parked.size === 0) return [];
    const context = { log: deadLetters.log, projection, control: deadLetters.parking.control() };
    const late = await lateRetries(context, parked, reachedBy);
    return late.map(({ stream, position, ...rest }) => ({
      partition: partitionIn(stream, reached) ?? UNPARTITIONED,
      from: position,
      endPosition: position,
      ...rest,
    }));
  };

  const apply = async (runs: readonly PartitionBatch[]): Promise<Stalled> => {
    const results = await applier.apply(runs);
    for (const { partition, changes = [] } of runs) {
      const position = results.get(partition)?.reached ?? 0n;
      remember(changes.filter(({ at }) => at <= position));
    }
    for (const [partition, { reached: position }] of results) reached.set(partition, position);
    return new Map(
      [...results].flatMap(([partition, { failure }]) => (failure === null ? [] : [[partition, failure]])),
    );
  };

  /** @param stalled partitions to leave out. @returns those that can't apply an event of the page. */
  const tryAdvance = async (page: EventPage, stalled: Stalled): Promise<Stalled> => {
    for (const run of await lateRuns()) {
      const failures = stalled.has(run.partition) ? new Map() : await apply([run]);
      if (failures.size > 0) return failures;
    }
    const runs = runsOf(await plan(page), page.endPosition, stalled);
    return runs.length === 0 ? new Map() : apply(runs);
  };

  const advance: Writer['advance'] = async (page) => {
    const stalled = new Map<string, ApplyEventError | EventDeserializationError>();
    for (;;) {
      try {
        const failures = await tryAdvance(page, stalled);
        if (failures.size === 0) return stalled;
        for (const [partition, failure] of failures) {
          if ((await deadLetters?.parking.park(failure)) !== true) stalled.set(partition, failure);
        }
      } catch (error) {
        // An event of a retried stream: without it the page can't be planned.
        if (!(error instanceof EventDeserializationError)) throw error;
        if ((await deadLetters?.parking.park(error)) !== true) {
          return stalled.set(partitionIn(error.event.stream, reached) ?? UNPARTITIONED, error);
        }
      }
    }
  };

  return {
    schema,
    position: () => minPosition(reached),
    isParked: (stream) => parked.has(stream),
    advance,
    write: async (page) => {
      for (const failure of (await advance(page)).values()) throw failure;
    },
  };
};
