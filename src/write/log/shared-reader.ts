/** One reader of the log for all subscriptions of a process. */

import type { EventFilter, EventLog, EventPage, RecordedEvent, SubscribeOptions } from './port.ts';

/** Number of events kept for subscribers that are a little behind. */
const KEPT_EVENTS = 2_000;
/** Number of events kept even if every subscriber has them. A subscriber that catches up only has to come this near. */
const RECENT_EVENTS = 200;
const PAGE_SIZE = 2_000;

/** A subscription. Pages are kept until it asks for what follows them. */
export type Subscriber = object;

/** The newest pages of the log. They are read once for all subscribers, and kept while one of them lacks them. */
export class SharedTail {
  readonly #positions = new Map<Subscriber, bigint>();
  readonly #pages: EventPage[] = [];
  readonly #source: AsyncIterator<EventPage>;
  readonly #stop = new AbortController();
  /** Called once nothing more will be read. */
  readonly #onClosed: (tail: SharedTail) => void;
  #kept = 0;
  #pending: Promise<void> | null = null;
  #from: bigint;
  #end: bigint;
  #isEnded = false;

  constructor(log: EventLog, position: bigint, onClosed: (tail: SharedTail) => void) {
    this.#from = position;
    this.#end = position;
    this.#onClosed = onClosed;
    const options = { signal: this.#stop.signal, pageSize: PAGE_SIZE };
    this.#source = log.subscribe(position, options)[Symbol.asyncIterator]();
  }

  /** Position after which pages are kept. */
  get from(): bigint {
    return this.#from;
  }

  /** The last position read. */
  get end(): bigint {
    return this.#end;
  }

  /** Whether the log was closed. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Reads the next page; concurrent calls share it. A failure closes the tail. */
  advance(): Promise<void> {
    this.#pending ??= this.#take()
      .catch((error: unknown) => {
        this.close();
        throw error;
      })
      .finally(() => {
        this.#pending = null;
      });
    return this.#pending;
  }

  close(): void {
    this.#stop.abort();
    this.#onClosed(this);
  }

  /** Keeps nothing for a subscription any more. */
  leave(subscriber: Subscriber): void {
    if (this.#positions.delete(subscriber)) this.#drop();
  }

  /** The next kept events for a subscription; null if it has all events that were read. */
  pageAfter(
    subscriber: Subscriber,
    position: bigint,
    size: number,
    matches: (event: RecordedEvent) => boolean,
  ): EventPage | null {
    this.#positions.set(subscriber, position);
    this.#drop();
    if (position >= this.#end) return null;
    const events: RecordedEvent[] = [];
    // Most subscriptions lack the newest pages only.
    let first = this.#pages.length;
    while (first > 0 && (this.#pages[first - 1] as EventPage).endPosition > position) first -= 1;
    for (const page of this.#pages.slice(first)) {
      for (const event of page.events) {
        if (event.position <= position || !matches(event)) continue;
        events.push(event);
        if (events.length === size) return { events, endPosition: event.position };
      }
    }
    return { events, endPosition: this.#end };
  }

  async #take(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) {
      this.#isEnded = true;
      this.close();
      return;
    }
    const page = next.value;
    this.#end = page.endPosition;
    if (page.events.length === 0) return;
    this.#pages.push(page);
    this.#kept += page.events.length;
    this.#drop();
  }

  /** Whether a page is still needed by a subscriber that is a little behind or that catches up. */
  #needs({ events, endPosition }: EventPage): boolean {
    if (this.#kept > KEPT_EVENTS) return false;
    if (this.#kept - events.length < RECENT_EVENTS) return true;
    return this.#positions.values().some((position) => position < endPosition);
  }

  #drop(): void {
    for (let [page] = this.#pages; page !== undefined; [page] = this.#pages) {
      if (this.#pages.length === 1 || this.#needs(page)) return;
      this.#pages.shift();
      this.#kept -= page.events.length;
      this.#from = page.endPosition;
    }
  }
}

const matcher = ({ types, streamPrefixes }: EventFilter): ((event: RecordedEvent) => boolean) => {
  const wanted = types === undefined ? null : new Set(types);
  return (event) =>
    (wanted === null || wanted.has(event.type)) &&
    (streamPrefixes === undefined || streamPrefixes.some((prefix) => event.stream.startsWith(prefix)));
};

/** Resolves when the work does or when the signal fires, whichever is first. */
const doneOrAborted = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/**
 * A log whose subscriptions share one reader. Each page of new events is read once and handed to all of them by reference, so an
 * event must never be changed. A subscription that is further behind than the kept pages reads by itself until it has caught up.
 * One that stops or is slow delays no other.
 */
export const withSharedReader = (inner: EventLog): EventLog => {
  let tail: SharedTail | null = null;
  let attached = 0;

  const forget = (closed: SharedTail): void => {
    if (tail === closed) tail = null;
  };

  /** Catch-up: pages that the subscription reads by itself, up to the kept pages or the head. */
  async function* catchUp(after: bigint, options: SubscribeOptions): AsyncGenerator<EventPage, void> {
    // A subscription outlasts failures of the log. If the head is unknown, it has caught up when it waits for events.
    const head = await inner.head().catch(() => null);
    if (head !== null && after >= head) return;
    for await (const page of inner.subscribe(after, options)) {
      yield page;
      const { events, endPosition } = page;
      const isThere = head === null ? events.length === 0 : endPosition >= head;
      if (options.signal.aborted || isThere || (tail !== null && endPosition >= tail.from)) return;
    }
  }

  /**
   * Waits for events after the end of the shared tail.
   * @returns whether the subscription continues: the signal has not fired, and the tail has not ended.
   */
  const awaitEvents = async (shared: SharedTail, signal: AbortSignal): Promise<boolean> => {
    await doneOrAborted(shared.advance(), signal);
    return !signal.aborted && !shared.isEnded;
  };

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
        }
        if (signal.aborted) return;
        tail ??= new SharedTail(inner, position, forget);
        continue;
      }
      const shared: SharedTail = tail;
      const page = shared.pageAfter(subscriber, position, pageSize, matches);
      if (page !== null) {
        position = page.endPosition;
        yield page;
        continue;
      }
      const before = shared.end;
      if (!(await awaitEvents(shared, signal))) return;
      // An empty page: readers do deferred work while the log is idle.
      if (shared.end === before) yield { events: [], endPosition: position };
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
