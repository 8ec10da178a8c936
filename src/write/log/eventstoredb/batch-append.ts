import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { type AppendRequest, encodeAppendRequest } from './append-request.ts';
import type { AppendStream, Connection } from './connection.ts';
import { ACCESS, within } from './errors.ts';
import { isPosition, positionOf } from './positions.ts';

/** As in the port, but a server may omit the position of an append that it recognizes as a repetition. */
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
  const error = response.getError();
  if (error !== undefined) return errorReply(error);
  const success = response.getSuccess();
  const [commit, prepare] = [
    success?.getPosition()?.getCommitPosition(),
    success?.getPosition()?.getPreparePosition(),
  ];
  return {
    status: 'appended',
    revision: BigInt(success?.getCurrentRevision() ?? 0),
    position: isPosition(commit) ? positionOf(commit, prepare ?? commit) : null,
  };
};

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

interface Call {
  readonly stream: AppendStream;
  readonly waiting: Map<string, Waiting>;
  /** Set while the send buffer is full. */
  full: Promise<void> | null;
  /** Why the call is closed. */
  ended?: Error;
}

/** Resolves when the send buffer is drained or the call has ended. */
const drained = (call: Call): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      call.full = null;
      call.stream.off('drain', done);
      call.stream.off('close', done);
      resolve();
    };
    call.stream.on('drain', done);
    call.stream.on('close', done);
  });

/**
 * Multiplexes appends over one BatchAppend call. If the call breaks, all pending appends are rejected with unknown
 * outcome, and the next one opens a new call.
 */
export const createBatchAppend = (connection: Connection) => {
  let current: Promise<Call> | null = null;

  const open = async (): Promise<Call> => {
    const call: Call = { stream: await connection.batchAppend(), waiting: new Map(), full: null };
    const end = (error: Error) => {
      call.ended = error;
      for (const { reject } of call.waiting.values()) reject(error);
      call.waiting.clear();
    };
    call.stream.on('data', (response) => {
      const correlation = response.getCorrelationId()?.getString() ?? '';
      const waiting = call.waiting.get(correlation);
      call.waiting.delete(correlation);
      try {
        waiting?.resolve(replyOf(response));
      } catch (error) {
        waiting?.reject(error);
      }
    });
    call.stream.on('error', end);
    call.stream.on('end', () => end(new Error('the node ended the call')));
    return call;
  };

  /** The open call, or a new one. */
  const ready = async (): Promise<Call> => {
    for (;;) {
      const opening = current ?? open();
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

  /** A call that left one append unanswered is closed: its other appends retry over a new call. */
  const abandon = (call: Call): void => {
    call.ended ??= new Error('an append over the same call was not answered');
    call.stream.cancel();
  };

  return {
    /**
     * @throws {LogRequestRejectedError} if the server rejects it; any other error, as a timeout, leaves the outcome
     * unknown.
     */
    send: async (request: AppendRequest, expected: ExpectedRevision, ms: number): Promise<Reply> => {
      const call = await within(ms, ready());
      const correlation = randomUUID();
      const reply = new Promise<Reply>((resolve, reject) => {
        call.waiting.set(correlation, { resolve, reject });
      });
      if (!call.stream.write(encodeAppendRequest(request, correlation, expected)))
        call.full ??= drained(call);
      return within(ms, reply, () => abandon(call));
    },
  };
};
