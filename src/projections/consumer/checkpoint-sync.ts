import type { Db } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { StartFrom } from '../../write/messaging/port.ts';
import { repartition } from '../checkpoints/checkpoint-store.ts';
import { topicPartitions } from '../checkpoints/partitioning.ts';
import type { Projection } from '../projection.ts';
import { resumePositions, startAfter } from './assignment.ts';

/** The checkpoints of the assigned partitions, as this consumer last read or advanced them. */
export interface CheckpointSync {
  /** Position by partition. */
  readonly positions: Map<string, bigint>;
  /** Whether every assigned partition has a checkpoint. */
  isComplete(): boolean;
  assign(partitions: readonly string[]): void;
  /** Reads the stored checkpoints. @returns the Kafka offsets to resume at; null where none is known. */
  reload(): Promise<ReadonlyMap<string, bigint | null>>;
  /** Where Kafka should start each assigned partition, in their order. */
  startFrom(offsets: ReadonlyMap<string, bigint | null>): Promise<readonly StartFrom[]>;
}

export const createCheckpointSync = (
  { db, log }: { readonly db: Db; readonly log: EventLog },
  projection: Projection,
  schema: string,
): CheckpointSync => {
  let assigned: readonly string[] = [];
  const positions = new Map<string, bigint>();
  return {
    positions,
    isComplete: () => positions.size >= assigned.length,
    assign: (partitions) => {
      assigned = partitions;
    },
    reload: async () => {
      positions.clear();
      let found = await resumePositions(db, schema, assigned);
      // A runner that follows the log directly merges the checkpoints into one: split it again.
      if (found.size < assigned.length && (await repartition(db, schema, topicPartitions(projection)))) {
        found = await resumePositions(db, schema, assigned);
      }
      for (const [partition, { position }] of found) positions.set(partition, position);
      return new Map([...found].map(([partition, { offset }]) => [partition, offset]));
    },
    startFrom: (offsets) => {
      const starts = new Map<bigint, Promise<StartFrom>>();
      return Promise.all(
        assigned.map((partition) => {
          const offset = offsets.get(partition) ?? null;
          if (offset !== null) return { offset };
          const position = positions.get(partition) ?? 0n;
          const start = starts.get(position) ?? startAfter(log, position);
          starts.set(position, start);
          return start;
        }),
      );
    },
  };
};
