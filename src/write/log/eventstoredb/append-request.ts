import type { ExpectedRevision, NewEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { BatchAppendReq, ProposedMessage } from './messages.ts';

/** The server's default limit of one append. */
const MAX_BYTES = 1024 * 1024;

/** An append that can be sent any number of times. */
export interface AppendRequest {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly messages: readonly ProposedMessage[];
  /** As the server counts them. */
  readonly bytes: number;
}

const messageOf = ({ id, type, data, metadata }: NewEvent) => {
  const bytes = Buffer.from(JSON.stringify(data), 'utf8');
  const about = metadata === undefined ? '' : JSON.stringify(metadata);
  const message: ProposedMessage = {
    id: { string: id },
    metadata: { type, 'content-type': 'application/json' },
    data: bytes,
    ...(about === '' || about === '{}' ? {} : { customMetadata: Buffer.from(about, 'utf8') }),
  };
  // Counted as the server counts.
  return { message, bytes: bytes.length + about.length + 2 * type.length };
};

/**
 * @throws {LogRequestRejectedError} if the events exceed one append. They are not split: a crash in between would
 * leave the append half done. Callers with more have to append several independent batches.
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

const EMPTY = {};

const expectationOf = (expected: ExpectedRevision) => {
  if (expected === 'any') return { any: EMPTY };
  return expected === 'no_stream' ? { noStream: EMPTY } : { streamPosition: Number(expected) };
};

export const batchAppendReqOf = (
  { stream, messages }: AppendRequest,
  correlation: string,
  expected: ExpectedRevision,
): BatchAppendReq => ({
  correlationId: { string: correlation },
  options: { streamIdentifier: { streamName: Buffer.from(stream, 'utf8') }, ...expectationOf(expected) },
  proposedMessages: messages,
  isFinal: true,
});
