import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { appendRequest, type Proposal } from './append-request.ts';
import type { AppendStream, Connection } from './connection.ts';
import { ACCESS, within } from './errors.ts';
import { isPosition, positionOf } from './positions.ts';

/** As the port's, but a server may leave out where an append that it takes for a repetition stands. */
export type Reply =
  | Extract<AppendOutcome, { status: 'conflict' }>
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: bigint | null };

const NAME = 'event_store.client.';

/** A conflict as a value; a definite no as {@link LogRequestRejectedError}; anything else leaves open what became of the append. */
const errorReply = (status: Status): Reply => {
  const details = status.getDetails();
  const name = details?.getTypeName() ?? '';
  if (name === `${NAME}WrongExpectedVersion`) {
    const wrong = details?.unpack(shared.WrongExpectedVersion.deserializeBinary, name);
    const known = wrong?.hasCurrentStreamRevision() === true;
    return { status: 'conflict', revision: known ? BigInt(wrong.getCurrentStreamRevision()) : null };
  }
  if (name === `${NAME}MaximumAppendSizeExceeded`) {
    const most = details?.unpack(shared.MaximumAppendSizeExceeded.deserializeBinary, name);
    throw new LogRequestRejectedError(
      `the events are too much for one append: this EventStoreDB takes ${most?.getMaxappendsize()} bytes`,
    );
  }
  if (name === `${NAME}AccessDenied`) throw new LogRequestRejectedError(ACCESS);
  if (name === `${NAME}StreamDeleted`) throw new LogRequestRejectedError('the stream was deleted for good');
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
  /** Set while what was written is still to leave. */
  full: Promise<void> | null;
  /** Why no more can be sent. */
  ended?: Error;
}

/** Over when what was written has left, or the call has ended. */
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
 * Sends appends over one call, as many at once as there are; answers come as the server has them. Where the call
 * breaks, all that wait are rejected, in doubt, and the next append opens another.
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

  /** A call that appends can be sent over. */
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

  /** What does not answer one append is not trusted with the next: all that wait try again over another call. */
  const abandon = (call: Call): void => {
    call.ended ??= new Error('an append over the same call was not answered');
    call.stream.cancel();
  };

  return {
    /**
     * @throws {LogRequestRejectedError} where the server will not have it; anything else where what became of it is not known, as
     * when there was no answer in time.
     */
    send: async (proposal: Proposal, expected: ExpectedRevision, ms: number): Promise<Reply> => {
      const call = await within(ms, ready());
      const correlation = randomUUID();
      const reply = new Promise<Reply>((resolve, reject) => {
        call.waiting.set(correlation, { resolve, reject });
      });
      if (!call.stream.write(appendRequest(proposal, correlation, expected))) call.full ??= drained(call);
      return within(ms, reply, () => abandon(call));
    },
  };
};
