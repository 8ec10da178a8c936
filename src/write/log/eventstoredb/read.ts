/** Reading EventStoreDB: positions, filters, pages, and subscriptions. */

import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { backoffMs, pause, READ_BACKOFF, retryForMs } from '../../../kernel/retry.ts';
import {
  type EventFilter,
  type EventPage,
  LogRequestRejectedError,
  type Metadata,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../port.ts';
import { type Connection, isTooSlow, portError, within } from './connection.ts';

/**
 * Maps EventStoreDB positions to the port's positions. A record has a commit and a prepare position. They are equal unless the old
 * TCP protocol wrote a transaction across calls, so the commit position identifies an event. Reading starts only at a record, so
 * EventStoreDB has no position for "just before this event". The port's position of an event is therefore twice its commit position
 * plus one, and twice its commit position is the position just before it. Both map back to the record; events outside the requested
 * range are filtered out here.
 */
export const positionOf = (commit: bigint, prepare: bigint): bigint => {
  if (commit !== prepare) {
    throw new LogRequestRejectedError(
      `the log holds a transaction of the TCP protocol (commit ${commit}, prepare ${prepare}), whose events have no positions of their own`,
    );
  }
  return 2n * commit + 1n;
};

/** The record at which a position starts reading. */
export const recordAt = (position: bigint): string => String(position >> 1n);

/** False for the node's value for "no position", 2^64 - 1. */
export const isPosition = (commit: bigint): boolean => commit < 2n ** 62n;

/** A server-side filter. EventStoreDB filters by streams or by types, not by both. */
export type ServerFilter =
  | { readonly on: 'stream' | 'type'; readonly prefixes: readonly string[] }
  | { readonly on: 'type'; readonly regex: string };

/** Excludes system events, whose types begin with a dollar sign. */
export const NO_SYSTEM: ServerFilter = { on: 'type', regex: '^[^$].*' };

export interface SplitFilter {
  /** Null if no event can match. */
  readonly server: ServerFilter | null;
  /** The part of the filter that the client checks. */
  readonly wants: (event: Pick<RecordedEvent, 'type' | 'stream'>) => boolean;
}

/**
 * Splits a filter between server and client. If both conditions are given, the server filters streams. It matches prefixes, which
 * is exact for streams, while for types `AccountSighted` would also match `AccountSightedAgain`.
 */
const splitFilter = ({ streamPrefixes, types }: EventFilter): SplitFilter => {
  const known = types === undefined ? null : new Set(types);
  const wants: SplitFilter['wants'] = ({ stream, type }) =>
    !type.startsWith('$') &&
    (known === null || known.has(type)) &&
    (streamPrefixes === undefined || streamPrefixes.some((prefix) => stream.startsWith(prefix)));
  const none = types?.length === 0 || streamPrefixes?.length === 0;
  const prefixes = streamPrefixes?.every((prefix) => prefix !== '') === true ? streamPrefixes : undefined;
  if (none) return { server: null, wants };
  if (prefixes !== undefined) return { server: { on: 'stream', prefixes }, wants };
  return { server: types === undefined ? NO_SYSTEM : { on: 'type', prefixes: types }, wants };
};

/** Digits of a number of 100 ns ticks that are less than a millisecond. */
const TICK_DIGITS = 4;

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Another program wrote data that is not JSON. It is returned as text, which validation rejects. */
const jsonOf = (json: string, fallback: unknown): unknown => {
  if (json === '') return fallback;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
};

/** Remembers the last result: successive events have the same metadata, and events of one append have the same time. */
const remembering = <T>(of: (from: string) => T): ((from: string) => T) => {
  let last: { readonly from: string; readonly result: T } | null = null;
  return (from) => {
    if (last?.from !== from) last = { from, result: of(from) };
    return last.result;
  };
};

/** Events share this object, so none may change it. */
const metadataOf = remembering((json) => Object.freeze(jsonOf(json, {})) as Metadata);

/** Time of the leader's clock, from ticks of 100 ns since 1970. */
const timeOf = remembering((ticks) => new Date(Number(ticks.slice(0, -TICK_DIGITS))).toISOString());

/** A part that every event has. @throws {LogRequestRejectedError} if the server left it out. */
const required = (name: string, value: string | undefined): string => {
  if (value === undefined || value === '')
    throw new LogRequestRejectedError(`this EventStoreDB returned an event without ${name}`);
  return value;
};

/** Converts an event of the server into the port's. */
export const decodeEvent = (raw: ReadResp.ReadEvent.RecordedEvent): RecordedEvent => {
  const about = raw.getMetadataMap();
  const commit = BigInt(raw.getCommitPosition());
  if (!isPosition(commit)) {
    throw new LogRequestRejectedError(
      'this EventStoreDB returns no positions for events of a stream: version 22.6 or newer is required',
    );
  }
  return {
    id: required('an ID', raw.getId()?.getString()),
    stream: text(raw.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()),
    revision: BigInt(raw.getStreamRevision()),
    position: positionOf(commit, BigInt(raw.getPreparePosition())),
    type: required('a type', about.get('type')),
    data: jsonOf(text(raw.getData_asU8()), null),
    metadata: metadataOf(text(raw.getCustomMetadata_asU8())),
    recorded_at: timeOf(about.get('created') ?? '0'),
  };
};

const { Options } = streams.ReadReq;
const FORWARDS = 0;
const BACKWARDS = 1;

/** Number of records that the server scans at once when it reads backwards for a single event. */
const BACKWARDS_WINDOW = 500;

const optionsOf = (): ReadReq.Options => {
  const uuid = new Options.UUIDOption();
  uuid.setString(new shared.Empty());
  const options = new Options();
  options.setUuidOption(uuid);
  options.setReadDirection(FORWARDS);
  return options;
};

const requestOf = (options: ReadReq.Options): ReadReq => {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
};

export const streamIdentifier = (stream: string) => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};

