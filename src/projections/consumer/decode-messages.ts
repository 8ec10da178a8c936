import { type EventDecoder, EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { decodeMessage, MessageFormatError, readEnvelope } from '../../write/messaging/message.ts';
import type { IncomingMessage } from '../../write/messaging/port.ts';
import type { Projection } from '../projection.ts';
import { subscribes } from '../stalls/skipped-events.ts';

/** What a partition's messages come to, for a reader that has all up to a position. */
export interface Incoming {
  readonly events: readonly RecordedEvent[];
  /** All up to here is in the events, or of no concern. */
  readonly endPosition: bigint;
  /** Offset of the first message that is not dealt with. */
  readonly next: bigint;
  /**
   * Why the messages from `next` on were left: something before them never came, or the first of them can't be read.
   * Null where none was.
   */
  readonly left: 'gap' | EventDeserializationError | null;
}

export interface DecodeContext {
  readonly projection: Projection;
  readonly decoder: EventDecoder;
  /** Ids of events that the projection does without. */
  readonly excludeIds: ReadonlySet<string>;
  /** Whether an event is of a stream that is parked: nobody looks into it. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /** Name of the log: messages of others are not looked at. */
  readonly logId: string;
}

const positionsOf = (message: IncomingMessage, logId: string) => {
  try {
    const envelope = readEnvelope(message);
    return envelope.logId === logId ? envelope : null;
  } catch (error) {
    // Not the relay's. Where it was, and was damaged, the next one tells that it is missing.
    if (error instanceof MessageFormatError) return null;
    throw error;
  }
};

/**
 * Reads a run of one partition's messages: what was seen before is dropped, however often it comes, and nothing is
 * read past something that is missing.
 * @param messages at least one.
 */
export const decodeMessages = (
  messages: readonly IncomingMessage[],
  from: bigint,
  { projection, decoder, excludeIds, isParked, logId }: DecodeContext,
): Incoming => {
  const events: RecordedEvent[] = [];
  let endPosition = from;
  for (const message of messages) {
    const envelope = positionsOf(message, logId);
    if (envelope === null || envelope.position <= endPosition) continue;
    if (envelope.previousPosition > endPosition)
      return { events, endPosition, next: message.offset, left: 'gap' };
    try {
      const event = decodeMessage(message);
      if (subscribes(projection, event)) {
        const passed = decoder.decode(event, { excludeIds, opaque: isParked });
        if (passed !== null) events.push(passed);
      }
    } catch (error) {
      // The log has it as it was.
      if (error instanceof MessageFormatError)
        return { events, endPosition, next: message.offset, left: 'gap' };
      if (error instanceof EventDeserializationError)
        return { events, endPosition, next: message.offset, left: error };
      throw error;
    }
    endPosition = envelope.position;
  }
  const last = messages.at(-1) as IncomingMessage;
  return { events, endPosition, next: last.offset + 1n, left: null };
};
