import { accountEvents } from './accounts/events.ts';
import { engineEvents } from './engines/events.ts';
import { followsEvents } from './follows/events.ts';
import { holderEvents } from './holders/events.ts';
import { ladderEvents } from './insights/events.ts';
import { leadEvents } from './leads/events.ts';
import type { EventData } from './log/event-definition.ts';
import { listingEvents } from './marketplace/events.ts';
import { poolEvents } from './pools/events.ts';
import { memberEvents } from './pools/members.ts';
import { projectionEvents } from './projection-control/events.ts';
import { researchEvents } from './research/events.ts';

/** Every event type of every category. */
export const eventTypes = {
  ...accountEvents,
  ...followsEvents,
  ...poolEvents,
  ...memberEvents,
  ...engineEvents,
  ...researchEvents,
  ...ladderEvents,
  ...listingEvents,
  ...leadEvents,
  ...holderEvents,
  ...projectionEvents,
};

export type EventType = keyof typeof eventTypes;
export type EventDataOf<Type extends EventType> = EventData<typeof eventTypes>[Type];
