import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { streamIdentifier } from './read-requests.ts';

const { Options, ProposedMessage } = streams.BatchAppendReq;

/** What a server takes in one append where it was not configured otherwise. */
const MAX_BYTES = 1024 * 1024;

/** One append, ready to be sent, any number of times. */
export interface Proposal {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly messages: readonly BatchAppendReq.ProposedMessage[];
}

const uuidOf = (id: string) => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

const errorMessage = ({ id, type, data, metadata }: NewEvent) => {
  const bytes = Buffer.from(JSON.stringify(data), 'utf8');
  const about = metadata === undefined ? '' : JSON.stringify(metadata);
  const message = new ProposedMessage();
  message.setId(uuidOf(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(bytes);
  if (about !== '' && about !== '{}') message.setCustomMetadata(Buffer.from(about, 'utf8'));
  // As the server counts.
  return { message, bytes: bytes.length + about.length + 2 * type.length };
};

/**
 * @throws {LogRequestRejectedError} where the events are more than the server takes at once. They can't be sent in parts: a crash
 * between two would leave an append half done, and it is all or nothing. Whoever has that much has to append it as
 * several, each of which stands for itself.
 */
export const propose = (stream: string, events: readonly NewEvent[]): Proposal => {
  const messages = events.map(errorMessage);
  const bytes = messages.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > MAX_BYTES) {
    throw new LogRequestRejectedError(
      `${events.length} events of ${bytes} bytes are too much for one append to ${stream}: EventStoreDB takes ${MAX_BYTES}`,
    );
  }
  return { stream, events, messages: messages.map(({ message }) => message) };
};

export const appendRequest = (
  { stream, messages }: Proposal,
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
