import { type EventDecoder, EventDeserializationError } from '../../write/log/codec/decoder.ts';
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
import { subscribes } from '../subscription/subscription.ts';

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
    // It may be skipped, or of a parked stream: the batch that applies it decides.
    if (error instanceof EventDeserializationError) return error;
    throw error;
  }
};

/**
 * Reads messages as they arrive, while the database writes the batch before them: parsing and validating take longer
 * than anything else a consumer does.
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
      // Without an envelope the relay did not write it. If it did and the message is corrupt, the next one reveals the gap.
      return { offset, envelope, event: error };
    }
  };
