import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { streamIdentifier } from './read-requests.ts';

const { Options, ProposedMessage } = streams.BatchAppendReq;

/** The server's default limit of one append. */
const MAX_BYTES = 1024 * 1024;

/** An append that can be sent any number of times. */
export interface AppendRequest {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly messages: readonly BatchAppendReq.ProposedMessage[];
  /** As the server counts them. */
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
