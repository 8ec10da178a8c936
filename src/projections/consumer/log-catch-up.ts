import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { partitionIn } from '../checkpoints/partitioning.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import { subscription } from '../subscription/subscription.ts';
import type { PartitionBatch } from '../writer/apply-batch.ts';

const PAGE = 2_000;

export interface CatchUp {
  readonly log: EventLog;
  readonly projection: Projection;
  readonly parking: Parking;
  /** Whether an event's stream is parked. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /**
   * Applies batches and advances their partitions.
   * @returns the partitions that stalled, with their poison events.
   */
  readonly apply: (runs: readonly PartitionBatch[]) => Promise<ReadonlyMap<string, ApplyEventError>>;
  /** Whether to stop early because the assignment was revoked. */
  readonly isOver: () => boolean;
}

/** Pages read before the other partitions are served again. */
const MAX_PAGES = 20;

/**
 * Catches partitions up by reading the log directly, for events that Kafka did not deliver.
 * @param from the partitions and their positions.
 * @returns the partitions that stalled, with their poison events.
 */
export const catchUpFromLog = async (
  from: ReadonlyMap<string, bigint>,
  { log, projection, parking, isParked, apply, isOver }: CatchUp,
): Promise<ReadonlyMap<string, ApplyEventError | EventDeserializationError>> => {
  const at = new Map(from);
  const stopped = new Map<string, ApplyEventError | EventDeserializationError>();
  const passed = new Set(parking.control().skipped);

  const runsOf = (events: readonly RecordedEvent[], endPosition: bigint): PartitionBatch[] => {
    const byPartition = Map.groupBy(events, ({ stream }) => partitionIn(stream, from));
    return [...at].flatMap(([partition, position]) => {
      if (position >= endPosition || stopped.has(partition)) return [];
      const own = (byPartition.get(partition) ?? []).filter((event) => event.position > position);
      return [{ partition, from: position, endPosition, events: own }];
    });
  };

  const min = () =>
    [...at].reduce<bigint | null>(
      (low, [partition, position]) =>
        stopped.has(partition) || (low !== null && low <= position) ? low : position,
      null,
    );

  let pages = 0;
  /** @returns the event that can't be decoded; it blocks only its own partition. */
  const pass = async (after: bigint): Promise<EventDeserializationError | null> => {
    const wanted = { ...subscription(projection), excludeIds: passed, opaque: isParked, pageSize: PAGE };
    try {
      for await (const { events, endPosition } of log.readAll(after, wanted)) {
        if (isOver()) return null;
        const runs = runsOf(events, endPosition);
        if (runs.length === 0) continue;
        const failures = await apply(runs);
        for (const { partition } of runs) if (!failures.has(partition)) at.set(partition, endPosition);
        for (const [partition, failure] of failures) stopped.set(partition, failure);
        pages += 1;
        if (pages === MAX_PAGES || min() === null) return null;
      }
      return null;
    } catch (error) {
      if (error instanceof EventDeserializationError) return error;
      throw error;
    }
  };

  for (let after = min(); after !== null; after = min()) {
    const unreadable = await pass(after);
    if (unreadable === null) return stopped;
    const partition = partitionIn(unreadable.event.stream, from);
    // An event of another partition: its owner reports it.
    if (partition !== null) {
      if (await parking.park(unreadable)) continue;
      stopped.set(partition, unreadable);
    }
    passed.add(unreadable.event.id);
  }
  return stopped;
};
