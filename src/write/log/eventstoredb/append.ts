import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import streams, {
  type BatchAppendReq,
  type BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { APPEND_BACKOFF, backoffMs, pause, retryForMs, steadyMs } from '../../../kernel/retry.ts';
import {
  type Append,
  type AppendOutcome,
  type ExpectedRevision,
  LogRequestRejectedError,
  LogUnavailableError,
  type NewEvent,
  type RecordedEvent,
} from '../port.ts';
import { ACCESS, type AppendStream, type Connection, portError, within } from './connection.ts';
import { isPosition, positionOf, readStream, streamIdentifier } from './read.ts';

const { Options, ProposedMessage } = streams.BatchAppendReq;

/** The server's default limit of one append. */
const MAX_BYTES = 1024 * 1024;

/** An append that can be sent any number of times. */
export interface AppendRequest {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly messages: readonly BatchAppendReq.ProposedMessage[];
  /** Sizes as the server counts them. */
  readonly bytes: number;
}

const uuidOf = (id: string) => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

const messageOf = ({ id, type, data, metadata }: NewEvent) => {
  const bytes = Buffer.from(JSON.stringify(data), 'utf8');
  const about = metadata === undefined ? '' : JSON.stringify(metadata);
  const message = new ProposedMessage();
  message.setId(uuidOf(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(bytes);
  if (about !== '' && about !== '{}') message.setCustomMetadata(Buffer.from(about, 'utf8'));
  // The same size as the server counts.
  return { message, bytes: bytes.length + about.length + 2 * type.length };
};

/**
 * @throws {LogRequestRejectedError} if the events exceed the limit of one append. They are not split: a crash in between would
 *   leave the append half done. Callers with more events have to make several independent appends.
 */
export const createAppendRequest = (stream: string, events: readonly NewEvent[]): AppendRequest => {
  const messages = events.map(messageOf);
  const bytes = messages.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > MAX_BYTES) {
    throw new LogRequestRejectedError(
      `${events.length} events of ${bytes} bytes exceed one append to ${stream}: EventStoreDB accepts ${MAX_BYTES}`,
    );
  }
  return { stream, events, messages: messages.map(({ message }) => message), bytes };
};

export const batchAppendReqOf = (
  { stream, messages }: AppendRequest,
  correlation: string,
  expected: ExpectedRevision,
): BatchAppendReq => {
  const options = new Options();
  options.setStreamIdentifier(streamIdentifier(stream));
  if (expected === 'any') options.setAny(new shared.Empty());
  else if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuidOf(correlation));
  request.setOptions(options);
  request.setProposedMessagesList([...messages]);
  request.setIsFinal(true);
  return request;
};

/** An outcome as in the port, but a server may omit the position of an append that it recognizes as a repetition. */
export type Reply =
  | Extract<AppendOutcome, { status: 'conflict' }>
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: bigint | null };

const NAME = 'event_store.client.';

/**
 * Returns a conflict; throws {@link LogRequestRejectedError} for a definite rejection; any other error leaves the
 * outcome unknown.
 */
const errorReply = (status: Status): Reply => {
  const details = status.getDetails();
  const name = details?.getTypeName() ?? '';
  if (name === `${NAME}WrongExpectedVersion`) {
    const wrong = details?.unpack(shared.WrongExpectedVersion.deserializeBinary, name);
    const known = wrong?.hasCurrentStreamRevision() === true;
    return { status: 'conflict', revision: known ? BigInt(wrong.getCurrentStreamRevision()) : null };
  }
  if (name === `${NAME}MaximumAppendSizeExceeded`) {
    const max = details?.unpack(shared.MaximumAppendSizeExceeded.deserializeBinary, name);
    throw new LogRequestRejectedError(
      `the events exceed one append: this EventStoreDB accepts ${max?.getMaxappendsize()} bytes`,
    );
  }
  if (name === `${NAME}AccessDenied`) throw new LogRequestRejectedError(ACCESS);
  if (name === `${NAME}StreamDeleted`) throw new LogRequestRejectedError('the stream was hard-deleted');
  if (name === `${NAME}BadRequest`) {
    const bad = details?.unpack(shared.BadRequest.deserializeBinary, name);
    throw new LogRequestRejectedError(`malformed event: ${bad?.getMessage()}`);
  }
  throw new Error(status.getMessage() || name || 'EventStoreDB could not append');
};

