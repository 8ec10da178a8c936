import type { Metadata, RecordedEvent } from '../log/port.ts';
import type { IncomingMessage, OutgoingMessage, TopicPartition } from './port.ts';

/** A message that the relay did not write. */
export class MessageFormatError extends Error {
  override readonly name = 'MessageFormatError';
}

/**
 * Encodes an event: envelope in the headers, data as the value.
 * @param source `previousPosition` is the position of the previous event in the same partition, by which consumers
 * detect gaps.
 */
export const encodeMessage = (
  event: RecordedEvent,
  { topic, partition }: TopicPartition,
  source: { readonly logId: string; readonly previousPosition: bigint },
): OutgoingMessage => ({
  topic,
  partition,
  key: event.stream,
  value: JSON.stringify(event.data),
  headers: {
    log_id: source.logId,
    position: String(event.position),
    previous_position: String(source.previousPosition),
    type: event.type,
    id: event.id,
    version: String(event.metadata.version ?? 1),
    revision: String(event.revision),
    recorded_at: event.recorded_at,
    ...(event.metadata.request_id === undefined ? {} : { request_id: event.metadata.request_id }),
  },
  timestampMs: Date.parse(event.recorded_at),
});

const NUMBER = /^\d{1,19}$/;

const textOf = (value: IncomingMessage['headers'][string]): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('latin1') : textOf(value[0]);
};

const headerOf = (message: IncomingMessage, name: string): string => {
  const value = textOf(message.headers[name]);
  if (value === undefined) throw new MessageFormatError(`offset ${message.offset} has no header ${name}`);
  return value;
};

const numberOf = (message: IncomingMessage, name: string): bigint => {
  const text = headerOf(message, name);
  if (!NUMBER.test(text)) {
    throw new MessageFormatError(`offset ${message.offset} has a header ${name} that is not a number`);
  }
  return BigInt(text);
};

/** Reads a message's log ID, position and previous position, which decide whether the rest is decoded. */
export const readEnvelope = (
  message: IncomingMessage,
): { readonly logId: string; readonly position: bigint; readonly previousPosition: bigint } => ({
  logId: headerOf(message, 'log_id'),
  position: numberOf(message, 'position'),
  previousPosition: numberOf(message, 'previous_position'),
});

/**
 * The event of a message, as the log would return it before decoding; its data is not validated yet.
 * @throws {MessageFormatError}
 */
export const decodeMessage = (message: IncomingMessage): RecordedEvent => {
  const { key, value } = message;
  if (key === null || value === null) throw new MessageFormatError(`offset ${message.offset} is empty`);
  const version = numberOf(message, 'version');
  const request = textOf(message.headers.request_id);
  const metadata: Metadata = {
    ...(version === 1n ? {} : { version: Number(version) }),
    ...(request === undefined ? {} : { request_id: request }),
  };
  let data: unknown;
  try {
    data = JSON.parse(value.toString());
  } catch (error) {
    throw new MessageFormatError(`offset ${message.offset} is not JSON`, { cause: error });
  }
  return {
    id: headerOf(message, 'id'),
    stream: key.toString(),
    revision: numberOf(message, 'revision'),
    position: numberOf(message, 'position'),
    type: headerOf(message, 'type'),
    data,
    metadata,
    recorded_at: headerOf(message, 'recorded_at'),
  };
};
