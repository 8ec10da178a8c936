import { z } from 'zod';
import { type EventOf, event } from '../log/event-definition.ts';
import { instant, key, text } from '../log/event-fields.ts';

export const projectionStream = (projection: string): string => `projection-${projection}`;

const number = z.string().regex(/^\d{1,20}$/);

/** An event that a projection can't apply. Identified by ID: positions change if a log is restored elsewhere. */
const subject = {
  at: instant,
  event_id: z.uuid(),
  position: number,
  stream: key(512),
  type: text(100),
};

export const projectionEvents = {
  /** A projection skips an event. */
  ProjectionEventSkipped: event({ ...subject, why: text(2_000) }),
  /**
   * From this event on, a version of a projection puts a stream's events into the dead-letter queue until the
   * stream is retried.
   */
  ProjectionStreamParked: event({
    ...subject,
    version: z.int().positive(),
    /** Revision of the event in its stream. */
    revision: number,
    /** The error of applying it. */
    reason: text(2_000),
    /** Digest of the release that could not apply it; another one may. */
    release: z.string().regex(/^[0-9a-f]{16}$/),
  }),
  /** At this event's position a version of a projection applies the queued events of a stream. */
  ProjectionStreamRetried: event({
    at: instant,
    version: z.int().positive(),
    stream: key(512),
    /** The event that it was parked for. */
    event_id: z.uuid(),
    reason: text(2_000),
  }),
};

/** Type of the event at whose position a parked stream is applied. */
export const STREAM_RETRIED: keyof typeof projectionEvents = 'ProjectionStreamRetried';

export type ProjectionEvent = EventOf<typeof projectionEvents>;
