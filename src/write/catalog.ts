import { accountEvents } from './accounts/events.ts';
import { engineEvents } from './engines/events.ts';
import { holderEvents } from './holders/events.ts';
import type { EventData } from './log/schema.ts';
import { poolEvents } from './pools/events.ts';
import { projectionEvents } from './projections/events.ts';

/** Every event type of every family. */
export const eventCatalog = {
  ...accountEvents,
  ...poolEvents,
  ...engineEvents,
  ...holderEvents,
  ...projectionEvents,
};

export type EventType = keyof typeof eventCatalog;
export type EventDataOf<Type extends EventType> = EventData<typeof eventCatalog>[Type];
