import { z } from 'zod';
import { instant } from '../accounts/reading.ts';
import { type EventOf, event } from '../log/schema.ts';

export const projectionStream = (projection: string): string => `projection-${projection}`;

export const projectionEvents = {
  /** A projection is to do without an event. The id says which; the rest is for people. */
  ProjectionEventSkipped: event({
    at: instant,
    event_id: z.string(),
    /** Where it stood when it was skipped; a log that was restored elsewhere may have it at another. */
    position: z.string(),
    stream: z.string(),
    type: z.string(),
    why: z.string(),
  }),
};

export type ProjectionEvent = EventOf<typeof projectionEvents>;