const replyOf = (response: BatchAppendResp): Reply => {
  const success = response.getSuccess();
  const error = response.getError();
  if (success === undefined) {
    if (error !== undefined) return errorReply(error);
    throw new Error('EventStoreDB could not append');
  }
  const revision = BigInt(success.getCurrentRevision());
  const at = success.getPosition();
  if (at === undefined) return { status: 'appended', revision, position: null };
  const commit = BigInt(at.getCommitPosition());
  const prepare = BigInt(at.getPreparePosition());
  return { status: 'appended', revision, position: isPosition(commit) ? positionOf(commit, prepare) : null };
};

/** A BatchAppend call, which multiplexes appends. The node writes them to the log in the order in which they were sent. */
export interface BatchAppendCall {
  /** The reason why the call is closed; undefined while it is open. */
  readonly ended: Error | undefined;
  /** Resolves when the send buffer has room or the call has ended; null if there is room. */
  readonly full: Promise<void> | null;
  /**
   * Sends an append at once.
   * @throws {LogRequestRejectedError} if the server rejects it; any other error leaves the outcome unknown.
   */
  send(request: AppendRequest, expected: ExpectedRevision): Promise<Reply>;
  /** Ends the call; its unanswered appends are rejected with unknown outcome. */
  abandon(reason: string): void;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** Resolves when the send buffer is drained or the call has ended. */
const drained = (stream: AppendStream): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });

const openBatchAppendCall = async (connection: Connection): Promise<BatchAppendCall> => {
  const stream = await connection.batchAppend();
  const waiting = new Map<string, Waiting>();
  let full: Promise<void> | null = null;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  stream.on('data', (response) => {
    const correlation = response.getCorrelationId()?.getString() ?? '';
    const one = waiting.get(correlation);
    waiting.delete(correlation);
    try {
      one?.resolve(replyOf(response));
    } catch (error) {
      one?.reject(error);
    }
  });
  stream.on('error', end);
  stream.on('end', () => end(new Error('the node ended the call')));
  return {
    get ended() {
      return ended;
    },
    get full() {
      return full;
    },
    send: (request, expected) => {
      if (ended !== undefined) return Promise.reject(ended);
      const correlation = randomUUID();
      const reply = new Promise<Reply>((resolve, reject) => {
        waiting.set(correlation, { resolve, reject });
      });
      if (!stream.write(batchAppendReqOf(request, correlation, expected))) {
        full ??= drained(stream).then(() => {
          full = null;
        });
      }
      return reply;
    },
    abandon: (reason) => {
      ended ??= new Error(reason);
      stream.cancel();
    },
  };
};

const FIRST_LOOK = 32;
const LOOKAHEAD = 500;
/** Maximum clock skew between writers and nodes. */
const SKEW_MS = 60 * 60 * 1_000;

/** Time of a UUIDv7; null for other versions, which may be as old as their cause. */
const drawnAt = (id: string): number | null =>
  id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

/** Earliest time at which the events can have been recorded; null if unknown. */
const notBefore = (events: readonly NewEvent[]): number | null => {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { id } of events) {
    const at = drawnAt(id);
    if (at === null) return null;
    earliest = Math.min(earliest, at);
  }
  return earliest - SKEW_MS;
};

/** Whether a recorded event equals the event to append. */
const isSame = ({ id, type, data }: NewEvent, recorded: RecordedEvent | undefined): boolean =>
  recorded?.id === id &&
  recorded.type === type &&
  // The value after a round trip through JSON, which drops undefined members.
  isDeepStrictEqual(recorded.data, JSON.parse(JSON.stringify(data)));

