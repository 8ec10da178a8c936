import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { type AppendRequest, batchAppendReqOf } from './append-request.ts';
import type { AppendStream, Connection } from './connection.ts';
import { ACCESS } from './errors.ts';
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
  /** Why the call is closed; undefined while it is open. */
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

export const openBatchAppendCall = async (connection: Connection): Promise<BatchAppendCall> => {
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
