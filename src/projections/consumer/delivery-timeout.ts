import type { RelayCheckpoint } from '../../write/messaging/relay-checkpoint.ts';

/** If Kafka delivers nothing at all for this long, published events are read from the log. */
const DELIVERY_TIMEOUT_MS = 5_000;
/** While other partitions receive messages, a backlog is being drained and a partition may wait longer. */
const BUSY_DELIVERY_TIMEOUT_MS = 60_000;

/** Partitions without recent messages. */
export interface IdlePartitions {
  /** Every event published to them is applied: they have caught up with the relay. */
  readonly upToDate: readonly string[];
  /** Events were published to them but have not been delivered in time. */
  readonly late: readonly string[];
}

export interface DeliveryTimeout {
  /** Records that a partition received messages. */
  recordActivity(partition: string): void;
  /** Compares the partitions' positions with the relay's checkpoint. */
  check(at: ReadonlyMap<string, bigint>, relayCheckpoint: RelayCheckpoint): IdlePartitions;
  reset(): void;
}

/** @param nowMs clock, milliseconds. */
export const createDeliveryTimeout = (nowMs: () => number = Date.now): DeliveryTimeout => {
  /** Position of each partition when it last advanced or received messages, and the time of that. */
  const since = new Map<string, { readonly position: bigint; readonly ms: number }>();
  let lastActivityMs = 0;
  return {
    recordActivity: (partition) => {
      lastActivityMs = nowMs();
      since.delete(partition);
    },
    check: (at, { position, lastPublished, startPosition }) => {
      const now = nowMs();
      const timeoutMs =
        now - lastActivityMs > DELIVERY_TIMEOUT_MS ? DELIVERY_TIMEOUT_MS : BUSY_DELIVERY_TIMEOUT_MS;
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
      lastActivityMs = 0;
    },
  };
};
