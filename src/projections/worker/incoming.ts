import { eventOf, placeInLog, UnreadableMessage } from '../../write/fanout/message.ts';
import type { IncomingMessage } from '../../write/fanout/port.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { type ReadDoor, UnreadableEvent } from '../../write/log/read-door.ts';
import type { Projection } from '../projection.ts';
import { subscribes } from '../skips.ts';

/** What a place's messages come to, for a reader that has all up to a position. */
export interface Incoming {
  readonly events: readonly RecordedEvent[];
  /** All up to here is in the events, or of no concern. */
  readonly through: bigint;
  /** Offset of the first message that is not dealt with. */
  readonly next: bigint;
  /**
   * Why the messages from `next` on were left: something before them never came, or the first of them can't be read.
   * Null where none was.
   */
  readonly left: 'gap' | UnreadableEvent | null;
}

export interface Reading {
  readonly projection: Projection;
  readonly readDoor: ReadDoor;
  /** Ids of events that the projection does without. */
  readonly without: ReadonlySet<string>;
  /** Whether an event is of a stream that is parked: nobody looks into it. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /** Name of the log: messages of others are not looked at. */
  readonly log: string;
}

const positionsOf = (message: IncomingMessage, log: string) => {
  try {
    const place = placeInLog(message);
    return place.log === log ? place : null;
  } catch (error) {
    // Not the relay's. Where it was, and was damaged, the next one tells that it is missing.
    if (error instanceof UnreadableMessage) return null;
    throw error;
  }
};

/**
 * Reads a run of one partition's messages: what was seen before is dropped, however often it comes, and nothing is
 * read past something that is missing.
 * @param messages at least one.
 */
export const readMessages = (
  messages: readonly IncomingMessage[],
  from: bigint,
  { projection, readDoor, without, isParked, log }: Reading,
): Incoming => {
  const events: RecordedEvent[] = [];
  let through = from;
  for (const message of messages) {
    const place = positionsOf(message, log);
    if (place === null || place.position <= through) continue;
    if (place.after > through) return { events, through, next: message.offset, left: 'gap' };
    try {
      const event = eventOf(message);
      if (subscribes(projection, event)) {
        const passed = readDoor.pass(event, { without, opaque: isParked });
        if (passed !== null) events.push(passed);
      }
    } catch (error) {
      // The log has it as it was.
      if (error instanceof UnreadableMessage) return { events, through, next: message.offset, left: 'gap' };
      if (error instanceof UnreadableEvent) return { events, through, next: message.offset, left: error };
      throw error;
    }
    through = place.position;
  }
  const last = messages.at(-1) as IncomingMessage;
  return { events, through, next: last.offset + 1n, left: null };
};