const filterOf = (filter: ServerFilter, window?: number): ReadReq.Options.FilterOptions => {
  const expression = new Options.FilterOptions.Expression();
  if ('regex' in filter) expression.setRegex(filter.regex);
  else expression.setPrefixList([...filter.prefixes]);
  const options = new Options.FilterOptions();
  if (filter.on === 'stream') options.setStreamIdentifier(expression);
  else options.setEventType(expression);
  if (window === undefined) options.setCount(new shared.Empty());
  else options.setMax(window);
  options.setCheckpointintervalmultiplier(1_000);
  return options;
};

/** Events of a stream from a revision, inclusive; by default from its start or end. */
const streamRequest = (
  stream: string,
  direction: 'forwards' | 'backwards',
  from: bigint | undefined,
  count: number,
): ReadReq => {
  const of = new Options.StreamOptions();
  of.setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) of.setRevision(String(from));
  else if (direction === 'forwards') of.setStart(new shared.Empty());
  else of.setEnd(new shared.Empty());
  const options = optionsOf();
  options.setStream(of);
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  options.setCount(String(count));
  options.setNoFilter(new shared.Empty());
  return requestOf(options);
};

/** Up to `count` matching events of the log, starting at the record of `after`, inclusive. */
const forwardsRequest = (after: bigint, filter: ServerFilter, count: number): ReadReq => {
  const of = new Options.AllOptions();
  if (after === 0n) {
    of.setStart(new shared.Empty());
  } else {
    const position = new Options.Position();
    position.setCommitPosition(recordAt(after));
    position.setPreparePosition(recordAt(after));
    of.setPosition(position);
  }
  const options = optionsOf();
  options.setAll(of);
  options.setCount(String(count));
  options.setFilter(filterOf(filter));
  return requestOf(options);
};

/** The last matching event of the log. */
const lastRequest = (filter: ServerFilter): ReadReq => {
  const of = new Options.AllOptions();
  of.setEnd(new shared.Empty());
  const options = optionsOf();
  options.setAll(of);
  options.setReadDirection(BACKWARDS);
  options.setCount('1');
  options.setFilter(filterOf(filter, BACKWARDS_WINDOW));
  return requestOf(options);
};

/** Matching events appended from now on. */
const liveRequest = (filter: ServerFilter): ReadReq => {
  const of = new Options.AllOptions();
  of.setEnd(new shared.Empty());
  const options = optionsOf();
  options.setAll(of);
  options.setSubscription(new Options.SubscriptionOptions());
  options.setFilter(filterOf(filter));
  return requestOf(options);
};

const PAGE_SIZE = 1_000;
/** Timeout of reads that an index or the end of the log answers. */
const ANSWER_MS = 10_000;

/** How long a read is retried. When one call meets a dead node, concurrent calls fail with it. */
const AGAIN_MS = 2_000;