interface PriorAppend {
  /**
   * The outcome of the events' first append; a conflict if the stream contains only some of them, not consecutively, or with other
   * contents; null if it contains none of them.
   */
  readonly outcome: AppendOutcome | null;
  /** The stream's last revision; null if it does not exist. */
  readonly last: bigint | null;
}

/**
 * Searches a stream for events, from its end back to an hour before their IDs were drawn, or to its start if that time is unknown.
 */
const findPriorAppend = async (
  connection: Connection,
  stream: string,
  events: readonly NewEvent[],
): Promise<PriorAppend> => {
  const ids = new Set(events.map(({ id }) => id));
  const limit = notBefore(events);
  const found: RecordedEvent[] = [];
  let last: bigint | null = null;
  let from: bigint | undefined;
  for (;;) {
    const size = from === undefined ? FIRST_LOOK : LOOKAHEAD;
    const page = await readStream(connection, stream, {
      direction: 'backwards',
      limit: size,
      ...(from === undefined ? {} : { from }),
    });
    last ??= page[0]?.revision ?? null;
    found.push(...page.filter(({ id }) => ids.has(id)));
    const oldest = page.at(-1);
    if (found.length >= events.length || page.length < size || oldest === undefined || oldest.revision === 0n)
      break;
    if (limit !== null && Date.parse(oldest.recorded_at) < limit) break;
    from = oldest.revision - 1n;
  }
  const [newest] = found;
  if (newest === undefined) return { outcome: null, last };
  const run = found.reverse();
  if (run.length !== events.length || events.some((event, i) => !isSame(event, run[i]))) {
    return { outcome: { status: 'conflict', revision: last }, last };
  }
  return { outcome: { status: 'appended', revision: newest.revision, position: newest.position }, last };
};

/**
 * Multiplexes appends over one BatchAppend call. If the call breaks, all pending appends are rejected with unknown outcome. The
 * next append opens a new call.
 */
const createBatchAppend = (connection: Connection) => {
  let current: Promise<BatchAppendCall> | null = null;

  /** The open call, or a new one. */
  const ready = async (): Promise<BatchAppendCall> => {
    for (;;) {
      const opening = current ?? openBatchAppendCall(connection);
      current = opening;
      try {
        const call = await opening;
        while (call.full !== null) await call.full;
        if (call.ended === undefined) return call;
        if (current === opening) current = null;
      } catch (error) {
        if (current === opening) current = null;
        throw error;
      }
    }
  };

  return {
    /**
     * Closes a call that left an append unanswered. Its other appends retry over a new call.
     * @throws {LogRequestRejectedError} if the server rejects the append. Any other error, as a timeout, leaves the outcome
     *   unknown.
     */
    send: async (request: AppendRequest, expected: ExpectedRevision, ms: number): Promise<Reply> => {
      const call = await within(ms, ready());
      const reply = call.send(request, expected);
      return within(ms, reply, () => call.abandon('an append over the same call was not answered'));
    },
  };
};

export interface AppendLimits {
  /** How long an append with unknown outcome is retried: longer than keep-alive needs to detect a frozen node. */
  readonly doubtMs: number;
  /** Timeout of one attempt. */
  readonly tryMs: number;
}

const APPEND_LIMITS: AppendLimits = { doubtMs: 30_000, tryMs: 10_000 };

/**
 * Appends concurrently. Appends to one stream are serialized in the order of the calls, so that none overtakes one that is being
 * retried.
 */
