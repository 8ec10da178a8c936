import { setTimeout as sleep } from 'node:timers/promises';
import type { Append, AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';
import { type Proposal, propose } from './append-request.ts';
import { createBatchAppend, type Reply } from './batch-append.ts';
import type { Connection } from './connection.ts';
import { portError, within } from './errors.ts';
import { findPriorAppend } from './idempotent-append.ts';
import { readStream } from './read.ts';

export interface AppendLimits {
  /** How long an append whose outcome is in doubt is asked again: longer than keep-alive takes to notice a frozen node. */
  readonly doubtMs: number;
  /** How long one try may take. */
  readonly tryMs: number;
}

const LIMITS: AppendLimits = { doubtMs: 30_000, tryMs: 10_000 };

/**
 * Appends, many at once; those of one stream one after the other, in the order in which they were asked for, so that
 * one that has to be repeated is not overtaken.
 */
export const createAppender = (connection: Connection, { doubtMs, tryMs }: AppendLimits = LIMITS) => {
  const batch = createBatchAppend(connection);
  const last = new Map<string, Promise<unknown>>();
  let closed = false;

  /** The same ids with the same expectation are answered as the first time, so asking again is safe. */
  const persist = async <T>(ask: () => Promise<T>): Promise<T> => {
    const until = Date.now() + doubtMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        const known = portError(error);
        if (known instanceof LogRequestRejectedError) throw known;
        if (Date.now() > until || closed) {
          throw new LogUnavailableError('the event log does not answer', { cause: error });
        }
        await sleep(Math.min(50 * 2 ** attempt, 1_000));
      }
    }
  };

  const outcomeOf = async (stream: string, reply: Reply): Promise<AppendOutcome> => {
    if (reply.status === 'conflict') return reply;
    const { revision, position } = reply;
    if (position !== null) return { status: 'appended', revision, position };
    const [event] = await persist(() =>
      within(tryMs, readStream(connection, stream, { from: revision, limit: 1 })),
    );
    if (event === undefined)
      throw new LogUnavailableError(`an event just appended to ${stream} is not there`);
    return { status: 'appended', revision, position: event.position };
  };

  const appendAt = async (proposal: Proposal, expected: ExpectedRevision): Promise<AppendOutcome> =>
    outcomeOf(proposal.stream, await persist(() => batch.send(proposal, expected, tryMs)));

  /**
   * Of appends at any revision the server remembers only the latest, and none after a restart: so here they are made
   * at the revision at which the stream stands, once it is known not to hold them.
   */
  const appendAnywhere = async (proposal: Proposal): Promise<AppendOutcome> => {
    const { stream, events } = proposal;
    for (;;) {
      const found = await persist(() => within(tryMs, findPriorAppend(connection, stream, events)));
      if (found.outcome !== null) return found.outcome;
      const outcome = await appendAt(proposal, found.last ?? 'no_stream');
      // Another was faster: the stream stands elsewhere now, and may hold these by now.
      if (outcome.status !== 'conflict') return outcome;
    }
  };

  const append = ({ stream, events, expected }: Append): Promise<AppendOutcome> => {
    if (events.length === 0)
      return Promise.reject(new LogRequestRejectedError(`nothing to append to ${stream}`));
    let proposal: Proposal;
    try {
      proposal = propose(stream, events);
    } catch (error) {
      return Promise.reject(error);
    }
    const turn = (last.get(stream) ?? Promise.resolve()).then(() =>
      expected === 'any' ? appendAnywhere(proposal) : appendAt(proposal, expected),
    );
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(stream, settled);
    void settled.then(() => {
      if (last.get(stream) === settled) last.delete(stream);
    });
    return turn;
  };

  return {
    append,
    close: () => {
      closed = true;
    },
  };
};
