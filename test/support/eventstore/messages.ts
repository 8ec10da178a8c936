import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams, {
  type BatchAppendReq,
  type BatchAppendResp,
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import type { Appended, Expected, Proposed, StoredEvent } from './store.ts';

const NAMES = 'event_store.client';

const identifier = (stream: string) => {
  const message = new shared.StreamIdentifier();
  message.setStreamName(Buffer.from(stream));
  return message;
};

const uuid = (id: string) => {
  const message = new shared.UUID();
  message.setString(id);
  return message;
};

export const nameOf = (message: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  Buffer.from(message?.getStreamName_asU8() ?? []).toString('utf8');

export const eventMessage = (event: StoredEvent): ReadResp => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(uuid(event.id));
  recorded.setStreamIdentifier(identifier(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(String(event.at));
  recorded.setPreparePosition(String(event.at));
  recorded.getMetadataMap().set('type', event.type);
  recorded.getMetadataMap().set('content-type', event.contentType);
  recorded.getMetadataMap().set('created', String(event.ticks));
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.metadata);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.at));
  const response = new streams.ReadResp();
  response.setEvent(read);
  return response;
};

export const confirmationMessage = (id: string): ReadResp => {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(id);
  const response = new streams.ReadResp();
  response.setConfirmation(confirmation);
  return response;
};

export const checkpointMessage = (at: bigint): ReadResp => {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(at));
  checkpoint.setPreparePosition(String(at));
  const response = new streams.ReadResp();
  response.setCheckpoint(checkpoint);
  return response;
};

export const streamNotFoundMessage = (stream: string): ReadResp => {
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifier(stream));
  const response = new streams.ReadResp();
  response.setStreamNotFound(missing);
  return response;
};

export const proposedOf = (message: BatchAppendReq.ProposedMessage): Proposed => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

export const expectedOf = (options: BatchAppendReq.Options | undefined): Expected =>
  options?.hasAny() === true
    ? 'any'
    : options?.hasNoStream() === true
      ? 'no_stream'
      : BigInt(options?.getStreamPosition() ?? 0);

/** The predicate of the request's filter. */
export const predicateOf = (
  filter: ReadReq.Options.FilterOptions | undefined,
): ((event: StoredEvent) => boolean) => {
  if (filter === undefined) return () => true;
  const by = filter.hasStreamIdentifier() ? 'stream' : 'type';
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  if (prefixes.length > 0) return (event) => prefixes.some((prefix) => event[by].startsWith(prefix));
  const regex = new RegExp(expression?.getRegex() ?? '');
  return (event) => regex.test(event[by]);
};

const failure = (name: string, details: { serializeBinary(): Uint8Array }) => {
  const any = new anyPb.Any();
  any.pack(details.serializeBinary(), `${NAMES}.${name}`);
  const status = new statusPb.Status();
  status.setMessage(name);
  status.setDetails(any);
  return status;
};

const succeeded = (revision: bigint, at: bigint | null) => {
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(revision));
  if (at !== null) {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(String(at));
    position.setPreparePosition(String(at));
    success.setPosition(position);
  }
  return success;
};

export const appendedMessage = (correlation: string, stream: string, appended: Appended): BatchAppendResp => {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(uuid(correlation));
  response.setStreamIdentifier(identifier(stream));
  if (appended.result === 'success') {
    response.setSuccess(succeeded(appended.revision, appended.at));
  } else if (appended.result === 'conflict') {
    const wrong = new shared.WrongExpectedVersion();
    if (appended.current !== null) wrong.setCurrentStreamRevision(String(appended.current));
    response.setError(failure('WrongExpectedVersion', wrong));
  } else {
    const exceeded = new shared.MaximumAppendSizeExceeded();
    exceeded.setMaxappendsize(appended.max);
    response.setError(failure('MaximumAppendSizeExceeded', exceeded));
  }
  return response;
};

/** The answer to an append that was not tried or whose outcome is unknown. */
export const errorMessage = (correlation: string, name: 'Timeout' | 'AccessDenied'): BatchAppendResp => {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(uuid(correlation));
  response.setStreamIdentifier(identifier(''));
  response.setError(failure(name, new shared[name]()));
  return response;
};