export const createAppender = (connection: Connection, { doubtMs, tryMs }: AppendLimits = APPEND_LIMITS) => {
  const batch = createBatchAppend(connection);
  const last = new Map<string, Promise<unknown>>();
  let closed = false;

  /** Idempotent: the same IDs and expectation get the same answer, so retrying is safe. */
  const persist = <T>(ask: () => Promise<T>): Promise<T> =>
    retryForMs(doubtMs, APPEND_BACKOFF, ask, (error, isLate) => {
      const known = portError(error);
      if (known instanceof LogRequestRejectedError) throw known;
      if (isLate || closed) throw new LogUnavailableError('event log unavailable', { cause: error });
    });

  const outcomeOf = async (stream: string, reply: Reply): Promise<AppendOutcome> => {
    if (reply.status === 'conflict') return reply;
    const { revision, position } = reply;
    if (position !== null) return { status: 'appended', revision, position };
    const [event] = await persist(() =>
      within(tryMs, readStream(connection, stream, { from: revision, limit: 1 })),
    );
    if (event === undefined) throw new LogUnavailableError(`an event just appended to ${stream} is missing`);
    return { status: 'appended', revision, position: event.position };
  };

  const appendAt = async (request: AppendRequest, expected: ExpectedRevision): Promise<AppendOutcome> =>
    outcomeOf(request.stream, await persist(() => batch.send(request, expected, tryMs)));

  /**
   * For appends at any revision, the server remembers only the latest of them, and none after a restart. So they are sent with the
   * stream's current revision, once it is known that the stream does not contain them.
   */
  const appendAnywhere = async (request: AppendRequest): Promise<AppendOutcome> => {
    const { stream, events } = request;
    for (;;) {
      const found = await persist(() => within(tryMs, findPriorAppend(connection, stream, events)));
      if (found.outcome !== null) return found.outcome;
      const outcome = await (found.last === null ? appendFirst(request) : appendAt(request, found.last));
      // A concurrent append moved the stream. It may have been this append itself.
      if (outcome.status !== 'conflict') return outcome;
    }
  };

  /** A stream of which every event was truncated does not exist for its writers. For the server, its revisions go on. */
  const appendFirst = async (request: AppendRequest): Promise<AppendOutcome> => {
    const outcome = await appendAt(request, 'no_stream');
    if (outcome.status !== 'conflict' || outcome.revision === null) return outcome;
    const { stream, events } = request;
    const found = await persist(() => within(tryMs, findPriorAppend(connection, stream, events)));
    if (found.last !== null) return found.outcome ?? { status: 'conflict', revision: found.last };
    return appendAt(request, outcome.revision);
  };

  const append = ({ stream, events, expected }: Append): Promise<AppendOutcome> => {
    if (events.length === 0)
      return Promise.reject(new LogRequestRejectedError(`nothing to append to ${stream}`));
    let request: AppendRequest;
    try {
      request = createAppendRequest(stream, events);
    } catch (error) {
      return Promise.reject(error);
    }
    const next = (last.get(stream) ?? Promise.resolve()).then(() =>
      expected === 'any'
        ? appendAnywhere(request)
        : expected === 'no_stream'
          ? appendFirst(request)
          : appendAt(request, expected),
    );
    const settled = next.then(
      () => undefined,
      () => undefined,
    );
    last.set(stream, settled);
    void settled.then(() => {
      if (last.get(stream) === settled) last.delete(stream);
    });
    return next;
  };

  return {
    append,
    close: () => {
      closed = true;
    },
  };
};

/**
 * Number of unconfirmed appends in flight: a node writes all waiting appends in one flush, and with this many it never waits for
 * more.
 */
const MAX_IN_FLIGHT = 1_000;
const MAX_IN_FLIGHT_BYTES = 4 * 1024 * 1024;

/** An append that expects a certain revision of its stream. Repeating it has no effect. */
export interface OrderedAppend extends Append {
  readonly expected: Exclude<Append['expected'], 'any'>;
}

interface InFlight {
  readonly stream: string;
  readonly bytes: number;
  readonly reply: Promise<Reply>;
}

/** An append that exceeds the limit fails once all before it are confirmed, as one that the node refuses does. */
const sendOne = (call: BatchAppendCall, { stream, events, expected }: OrderedAppend): InFlight => {
  let request: AppendRequest;
  try {
    request = createAppendRequest(stream, events);
  } catch (error) {
    return { stream, bytes: 0, reply: Promise.reject(error) };
  }
  return { stream, bytes: request.bytes, reply: call.send(request, expected) };
};

