import type { EventFilter, EventLog, EventPage, RecordedEvent, SubscribeOptions } from './port.ts';

/** Events that the shared reader keeps for subscribers that are a little behind. */
const KEPT_EVENTS = 2_000;
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

/** The newest pages of the log, read once for all subscribers. */
interface Tail {
  /** Pages after here are kept. */
  from: bigint;
  /** The last position read. */
  end: bigint;
  readonly pages: EventPage[];
  readonly stop: AbortController;
  /** Whether the log was closed. */
  ended: boolean;
  /** Reads the next page; concurrent calls share it. */
  advance(): Promise<void>;
}

/**
 * A log whose subscriptions share one reader: each page of new events is read once and handed to all by reference,
 * so an event must never be changed. A subscription that is further behind than what is kept reads by itself until it has
 * caught up; one that stops or is slow delays no other.
 */
export const withSharedReader = (inner: EventLog): EventLog => {
  let tail: Tail | null = null;
  let attached = 0;

  const openTail = (position: bigint): Tail => {
    const stop = new AbortController();
    const pages = inner
      .subscribe(position, { signal: stop.signal, pageSize: PAGE_SIZE })
      [Symbol.asyncIterator]();
    let kept = 0;
    let pending: Promise<void> | null = null;
    const take = async (): Promise<void> => {
      const next = await pages.next();
      if (next.done === true) {
        opened.ended = true;
        close(opened);
        return;
      }
      const page = next.value;
      opened.end = page.endPosition;
      if (page.events.length === 0) return;
      opened.pages.push(page);
      kept += page.events.length;
      while (kept > KEPT_EVENTS && opened.pages.length > 1) {
        const dropped = opened.pages.shift() as EventPage;
        kept -= dropped.events.length;
        opened.from = dropped.endPosition;
      }
    };
    const opened: Tail = {
      from: position,
      end: position,
      pages: [],
      stop,
      ended: false,
      advance: () => {
        pending ??= take()
          .catch((error: unknown) => {
            close(opened);
            throw error;
          })
          .finally(() => {
            pending = null;
          });
        return pending;
      },
    };
    return opened;
  };

  const close = (closing: Tail): void => {
    closing.stop.abort();
    if (tail === closing) tail = null;
  };

  /** The next events of a subscription that are kept; null if it has all that were read. */
  const pageAfter = (
    { pages, end }: Tail,
    position: bigint,
    size: number,
    matches: (event: RecordedEvent) => boolean,
  ): EventPage | null => {
    if (position >= end) return null;
    const events: RecordedEvent[] = [];
    // Most subscriptions lack the newest pages only.
    let first = pages.length;
    while (first > 0 && (pages[first - 1] as EventPage).endPosition > position) first -= 1;
    for (const page of pages.slice(first)) {
      for (const event of page.events) {
        if (event.position <= position || !matches(event)) continue;
        events.push(event);
        if (events.length === size) return { events, endPosition: event.position };
      }
    }
    return { events, endPosition: end };
  };

  /** Pages read by the subscription itself, up to those that are kept, or to the head. */
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

  async function* follow(after: bigint, options: SubscribeOptions): AsyncGenerator<EventPage, void> {
    const { signal, pageSize = PAGE_SIZE } = options;
    const matches = matcher(options);
    let position = after;
    while (!signal.aborted) {
      if (tail === null || position < tail.from) {
        for await (const page of catchUp(position, options)) {
          position = page.endPosition;
          yield page;
          if (signal.aborted) return;
        }
        tail ??= openTail(position);
        continue;
      }
      const joined: Tail = tail;
      const page = pageAfter(joined, position, pageSize, matches);
      if (page === null) {
        const before = joined.end;
        await unlessAborted(joined.advance(), signal);
        if (signal.aborted || joined.ended) return;
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
      attached += 1;
      try {
        yield* follow(after, options);
      } finally {
        attached -= 1;
        if (attached === 0 && tail !== null) close(tail);
      }
    },
    close: async () => {
      if (tail !== null) close(tail);
      await inner.close();
    },
  };
};