const once = async (
  connection: Connection,
  request: ReadReq,
  to: bigint | undefined,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  let isWhole = false;
  const stream = await connection.read(request);
  try {
    // Async iteration would cost a promise per event.
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (response) => {
        const raw = response.getEvent()?.getEvent();
        if (raw === undefined || isWhole) return;
        try {
          const event = decodeEvent(raw);
          events.push(event);
          // The event itself is filtered out, but it proves that everything before it was returned.
          isWhole = to !== undefined && event.position > to;
          if (isWhole) resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
      stream.on('end', resolve);
      stream.on('error', reject);
    });
  } finally {
    // The client reconnects after a cancellation by the node, which it recognizes by these details.
    stream.cancel();
  }
  return events;
};

/** The events of a request: all of them, or up to the first one beyond `to`. */
const eventsOf = async (
  connection: Connection,
  request: ReadReq,
  to?: bigint,
): Promise<readonly RecordedEvent[]> =>
  retryForMs(
    AGAIN_MS,
    READ_BACKOFF,
    () => once(connection, request, to),
    (error, isLate) => {
      const known = portError(error);
      if (known instanceof LogRequestRejectedError || isLate) throw known;
    },
  );

/** Larger than any stream. */
const NO_LIMIT = 2 ** 31 - 1;

export const readStream = (
  connection: Connection,
  stream: string,
  { direction = 'forwards', from, limit = NO_LIMIT }: ReadStreamOptions,
): Promise<readonly RecordedEvent[]> =>
  limit <= 0 ? Promise.resolve([]) : eventsOf(connection, streamRequest(stream, direction, from, limit));

/** Position of the last event that is not a system event. */
export const head = async (connection: Connection): Promise<bigint> => {
  const [last] = await within(ANSWER_MS, eventsOf(connection, lastRequest(NO_SYSTEM)));
  return last?.position ?? 0n;
};

/**
 * Pages up to the current head, or to `to` if that is earlier. A filtered read does not report what it skipped. So its progress is
 * known only at its end: it has passed the head that was read before it.
 */
export async function* readPages(
  connection: Connection,
  after: bigint,
  options: ReadAllOptions,
): AsyncIterable<EventPage> {
  const { server, wants } = splitFilter(options);
  const now = await head(connection);
  const end = options.to !== undefined && options.to < now ? options.to : now;
  const size = options.pageSize ?? PAGE_SIZE;
  let position = after;
  while (position < end) {
    // The reader has usually seen the first record already: one more is requested, so that a page is never empty.
    const read =
      server === null ? [] : await eventsOf(connection, forwardsRequest(position, server, size + 1), end);
    const last = read.length > size ? read.at(-1) : undefined;
    const endPosition = last === undefined || last.position > end ? end : last.position;
    const from = position;
    const events = read.filter(
      (event) => event.position > from && event.position <= endPosition && wants(event),
    );
    // Otherwise there is one record too many. The next page begins with it.
    const page = events.length > size ? events.slice(0, size) : events;
    position = page.length < events.length ? (page.at(-1)?.position ?? endPosition) : endPosition;
    yield { events: page, endPosition: position };
  }
}

/** Number of events buffered for a slow reader. Beyond that the node buffers, and ends the call if it has to buffer too many. */
const MAX_WAITING = 4_000;
const CONFIRMED_MS = 10_000;
/**
 * While events keep coming, at least this time passes between two batches that are not full. Each event arrives by itself, and
 * readers commit once per batch. The first event after a pause is not delayed.
 */
const LINGER_MS = 100;

/** The live phase of a subscription: events appended while it is open. */
export interface Live {
  /** Events since the last call, up to a limit. Waits at most `ms` for the first. */
  next(limit: number, ms: number, signal: AbortSignal): Promise<readonly RecordedEvent[]>;
  close(): void;
}

