import type { ReceivedMessage } from './received-message.ts';

/** Buffered messages of a partition before its fetches are paused. */
const MAX_BUFFERED_PER_PARTITION = 1_000;
/** Maximum messages applied in one transaction. */
const MAX_AT_ONCE = 16_000;

/** Messages received but not applied yet, by partition. They are removed once applied. */
export interface MessageBuffer {
  add(partition: string, messages: readonly ReceivedMessage[]): void;
  isFull(partition: string): boolean;
  /** Resolves when the partition's buffer has shrunk or `wake` was called: check again. */
  change(partition: string): Promise<void>;
  /** Wakes all waiters. */
  wake(): void;
  /** The next messages of the partitions that are due, limited to what one transaction applies. */
  takeDue(isDue: (partition: string) => boolean): ReadonlyMap<string, readonly ReceivedMessage[]>;
  /** Removes a partition's messages before an offset. */
  complete(partition: string, next: bigint): void;
  clear(): void;
}

export const createMessageBuffer = (): MessageBuffer => {
  const waiting = new Map<string, ReceivedMessage[]>();
  const waiters = new Map<string, PromiseWithResolvers<void>>();
  const isFull = (partition: string) => (waiting.get(partition)?.length ?? 0) >= MAX_BUFFERED_PER_PARTITION;
  const notify = (partition: string) => {
    waiters.get(partition)?.resolve();
    waiters.delete(partition);
  };
  const wake = () => {
    for (const partition of [...waiters.keys()]) notify(partition);
  };
  return {
    add: (partition, messages) => {
      const there = waiting.get(partition);
      if (there === undefined) waiting.set(partition, [...messages]);
      else for (const message of messages) there.push(message);
    },
    isFull,
    change: (partition) => {
      const change = waiters.get(partition) ?? Promise.withResolvers<void>();
      waiters.set(partition, change);
      return change.promise;
    },
    wake,
    takeDue: (isDue) => {
      const batch = new Map<string, readonly ReceivedMessage[]>();
      let count = 0;
      for (const [partition, messages] of waiting) {
        if (count >= MAX_AT_ONCE) break;
        if (!isDue(partition)) continue;
        batch.set(partition, messages.slice());
        count += messages.length;
      }
      return batch;
    },
    complete: (partition, next) => {
      const left = waiting.get(partition)?.filter(({ offset }) => offset >= next) ?? [];
      // Requeue last, for fairness between partitions.
      waiting.delete(partition);
      if (left.length > 0) waiting.set(partition, left);
      if (!isFull(partition)) notify(partition);
    },
    clear: () => {
      waiting.clear();
      wake();
    },
  };
};
