import type { RelayCheckpoint } from '../../write/messaging/relay-checkpoint.ts';

/** While nothing comes at all, what the relay has sent is read from the log after so long. */
const DELIVERY_TIMEOUT_MS = 5_000;
/** While other partitions' messages come, Kafka is being drained, and a partition waits longer for its turn. */
const BUSY_DELIVERY_TIMEOUT_MS = 60_000;

/** What is to be done about partitions that nothing comes for. */
export interface IdlePartitions {
  /** All that was sent to them is in their rows: they have come as far as the relay has. */
  readonly upToDate: readonly string[];
  /** Something was sent to them and has not come for a while. */
  readonly late: readonly string[];
}

export interface DeliveryTimeout {
  /** Messages of a partition have come. */
  recordActivity(partition: string): void;
  /** Looks at where partitions stand, and how far the relay has come. */
  look(at: ReadonlyMap<string, bigint>, relayCheckpoint: RelayCheckpoint): IdlePartitions;
  reset(): void;
}

/** @param nowMs the time, for tests. */
export const createDeliveryTimeout = (nowMs: () => number = Date.now): DeliveryTimeout => {
  /** Where partitions stood when they last moved or were heard of, and when that was. */
  const since = new Map<string, { readonly position: bigint; readonly ms: number }>();
  let heardMs = 0;
  return {
    recordActivity: (partition) => {
      heardMs = nowMs();
      since.delete(partition);
    },
    look: (at, { position, lastPublished, startPosition }) => {
      const now = nowMs();
      const timeoutMs = now - heardMs > DELIVERY_TIMEOUT_MS ? DELIVERY_TIMEOUT_MS : BUSY_DELIVERY_TIMEOUT_MS;
      const upToDate: string[] = [];
      const late: string[] = [];
      for (const [partition, reached] of at) {
        if (reached >= (lastPublished.get(partition) ?? startPosition)) {
          since.delete(partition);
          if (reached < position) upToDate.push(partition);
          continue;
        }
        const before = since.get(partition);
        if (before?.position !== reached) since.set(partition, { position: reached, ms: now });
        else if (now - before.ms > timeoutMs) late.push(partition);
      }
      return { upToDate, late };
    },
    reset: () => {
      since.clear();
      heardMs = 0;
    },
  };
};