/** Subscribes at the current end. Every event appended after this resolves is returned in order, or `next` fails. */
export const openLive = async (connection: Connection, filter: ServerFilter): Promise<Live> => {
  const stream = await connection.read(liveRequest(filter));
  const waiting: RecordedEvent[] = [];
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  let takenMs = 0;
  /** Number of buffered events at which `wake` is called. */
  let wanted = 1;
  let confirm: () => void = () => undefined;
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });

  const fail = (error: Error): void => {
    failure ??= error;
    confirm();
    wake();
  };
  stream.on('data', (response: ReadResp) => {
    try {
      if (response.hasConfirmation()) confirm();
      const raw = response.getEvent()?.getEvent();
      if (raw === undefined) return;
      waiting.push(decodeEvent(raw));
      if (waiting.length >= MAX_WAITING) stream.pause();
      if (waiting.length >= wanted) wake();
    } catch (error) {
      fail(error as Error);
    }
  });
  stream.on('error', fail);
  stream.on('end', () => fail(new Error('the node ended the subscription')));

  /** Waits until this many events are buffered, the stream has failed, the signal fires, or the time is over. */
  const events = async (count: number, ms: number, signal: AbortSignal): Promise<void> => {
    if (waiting.length >= count || failure !== null || signal.aborted) return;
    wanted = count;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      wake = done;
    });
  };

  const close = () => stream.cancel();
  const throwFailure = () => {
    if (failure !== null) throw portError(failure);
  };
  try {
    await within(CONFIRMED_MS, confirmed);
    throwFailure();
  } catch (error) {
    close();
    throw error;
  }

  return {
    next: async (limit, ms, signal) => {
      await events(1, ms, signal);
      const early = takenMs + LINGER_MS - performance.now();
      if (early > 0 && waiting.length > 0) await events(Math.min(limit, MAX_WAITING), early, signal);
      takenMs = performance.now();
      // Events received before the failure are valid.
      if (waiting.length === 0) throwFailure();
      const taken = waiting.splice(0, limit);
      if (waiting.length < MAX_WAITING / 2) stream.resume();
      return taken;
    },
    close,
  };
};

/** Idle time after which the reader gets an empty page that says how far the log has advanced. */
const IDLE_MS = 1_000;

/** Called for each failure that is retried. */
export type OnFailure = (
  error: unknown,
  about: { readonly position: string; readonly delay: number },
) => void;

/**
 * Reads up to the end, subscribes at the end, reads the events in between and continues with the subscription. On failure it starts
 * over after the last event returned. The server is never asked to resume a filtered subscription: if a subscription was left at an
 * event or checkpoint that the filter excludes, server versions differ in what they send next, and some omit the first match.
 * Checkpoints are not needed either: while idle, reads report the progress of the log.
 */
export async function* subscribe(
  connection: Connection,
  after: bigint,
  options: SubscribeOptions,
  onFailure: OnFailure,
): AsyncIterable<EventPage> {
  const { signal, pageSize = PAGE_SIZE } = options;
  const { server, wants } = splitFilter(options);
  let position = after;
  let failures = 0;
  /** Position at which the node last ended the reader for being too slow. Twice at the same position is a failure. */
  let endedAt: bigint | null = null;

  async function* catchUp(): AsyncIterable<EventPage> {
    for await (const page of readPages(connection, position, options)) {
      if (signal.aborted) return;
      position = page.endPosition;
      yield page;
    }
  }

  /** Events as they arrive, until the signal fires. While none arrive, reads say how far the log has advanced. */
  async function* followLive(live: Live): AsyncIterable<EventPage> {
    while (!signal.aborted) {
      const arrived = await live.next(pageSize, IDLE_MS, signal);
      if (signal.aborted) return;
      const news = arrived.filter((event) => event.position > position);
      const last = news.at(-1);
      if (last !== undefined) {
        position = last.position;
        yield { events: news.filter(wants), endPosition: position };
      } else if (arrived.length === 0) {
        const before = position;
        yield* catchUp();
        if (position === before && !signal.aborted) yield { events: [], endPosition: position };
      }
    }
  }

  /** Handles a failure: returns when the next try may begin, at once or after a delay. */
  const retryAfter = async (error: unknown): Promise<void> => {
    // A retry would be rejected again, so the reader has to know.
    if (error instanceof LogRequestRejectedError) throw error;
    // A node buffers few events of a live reader. A lagging reader reads pages instead.
    if (isTooSlow(error) && position !== endedAt) {
      endedAt = position;
      return;
    }
    const delay = backoffMs(READ_BACKOFF, failures);
    failures += 1;
    onFailure(error, { position: String(position), delay });
    await pause(delay, signal);
  };

  while (!signal.aborted) {
    let live: Live | null = null;
    try {
      yield* catchUp();
      if (signal.aborted) break;
      live = await openLive(connection, server ?? NO_SYSTEM);
      yield* catchUp();
      failures = 0;
      yield* followLive(live);
    } catch (error) {
      if (!signal.aborted) await retryAfter(error);
    } finally {
      live?.close();
    }
  }
}
