import type { ExpectedRevision } from '../port.ts';
import type { AppendRequest } from './append-request.ts';
import { type BatchAppendCall, openBatchAppendCall, type Reply } from './batch-append-call.ts';
import type { Connection } from './connection.ts';
import { within } from './errors.ts';

/**
 * Multiplexes appends over one BatchAppend call. If the call breaks, all pending appends are rejected with unknown
 * outcome, and the next one opens a new call.
 */
export const createBatchAppend = (connection: Connection) => {
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
