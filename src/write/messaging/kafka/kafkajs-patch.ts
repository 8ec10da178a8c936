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
 * Stops every connection of kafkajs from polling its send queue each millisecond with a timeout in the past, which
 * Node also warns of. Source: github.com/tulios/kafkajs/issues/1751, whose fix was never released.
 */
export const patchKafkajs = (): void => {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    // The clock of kafkajs, which set the time.
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
};
