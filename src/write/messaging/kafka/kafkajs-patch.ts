import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
  readonly prototype: RequestQueue;
};

/**
 * Keeps each of the client's connections from looking every millisecond, for ever, whether something waits to be
 * sent, at a time that has long passed, of which Node warns besides. Source: github.com/tulios/kafkajs/issues/1751,
 * whose mend was never released.
 */
export const patchKafkajs = (): void => {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
};
