import type { IncomingMessage } from '../../write/messaging/port.ts';

/** Messages of one partition that wait; who brings more waits too. */
const MAX_BUFFERED_PER_PARTITION = 1_000;
/** Messages that one transaction takes in, at the most. */
const MAX_AT_ONCE = 16_000;

/** Messages that came and are not in the rows yet, by partition. They are taken away when they are. */
export interface MessageBuffer {
  add(partition: string, messages: readonly IncomingMessage[]): void;
  isFull(partition: string): boolean;
  /** Settles when the partition may have room for more, or something else has changed: look again. */
  change(partition: string): Promise<void>;
  /** Has all look again. */
  wake(): void;
  /** What waits at the partitions that are due, some of it where it is very much. */
  takeDue(isDue: (partition: string) => boolean): ReadonlyMap<string, readonly IncomingMessage[]>;
  /** Takes away the messages of a partition before an offset. */
  complete(partition: string, next: bigint): void;
  clear(): void;
}

export const createMessageBuffer = (): MessageBuffer => {
  const waiting = new Map<string, IncomingMessage[]>();
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
      const batch = new Map<string, readonly IncomingMessage[]>();
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
      // At the end of the row, so that each gets its turn.
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
