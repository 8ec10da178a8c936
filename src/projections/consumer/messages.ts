/** Messages of a consumer: as they arrive, and as batches of events. */

import { type EventDecoder, EventDeserializationError } from '../../write/log/codec.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import {
  decodeMessage,
  type Envelope,
  MessageFormatError,
  readEnvelope,
  readSubject,
} from '../../write/messaging/message.ts';
import type { IncomingMessage } from '../../write/messaging/port.ts';
import type { Projection } from '../projection.ts';
import { subscribes } from '../subscription.ts';

/** An event that waits to be applied. */
export interface ReceivedEvent {
  readonly stored: RecordedEvent;
  /** Null if the event is redacted. */
  readonly decoded: RecordedEvent | EventDeserializationError | null;
}

/** A message that waits to be applied, without the bytes it came in. */
export interface ReceivedMessage {
  readonly offset: bigint;
  /** Null if the relay did not write the message. */
  readonly envelope: Envelope | null;
  /** Null if the projection does not subscribe to the event, or if it can't be read: the log has the original. */
  readonly event: ReceivedEvent | MessageFormatError | null;
}

const decoded = (decoder: EventDecoder, stored: RecordedEvent): ReceivedEvent['decoded'] => {
  try {
    return decoder.decode(stored);
  } catch (error) {
    // It may be skipped or belong to a parked stream. The batch that applies it decides.
    if (error instanceof EventDeserializationError) return error;
    throw error;
  }
};

/**
 * Reads messages as they arrive, while the database writes the previous batch: parsing and validating take longer than anything
 * else that a consumer does.
 */
export const createReceiver =
  (projection: Projection, decoder: EventDecoder) =>
  (message: IncomingMessage): ReceivedMessage => {
    const { offset } = message;
    let envelope: Envelope | null = null;
    try {
      envelope = readEnvelope(message);
      const subject = readSubject(message);
      if (!subscribes(projection, subject)) return { offset, envelope, event: null };
      const stored = decodeMessage(message, subject, envelope.position);
      return { offset, envelope, event: { stored, decoded: decoded(decoder, stored) } };
    } catch (error) {
      if (!(error instanceof MessageFormatError)) throw error;
      // The relay writes an envelope, so a message without one is not the relay's. If the relay's message was corrupted, the next
      // message reveals the gap.
      return { offset, envelope, event: error };
    }
  };

/** The events in a batch of one partition's messages that are new to a build at a given position. */
export interface Incoming {
  readonly events: readonly RecordedEvent[];
  /** Every event of the partition up to here is in `events` or irrelevant to the projection. */
  readonly endPosition: bigint;
  /** Offset of the first message that was not processed. */
  readonly next: bigint;
  /**
   * Why messages from `next` on were left: there is a gap before them, or the first of them can't be decoded. Null if none was
   * left.
   */
  readonly left: 'gap' | EventDeserializationError | null;
}

export interface DecodeContext {
  readonly decoder: EventDecoder;
  /** IDs of skipped events. */
  readonly excludeIds: ReadonlySet<string>;
  /** Whether an event's stream is parked; its payload is not decoded then. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /** ID of the log; messages of other logs are ignored. */
  /** Null if no relay has run: then no message belongs to this log. */
  readonly logId: string | null;
}

const asStored = () => true;

/**
 * The events to apply from a batch of one partition's messages. Duplicates are dropped, and reading stops at a gap.
 * @param messages at least one.
 */
export const decodeMessages = (
  messages: readonly ReceivedMessage[],
  from: bigint,
  { decoder, excludeIds, isParked, logId }: DecodeContext,
): Incoming => {
  const events: RecordedEvent[] = [];
  let endPosition = from;
  for (const { offset, envelope, event } of messages) {
    if (envelope === null || envelope.logId !== logId || envelope.position <= endPosition) continue;
    if (envelope.previousPosition > endPosition || event instanceof MessageFormatError) {
      return { events, endPosition, next: offset, left: 'gap' };
    }
    // It may have been redacted or skipped since it arrived.
    if (event !== null && decoder.decode(event.stored, { excludeIds, opaque: asStored }) !== null) {
      const { stored, decoded } = event;
      if (isParked(stored)) events.push(stored);
      else if (decoded instanceof EventDeserializationError) {
        return { events, endPosition, next: offset, left: decoded };
      } else if (decoded !== null) events.push(decoded);
    }
    endPosition = envelope.position;
  }
  const last = messages.at(-1) as ReceivedMessage;
  return { events, endPosition, next: last.offset + 1n, left: null };
};
