import { type EventDecoder, EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { decodeMessage, MessageFormatError, readEnvelope } from '../../write/messaging/message.ts';
import type { IncomingMessage } from '../../write/messaging/port.ts';
import type { Projection } from '../projection.ts';
import { subscribes } from '../stalls/skipped-events.ts';

/** The events in a batch of one partition's messages that are new to a build at a given position. */
export interface Incoming {
  readonly events: readonly RecordedEvent[];
  /** Every event of the partition up to here is in `events` or irrelevant to the projection. */
  readonly endPosition: bigint;
  /** Offset of the first message that was not processed. */
  readonly next: bigint;
  /**
   * Why messages from `next` on were left: a gap before them, or the first of them can't be decoded. Null if none
   * was left.
   */
  readonly left: 'gap' | EventDeserializationError | null;
}

export interface DecodeContext {
  readonly projection: Projection;
  readonly decoder: EventDecoder;
  /** IDs of skipped events. */
  readonly excludeIds: ReadonlySet<string>;
  /** Whether an event's stream is parked; its payload is not decoded then. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /** ID of the log; messages of other logs are ignored. */
  readonly logId: string;
}

const positionsOf = (message: IncomingMessage, logId: string) => {
  try {
    const envelope = readEnvelope(message);
    return envelope.logId === logId ? envelope : null;
  } catch (error) {
    // Not written by the relay. If it was one of its messages and is corrupt, the next one reveals the gap.
    if (error instanceof MessageFormatError) return null;
    throw error;
  }
};

/**
 * Decodes a batch of one partition's messages. Duplicates are dropped, and decoding stops at a gap.
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
      // The log has the original.
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
