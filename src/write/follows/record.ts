import { uuidV5 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { EventData } from '../log/event-definition.ts';
import { fitting } from '../log/event-fields.ts';
import type { EventLog, NewEvent } from '../log/port.ts';
import { type FollowsMember, type followsEvents, followsStream, MEMBERS_BOUNDS } from './events.ts';

export type FollowsData = EventData<typeof followsEvents>['FollowsSighted'];

/** A page of a follower list as it was read, of any length. */
export interface FollowsPart extends Omit<FollowsData, 'page' | 'members'> {
  readonly members: readonly FollowsMember[];
}

/** Members in groups that fit into one event each; one empty group for an empty page. */
const groupsOf = (members: readonly FollowsMember[]): (readonly FollowsMember[])[] => {
  const groups: (readonly FollowsMember[])[] = [];
  for (let from = 0; from < members.length || groups.length === 0; ) {
    const fit = Math.max(1, fitting(members.slice(from), MEMBERS_BOUNDS));
    groups.push(members.slice(from, from + fit));
    from += fit;
  }
  return groups;
};

/**
 * Appends a page of a sweep. The same page again is the same events. A list that ends or is capped does so with its
 * last event.
 * @param firstPage number of the sweep's events before this page.
 * @returns the number of events after it.
 */
export const recordFollows = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  part: FollowsPart,
  firstPage: number,
): Promise<number> => {
  const groups = groupsOf(part.members);
  const events = groups.map((members, n): NewEvent => {
    const page = firstPage + n;
    const isLast = n === groups.length - 1;
    const data = {
      ...part,
      page,
      members: [...members],
      done: isLast && part.done,
      capped: isLast && part.capped,
    } satisfies FollowsData;
    return { id: uuidV5(`follows ${part.sweep} ${page}`), type: 'FollowsSighted', data };
  });
  await log.append(followsStream(platform, handle), events, 'any');
  return firstPage + events.length;
};
