import { backoffMs, RESTART_BACKOFF } from '../../kernel/backoff.ts';
import { steadyMs } from '../../kernel/retry.ts';

/** Exponential backoff per partition. */
export interface PartitionBackoff {
  /** Starts the next, longer delay. @returns it, in milliseconds. */
  delay(partition: string): number;
  isDue(partition: string): boolean;
  has(partition: string): boolean;
  /** Milliseconds until the partition is due. */
  leftMs(partition: string): number;
  /** @returns whether the partition was backing off. */
  release(partition: string): boolean;
  /** Starts over with partitions that are known to be stalled; they are due at once. */
  reset(partitions: Iterable<string>): void;
}

export const createPartitionBackoff = (): PartitionBackoff => {
  const delayed = new Map<string, { readonly tries: number; readonly untilMs: number }>();
  return {
    delay: (partition) => {
      const tries = delayed.get(partition)?.tries ?? 0;
      const delay = backoffMs(RESTART_BACKOFF, tries);
      delayed.set(partition, { tries: tries + 1, untilMs: steadyMs() + delay });
      return delay;
    },
    has: (partition) => delayed.has(partition),
    leftMs: (partition) => Math.max(0, (delayed.get(partition)?.untilMs ?? 0) - steadyMs()),
    isDue: (partition) => (delayed.get(partition)?.untilMs ?? 0) <= steadyMs(),
    release: (partition) => delayed.delete(partition),
    reset: (partitions) => {
      delayed.clear();
      for (const partition of partitions) delayed.set(partition, { tries: 0, untilMs: 0 });
    },
  };
};