/**
 * Makes appends that reach the log in a given order across streams, with many in flight. A node handles the requests of one call
 * one after the other and writes them in that order. So when a call breaks, the node has written the first of them and none of the
 * others. All unconfirmed appends are then sent again in their order over a new call. Each states the revision that its stream must
 * be at, so that the node recognizes those that it has written. Two calls that carry the same sequence, because the node still
 * processes the broken one, result in that sequence.
 *
 * The protocol can't prevent a node from refusing an append and writing later ones of other streams, since a request is conditional
 * on its own stream only. A node that starts up refuses all requests until it is ready. So a new call carries a single append until
 * that one is confirmed, and the caller has to read back what was written.
 * Decision: `docs/adr/0020-restore-into-eventstoredb.md`.
 */
export const createOrderedAppender = (
  connection: Connection,
  { doubtMs, tryMs }: AppendLimits = APPEND_LIMITS,
) => {
  let current: BatchAppendCall | null = null;
  /** Whether an append over the current call was confirmed. */
  let isProven = false;

  const ready = async (): Promise<BatchAppendCall> => {
    if (current !== null && current.ended === undefined) return current;
    isProven = false;
    current = await openBatchAppendCall(connection);
    return current;
  };

  /** Sends appends in their order. Calls `onConfirmed` for each of them in that order, until one fails. */
  const send = async (
    appends: readonly OrderedAppend[],
    onConfirmed: () => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const call = await within(tryMs, ready());
    const inFlight: InFlight[] = [];
    let bytes = 0;
    let next = 0;
    let hasFailed = false;
    const fail = () => {
      hasFailed = true;
    };
    const isWanted = () =>
      next < appends.length &&
      !hasFailed &&
      (inFlight.length === 0 || (isProven && inFlight.length < MAX_IN_FLIGHT && bytes < MAX_IN_FLIGHT_BYTES));
    try {
      while (next < appends.length || inFlight.length > 0) {
        signal.throwIfAborted();
        while (isWanted() && call.full === null) {
          const sent = sendOne(call, appends[next++] as OrderedAppend);
          // The appends after a failed one are sent again with it.
          sent.reply.then(({ status }) => status === 'conflict' && fail(), fail);
          inFlight.push(sent);
          bytes += sent.bytes;
        }
        const [first] = inFlight;
        if (first === undefined || isWanted()) {
          // The send buffer of the connection is full. It may hold less than the appends in flight.
          await within(tryMs, Promise.race([call.full, first?.reply]));
          if (call.full === null || first === undefined) continue;
        }
        const reply = await within(tryMs, first.reply);
        if (reply.status === 'conflict') {
          throw new LogRequestRejectedError(
            `${first.stream} is at revision ${reply.revision ?? 'none'} and not where the append expects it`,
          );
        }
        isProven = true;
        inFlight.shift();
        bytes -= first.bytes;
        onConfirmed();
      }
    } catch (error) {
      call.abandon('an earlier append over the same call failed');
      throw error;
    }
  };

  return {
    /**
     * @throws {LogRequestRejectedError} if an append is rejected or its stream is at another revision. The appends before it are in
     *   the log; some of those after it may be.
     * @throws {LogUnavailableError} if the node confirms none for longer than an append may be in doubt, with the same
     *   consequences.
     */
    append: async (
      appends: readonly OrderedAppend[],
      { signal }: { readonly signal: AbortSignal },
    ): Promise<void> => {
      let confirmed = 0;
      let until = steadyMs() + doubtMs;
      for (let failures = 0; ; failures++) {
        const before = confirmed;
        try {
          await send(
            appends.slice(confirmed),
            () => {
              confirmed += 1;
            },
            signal,
          );
          return;
        } catch (error) {
          signal.throwIfAborted();
          const known = portError(error);
          if (known instanceof LogRequestRejectedError) throw known;
          if (confirmed > before) {
            failures = 0;
            until = steadyMs() + doubtMs;
          }
          if (steadyMs() > until) throw new LogUnavailableError('event log unavailable', { cause: error });
          await pause(backoffMs(APPEND_BACKOFF, failures), signal);
        }
      }
    },
  };
};
