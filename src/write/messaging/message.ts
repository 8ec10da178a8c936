/** Topics of the stream categories, and the format of messages. */

import type { Metadata, RecordedEvent } from '../log/port.ts';
import type { IncomingMessage, OutgoingMessage, TopicPartition } from './port.ts';

/**
 * The topics, by stream category. A partition count must never change: streams would move between partitions unnoticed by
 * consumers. Holders and ladders are never published.
 */
export interface Topic {
  /** Prefix of its partitions in checkpoints, as in `accounts/17`. */
  readonly name: string;
  /** Name on the brokers. */
  readonly topic: string;
  readonly partitions: number;
  readonly streamPrefixes: readonly string[];
}

const topic = (name: string, partitions: number, ...streamPrefixes: string[]): Topic => ({
  name,
  topic: `sightline.${name}`,
  partitions,
  streamPrefixes,
});

export const TOPICS: readonly Topic[] = [
  topic('accounts', 64, 'account-', 'follows-', 'linkpage-'),
  topic('pools', 8, 'pool-', 'members-'),
  topic('engines', 8, 'engine-'),
  topic('research', 8, 'research-'),
  topic('marketplace', 16, 'listing-'),
  topic('leads', 16, 'company-', 'decisionmaker-'),
];

/** Topic and partition of a stream. */
export interface TopicAssignment {
  readonly topic: Topic;
  readonly partition: number;
}

/** The partition of a stream; null if its category is not published. Computed as Kafka does: murmur2 of the key. */
export const partitionFor = (stream: string): TopicAssignment | null => {
  for (const candidate of TOPICS) {
    if (candidate.streamPrefixes.some((prefix) => stream.startsWith(prefix))) {
      return { topic: candidate, partition: (murmur2(stream) & 0x7f_ff_ff_ff) % candidate.partitions };
    }
  }
  return null;
};

/** A partition's name in a checkpoint: `accounts/17`. */
export const partitionKey = (topicName: string, partition: number): string => `${topicName}/${partition}`;

/** A message that the relay did not write. */
export class MessageFormatError extends Error {
  override readonly name = 'MessageFormatError';
}

/**
 * Encodes an event: the envelope in the headers, the data as the value.
 * @param source `previousPosition` is the position of the previous event in the same partition, by which consumers detect gaps.
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
    ...(event.metadata.actor === undefined ? {} : { actor: encodeURIComponent(event.metadata.actor) }),
    ...(event.metadata.reason === undefined ? {} : { reason: encodeURIComponent(event.metadata.reason) }),
  },
  timestampMs: Date.parse(event.recorded_at),
});

const NUMBER = /^\d{1,19}$/;
/** Numbers with at most this many digits are exact as a double. */
const EXACT_DIGITS = 15;

const textOf = (value: IncomingMessage['headers'][string]): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('latin1') : textOf(value[0]);
};

const headerOf = (message: IncomingMessage, name: string): string => {
  const value = textOf(message.headers[name]);
  if (value === undefined) throw new MessageFormatError(`offset ${message.offset} has no header ${name}`);
  return value;
};

/** The number of a short run of digits, read without a string in between; null for anything else. */
const shortNumber = (bytes: Buffer): number | null => {
  if (bytes.length === 0 || bytes.length > EXACT_DIGITS) return null;
  let number = 0;
  for (let i = 0; i < bytes.length; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
};

const numberOf = (message: IncomingMessage, name: string): bigint => {
  const value = message.headers[name];
  const short = Buffer.isBuffer(value) ? shortNumber(value) : null;
  if (short !== null) return BigInt(short);
  const text = headerOf(message, name);
  if (!NUMBER.test(text)) {
    throw new MessageFormatError(`offset ${message.offset} has a header ${name} that is not a number`);
  }
  return BigInt(text);
};

/** The headers that decide whether the rest of a message is decoded. */
export interface Envelope {
  readonly logId: string;
  readonly position: bigint;
  /** Position of the previous event in the same partition. */
  readonly previousPosition: bigint;
}

/** @throws {MessageFormatError} */
export const readEnvelope = (message: IncomingMessage): Envelope => ({
  logId: headerOf(message, 'log_id'),
  position: numberOf(message, 'position'),
  previousPosition: numberOf(message, 'previous_position'),
});

/** The headers that decide whether a reader subscribes to an event. */
export type EventSubject = Pick<RecordedEvent, 'type' | 'stream'>;

/** Type and stream of a message's event. @throws {MessageFormatError} */
export const readSubject = (message: IncomingMessage): EventSubject => {
  if (message.key === null) throw new MessageFormatError(`offset ${message.offset} has no key`);
  return { type: headerOf(message, 'type'), stream: message.key.toString() };
};

/**
 * The event of a message, as the log would return it before decoding; its data is not validated yet.
 * @throws {MessageFormatError}
 */
export const decodeMessage = (
  message: IncomingMessage,
  { type, stream }: EventSubject = readSubject(message),
  position: bigint = numberOf(message, 'position'),
): RecordedEvent => {
  const { value } = message;
  if (value === null) throw new MessageFormatError(`offset ${message.offset} is empty`);
  const version = numberOf(message, 'version');
  const request = textOf(message.headers.request_id);
  const actor = textOf(message.headers.actor);
  const reason = textOf(message.headers.reason);
  const metadata: Metadata = {
    ...(version === 1n ? {} : { version: Number(version) }),
    ...(request === undefined ? {} : { request_id: request }),
    ...(actor === undefined ? {} : { actor: decodeURIComponent(actor) }),
    ...(reason === undefined ? {} : { reason: decodeURIComponent(reason) }),
  };
  let data: unknown;
  try {
    data = JSON.parse(value.toString());
  } catch (error) {
    throw new MessageFormatError(`offset ${message.offset} is not JSON`, { cause: error });
  }
  return {
    id: headerOf(message, 'id'),
    stream,
    revision: numberOf(message, 'revision'),
    position,
    type,
    data,
    metadata,
    recorded_at: headerOf(message, 'recorded_at'),
  };
};

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * 32-bit MurmurHash2 as Kafka's default partitioner uses it, so that any client computes the same partition.
 * Source: https://github.com/aappleby/smhasher/blob/master/src/MurmurHash2.cpp and Kafka's `Utils.murmur2`.
 */
export const murmur2 = (text: string): number => {
  const data = Buffer.from(text);
  const { length } = data;
  let h = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let k = Math.imul(data.readInt32LE(at), M);
    k = Math.imul(k ^ (k >>> 24), M);
    h = Math.imul(h, M) ^ k;
  }
  const rest = length - at;
  if (rest > 0) {
    for (let i = rest - 1; i >= 0; i--) h ^= (data[at + i] as number) << (8 * i);
    h = Math.imul(h, M);
  }
  h ^= h >>> 13;
  h = Math.imul(h, M);
  return h ^ (h >>> 15);
};
