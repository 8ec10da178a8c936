import { accountEvents } from './accounts/events.ts';
import { engineEvents } from './engines/events.ts';
import { holderEvents } from './holders/events.ts';
import type { EventData } from './log/event-definition.ts';
import { poolEvents } from './pools/events.ts';
import { projectionEvents } from './projection-skips/events.ts';

/** Every event type of every category. */
export const eventTypes = {
  ...accountEvents,
  ...poolEvents,
  ...engineEvents,
  ...holderEvents,
  ...projectionEvents,
};

export type EventType = keyof typeof eventTypes;
export type EventDataOf<Type extends EventType> = EventData<typeof eventTypes>[Type];
