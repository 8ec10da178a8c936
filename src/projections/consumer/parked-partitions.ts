import type { Queryable } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { startsSequence } from '../../write/projection-control/control.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import { partitionIn } from '../checkpoints/partitioning.ts';
import { lateRetries } from '../dead-letters/late-retries.ts';
import { type ParkedStream, parkedStreams } from '../dead-letters/parked-rows.ts';
import type { Parking } from '../dead-letters/parking.ts';
import { planPage } from '../dead-letters/plan.ts';
import { type Projection, UNPARTITIONED } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import type { BatchApplier, PartitionBatch } from '../writer/apply-batch.ts';

/** Called with the position that a partition reached, and whether that completes its batch. */
type OnReached = (partition: string, reached: bigint, isDone: boolean) => Promise<void>;

/** Applies batches of the assigned partitions together with their dead-letter queue. */
export interface ParkedPartitions {
  /** Loads the parked streams of the assigned partitions. */
  reload(db: Queryable, at: Checkpoints): Promise<void>;
  isParked(event: RecordedEvent): boolean;
  /** @returns the partitions that stalled at poison events whose streams can't be parked. */
  apply(runs: readonly PartitionBatch[], onReached: OnReached): Promise<ReadonlyMap<string, ApplyEventError>>;
  /** Applies retried streams once their partitions are past the retry: retries are not published to Kafka. */
  applyRetried(at: Checkpoints): Promise<void>;
}

export const createParkedPartitions = (
  schema: string,
  applier: BatchApplier,
  { log, projection, parking }: { log: EventLog; projection: Projection; parking: Parking },
): ParkedPartitions => {
  const parked = new Map<string, ParkedStream>();
  const context = () => ({ log, projection, control: parking.control() });

  const remember = ({ changes = [] }: PartitionBatch, reached: bigint): void => {
    for (const { at, stream, row } of changes) {
      if (at > reached) continue;
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
  };

  const planned = async (run: PartitionBatch): Promise<PartitionBatch> => ({
    ...run,
    ...(await planPage(run, { ...context(), parked })),
  });

  const apply: ParkedPartitions['apply'] = async (runs, onReached) => {
    const failures = new Map<string, ApplyEventError>();
    for (let rest = runs; rest.length > 0; ) {
      const all = await Promise.all(rest.map(planned));
      const results = await applier.apply(all);
      const again: PartitionBatch[] = [];
      for (const run of all) {
        const { reached, failure } = results.get(run.partition) ?? { reached: run.from, failure: null };
        remember(run, reached);
        await onReached(run.partition, reached, failure === null);
        if (failure === null) continue;
        const events = run.events.filter(({ position }) => position > reached);
        if (await parking.park(failure)) again.push({ ...run, from: reached, events });
        else failures.set(run.partition, failure);
      }
      rest = again;
    }
    return failures;
  };

  const applyRetried = async (at: Checkpoints): Promise<void> => {
    const late = await lateRetries(
      context(),
      parked,
      (stream) => at.get(partitionIn(stream, at) ?? '') ?? null,
    );
    for (const { stream, position, ...rest } of late) {
      const partition = partitionIn(stream, at) ?? UNPARTITIONED;
      const run = { partition, from: position, endPosition: position, ...rest };
      const { failure } = (await applier.apply([run])).get(run.partition) ?? { failure: null };
      if (failure === null) remember(run, position);
      // If an event fails again, the rest is retried by the next periodic check.
      else if (!(await parking.park(failure))) throw failure;
    }
  };

  return {
    reload: async (db, at) => {
      parked.clear();
      for (const row of (await parkedStreams(db, schema)).values()) {
        if (partitionIn(row.stream, at) !== null) parked.set(row.stream, row);
      }
    },
    isParked: (event) => parked.has(event.stream) || startsSequence(parking.control(), event),
    apply,
    applyRetried: async (at) => {
      if (parked.size === 0) return;
      await applyRetried(at).catch(async (error: unknown) => {
        if (!(error instanceof EventDeserializationError) || !(await parking.park(error))) throw error;
      });
    },
  };
};
