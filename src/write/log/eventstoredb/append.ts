import { isDeepStrictEqual } from 'node:util';
import { APPEND_BACKOFF } from '../../../kernel/backoff.ts';
import { retryForMs } from '../../../kernel/retry.ts';
import {
  type Append,
  type AppendOutcome,
  type ExpectedRevision,
  LogRequestRejectedError,
  LogUnavailableError,
  type NewEvent,
  type RecordedEvent,
} from '../port.ts';
import { type AppendRequest, createAppendRequest } from './append-request.ts';
import { type BatchAppendCall, openBatchAppendCall, type Reply } from './batch-append-call.ts';
import type { Connection } from './connection.ts';
import { portError, within } from './errors.ts';
import { readStream } from './read.ts';

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

/** Whether an event stands in its stream as it is to be appended. */
const isSame = ({ id, type, data }: NewEvent, recorded: RecordedEvent | undefined): boolean =>
  recorded?.id === id &&
  recorded.type === type &&
  // As JSON has it: without what is undefined.
  isDeepStrictEqual(recorded.data, JSON.parse(JSON.stringify(data)));

interface PriorAppend {
  /**
   * The outcome of the events' first append; a conflict if the stream contains only some of them, not consecutively, or
   * with other contents; null if it contains none.
   */
  readonly outcome: AppendOutcome | null;
  /** The stream's last revision; null if it does not exist. */
  readonly last: bigint | null;
}

/**
 * Searches a stream for events, from its end back to an hour before their IDs were drawn, or to the start if that
 * is unknown.
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
 * Multiplexes appends over one BatchAppend call. If the call breaks, all pending appends are rejected with unknown
 * outcome, and the next one opens a new call.
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
     * A call that left one append unanswered is closed: its other appends retry over a new call.
     * @throws {LogRequestRejectedError} if the server rejects it; any other error, as a timeout, leaves the outcome
     * unknown.
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

export const APPEND_LIMITS: AppendLimits = { doubtMs: 30_000, tryMs: 10_000 };

/**
 * Appends concurrently; appends to one stream are serialized in the order of the calls, so that a retried one is
 * not overtaken.
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
   * For appends at any revision the server remembers only the latest, and none after a restart. So they are sent
   * with the stream's current revision, once it is known not to contain them.
   */
  const appendAnywhere = async (request: AppendRequest): Promise<AppendOutcome> => {
    const { stream, events } = request;
    for (;;) {
      const found = await persist(() => within(tryMs, findPriorAppend(connection, stream, events)));
      if (found.outcome !== null) return found.outcome;
      const outcome = await appendAt(request, found.last ?? 'no_stream');
      // A concurrent append moved the stream, and may have been this one.
      if (outcome.status !== 'conflict') return outcome;
    }
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
      expected === 'any' ? appendAnywhere(request) : appendAt(request, expected),
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
