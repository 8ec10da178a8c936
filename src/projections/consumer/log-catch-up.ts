import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { PartitionBatch } from '../engine/apply-batch.ts';
import { partitionIn } from '../engine/checkpoints.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import { subscription } from '../stalls/skipped-events.ts';

const PAGE = 2_000;

export interface CatchUp {
  readonly log: EventLog;
  readonly projection: Projection;
  readonly parking: Parking;
  /** Whether an event is of a stream that is parked. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /**
   * Takes runs in, and moves the partitions on.
   * @returns the partitions that stopped, each at an event.
   */
  readonly apply: (runs: readonly PartitionBatch[]) => Promise<ReadonlyMap<string, ApplyEventError>>;
  /** Whether it is to be given up: the partitions have gone to somebody else. */
  readonly isOver: () => boolean;
}

/** Pages that are read before the other partitions get their turn again. */
const MAX_PAGES = 20;

/**
 * Brings partitions towards the end of the log, as it is now, by reading the log itself: for what Kafka did not bring.
 * @param from the partitions and where they stand.
 * @returns the partitions that stopped, each at an event.
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
  /** @returns the event that can't be read, and holds up its own partition only. */
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
    // Another's is the business of whoever has it.
    if (from.has(partition)) {
      if (await parking.park(unreadable)) continue;
      stopped.set(partition, unreadable);
    }
    passed.add(unreadable.event.id);
  }
  return stopped;
};
