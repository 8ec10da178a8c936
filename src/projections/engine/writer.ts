import type { Db } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog, EventPage } from '../../write/log/port.ts';
import { lateRetries } from '../dead-letters/late-retries.ts';
import { type ParkedChange, type ParkedStream, parkedStreams } from '../dead-letters/parked-rows.ts';
import type { Parking } from '../dead-letters/parking.ts';
import { isRetry, type Plan, planPage } from '../dead-letters/plan.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import { openBatchApplier, type PartitionBatch } from './apply-batch.ts';
import { CheckpointConflictError, mergeCheckpoints } from './checkpoint-store.ts';
import { checkpointsOf, partitionIn, UNPARTITIONED } from './checkpoints.ts';

/** Applies pages of the log to one build and tracks its checkpoints. */
export interface Writer {
  readonly schema: string;
  /** The last position up to which every event is applied. */
  position(): bigint;
  /** Whether the stream is in the dead-letter queue. */
  isParked(stream: string): boolean;
  /**
   * @throws {CheckpointConflictError} if another writer moved a checkpoint; nothing was written then.
   * @throws {ApplyEventError} for a poison event whose stream can't be parked; the events before it are applied.
   */
  write(page: EventPage): Promise<void>;
}

/** Access to the dead-letter queue, and to the log to read queued events again. */
export interface WriterParking {
  readonly log: EventLog;
  readonly parking: Parking;
}

/**
 * Opens a build for writing at its checkpoints. If Kafka consumers wrote to it, each partition is caught up from
 * its own checkpoint, and the checkpoints are then merged into one.
 * @param deadLetters without it, no stream is parked.
 */
export const openWriter = async (
  db: Db,
  projection: Projection,
  schema: string,
  deadLetters?: WriterParking,
): Promise<Writer> => {
  const reached = new Map(await checkpointsOf(db, schema));
  if (reached.size === 0) throw new CheckpointConflictError(schema);
  const applier = openBatchApplier(db, projection, schema);
  const parked = new Map<string, ParkedStream>(await parkedStreams(db, schema));

  const isDone = (stream: string, position: bigint): boolean =>
    position <= (reached.get(partitionIn(stream, reached)) ?? -1n);

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
  const runsOf = ({ events, changes }: Plan, endPosition: bigint): PartitionBatch[] =>
    [...reached].flatMap(([partition, from]) => {
      if (from >= endPosition) return [];
      const isOf = (stream: string, position: bigint) =>
        position > from && partitionIn(stream, reached) === partition;
      const own = events.filter((event) => isOf(event.stream, event.appliedAt ?? event.position));
      return [
        {
          partition,
          from,
          endPosition,
          events: own,
          changes: changes.filter(({ stream, at }) => isOf(stream, at)),
        },
      ];
    });

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
    const late = await lateRetries(
      context,
      parked,
      (stream) => reached.get(partitionIn(stream, reached)) ?? null,
    );
    return late.map(({ stream, position, ...rest }) => {
      return { partition: partitionIn(stream, reached), from: position, endPosition: position, ...rest };
    });
  };

  /** @returns the failure that stopped the page; null if all of it is applied. */
  const tryWrite = async (page: EventPage): Promise<ApplyEventError | null> => {
    for (const run of await lateRuns()) {
      const failure = await apply([run]);
      if (failure !== null) return failure;
    }
    const runs = runsOf(await plan(page), page.endPosition);
    return runs.length === 0 ? null : apply(runs);
  };

  const apply = async (runs: readonly PartitionBatch[]): Promise<ApplyEventError | null> => {
    const results = await applier.apply(runs);
    for (const { partition, changes = [] } of runs) {
      const position = results.get(partition)?.reached ?? 0n;
      remember(changes.filter(({ at }) => at <= position));
    }
    for (const [partition, { reached: position }] of results) reached.set(partition, position);
    return [...results.values()].find(({ failure }) => failure !== null)?.failure ?? null;
  };

  const write = async (page: EventPage): Promise<void> => {
    for (;;) {
      const failure = await tryWrite(page).catch((error: unknown) => {
        if (error instanceof EventDeserializationError) return error;
        throw error;
      });
      if (failure === null) return;
      if ((await deadLetters?.parking.park(failure)) !== true) throw failure;
    }
  };

  const join = async (): Promise<void> => {
    const positions = new Set(reached.values());
    const [position] = positions;
    if (reached.has(UNPARTITIONED) || positions.size > 1 || position === undefined) return;
    await mergeCheckpoints(db, schema, reached.size, position);
    reached.clear();
    reached.set(UNPARTITIONED, position);
  };

  return {
    schema,
    position: () => [...reached.values()].reduce((min, position) => (position < min ? position : min)),
    isParked: (stream) => parked.has(stream),
    write: async (page) => {
      await write(page);
      await join();
    },
  };
};
