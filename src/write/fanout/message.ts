import type { Metadata, RecordedEvent } from '../log/port.ts';
import type { IncomingMessage, OutgoingMessage, Partition } from './port.ts';

/** A message is not what the relay sends. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/**
 * The message of an event: what says where it belongs is in the headers, the value is the event's data.
 * @param origin `after` is the position of the event before it in the same partition: whoever has all up to there
 * misses nothing with this one, and whoever has not knows that something is missing.
 */
export const messageOf = (
  event: RecordedEvent,
  { topic, partition }: Partition,
  origin: { readonly log: string; readonly after: bigint },
): OutgoingMessage => ({
  topic,
  partition,
  key: event.stream,
  value: JSON.stringify(event.data),
  headers: {
    log: origin.log,
    position: String(event.position),
    after: String(origin.after),
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
  if (value === undefined) throw new UnreadableMessage(`offset ${message.offset} has no header ${name}`);
  return value;
};

const numberOf = (message: IncomingMessage, name: string): bigint => {
  const text = headerOf(message, name);
  if (!NUMBER.test(text)) {
    throw new UnreadableMessage(`offset ${message.offset} has a header ${name} that is no number`);
  }
  return BigInt(text);
};

/** Which log a message is of, its event's position and the one before it: what decides whether the rest is looked at. */
export const placeInLog = (
  message: IncomingMessage,
): { readonly log: string; readonly position: bigint; readonly after: bigint } => ({
  log: headerOf(message, 'log'),
  position: numberOf(message, 'position'),
  after: numberOf(message, 'after'),
});

/**
 * The event of a message, as the log would have given it; its data still has to pass the log's door.
 * @throws {UnreadableMessage}
 */
export const eventOf = (message: IncomingMessage): RecordedEvent => {
  const { key, value } = message;
  if (key === null || value === null) throw new UnreadableMessage(`offset ${message.offset} is empty`);
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
    throw new UnreadableMessage(`offset ${message.offset} is no JSON`, { cause: error });
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
