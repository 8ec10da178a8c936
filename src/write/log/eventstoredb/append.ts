import { APPEND_BACKOFF } from '../../../kernel/backoff.ts';
import { retryForMs } from '../../../kernel/retry.ts';
import type { Append, AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';
import { type AppendRequest, createAppendRequest } from './append-request.ts';
import { createBatchAppend } from './batch-append.ts';
import type { Reply } from './batch-append-call.ts';
import type { Connection } from './connection.ts';
import { portError, within } from './errors.ts';
import { findPriorAppend } from './idempotent-append.ts';
import { readStream } from './read.ts';

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
