import { accountEvents } from './accounts/account.ts';
import { alarmEvents } from './alarms.ts';
import { engineEvents } from './engines.ts';
import { requestEvents, subjectEvents } from './erasure/subject.ts';
import { followsEvents } from './follows.ts';
import { holderEvents } from './holders/holder.ts';
import { ladderEvents } from './insights.ts';
import { leadEvents } from './leads.ts';
import { linkPageEvents } from './link-pages.ts';
import type { EventData } from './log/event-definition.ts';
import { listingEvents } from './marketplace/listing.ts';
import { operatorEvents } from './operators.ts';
import { memberEvents, poolEvents } from './pools/pool.ts';
import { projectionEvents } from './projection-control.ts';
import { researchEvents } from './research/research.ts';
import { secretEvents } from './secrets.ts';
import { upkeepEvents } from './upkeep.ts';

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
  ...linkPageEvents,
  ...holderEvents,
  ...projectionEvents,
  ...alarmEvents,
  ...upkeepEvents,
  ...secretEvents,
  ...operatorEvents,
  ...subjectEvents,
  ...requestEvents,
};

export type EventType = keyof typeof eventTypes;
export type EventDataOf<Type extends EventType> = EventData<typeof eventTypes>[Type];
