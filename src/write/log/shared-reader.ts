import type { EventFilter, EventLog, EventPage, RecordedEvent, SubscribeOptions } from './port.ts';
import { SharedTail, type Subscriber } from './shared-tail.ts';

const PAGE_SIZE = 2_000;

const matcher = ({ types, streamPrefixes }: EventFilter): ((event: RecordedEvent) => boolean) => {
  const wanted = types === undefined ? null : new Set(types);
  return (event) =>
    (wanted === null || wanted.has(event.type)) &&
    (streamPrefixes === undefined || streamPrefixes.some((prefix) => event.stream.startsWith(prefix)));
};

/** Resolves when the work does or the signal fires, whichever is first. */
const unlessAborted = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/**
 * A log whose subscriptions share one reader: each page of new events is read once and handed to all by reference,
 * so an event must never be changed. A subscription that is further behind than what is kept reads by itself until it has
 * caught up; one that stops or is slow delays no other.
 */
export const withSharedReader = (inner: EventLog): EventLog => {
  let tail: SharedTail | null = null;
  let attached = 0;

  const forget = (closed: SharedTail): void => {
    if (tail === closed) tail = null;
  };

  /** Catch-up: pages read by the subscription itself, up to those that are kept, or to the head. */
  async function* catchUp(after: bigint, options: SubscribeOptions): AsyncGenerator<EventPage, void> {
    // A subscription outlasts failures of the log: without the head, it is caught up when it waits for events.
    const head = await inner.head().catch(() => null);
    if (head !== null && after >= head) return;
    for await (const page of inner.subscribe(after, options)) {
      yield page;
      const { events, endPosition } = page;
      const isThere = head === null ? events.length === 0 : endPosition >= head;
      if (options.signal.aborted || isThere || (tail !== null && endPosition >= tail.from)) return;
    }
  }

  /** A subscription: catches up while it is behind the shared tail, and is live on the tail otherwise. */
  async function* follow(
    subscriber: Subscriber,
    after: bigint,
    options: SubscribeOptions,
  ): AsyncGenerator<EventPage, void> {
    const { signal, pageSize = PAGE_SIZE } = options;
    const matches = matcher(options);
    let position = after;
    while (!signal.aborted) {
      if (tail === null || position < tail.from) {
        tail?.leave(subscriber);
        for await (const page of catchUp(position, options)) {
          position = page.endPosition;
          yield page;
          if (signal.aborted) return;
        }
        tail ??= new SharedTail(inner, position, forget);
        continue;
      }
      const joined: SharedTail = tail;
      const page = joined.pageAfter(subscriber, position, pageSize, matches);
      if (page === null) {
        const before = joined.end;
        await unlessAborted(joined.advance(), signal);
        if (signal.aborted || joined.isEnded) return;
        // While idle, readers do deferred work.
        if (joined.end === before) yield { events: [], endPosition: position };
        continue;
      }
      position = page.endPosition;
      yield page;
    }
  }

  return {
    ...inner,
    subscribe: async function* (after, options) {
      const subscriber = {};
      attached += 1;
      try {
        yield* follow(subscriber, after, options);
      } finally {
        attached -= 1;
        tail?.leave(subscriber);
        if (attached === 0) tail?.close();
      }
    },
    close: async () => {
      tail?.close();
      await inner.close();
    },
  };
};
