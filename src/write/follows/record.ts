import { isDeepStrictEqual } from 'node:util';
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

/** The sweep that a page became part of, and how many events that has so far. */
export interface RecordedPart {
  readonly sweep: string;
  /** Number of its events before this page, and after it. */
  readonly first: number;
  readonly pages: number;
}

/** Events of a stream that are searched for a page: as many as other sweeps may have added in the meantime. */
const LOOK_BACK = 1_000;

/** The newest events of a sweep of a list. */
export const eventsOfSweep = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  sweep: string,
): Promise<readonly FollowsData[]> => {
  const newest = await log.readStream(followsStream(platform, handle), {
    direction: 'backwards',
    limit: LOOK_BACK,
  });
  return newest.map(({ data }) => data as FollowsData).filter(({ sweep: id }) => id === sweep);
};

/** All of a part but when and how it was read. */
const contentsOf = ({ observed_at: _, source: __, surface: ___, ...contents }: FollowsData) => contents;

const eventsOf = (
  part: FollowsPart,
  firstPage: number,
): readonly (NewEvent & { readonly data: FollowsData })[] => {
  const groups = groupsOf(part.members);
  return groups.map((members, n) => {
    const page = firstPage + n;
    const isLast = n === groups.length - 1;
    const data: FollowsData = {
      ...part,
      page,
      members: [...members],
      done: isLast && part.done,
      capped: isLast && part.capped,
    };
    return { id: uuidV5(`follows ${part.sweep} ${page}`), type: 'FollowsSighted', data };
  });
};

/**
 * Appends a page of a sweep. The same members at their position again add nothing. A list that ends or is capped does so with its
 * last event. Other members than the sweep has at that position, as the list moved or was asked for in other portions, break it
 * off: they are recorded as part of another sweep that lacks its beginning, so that the list is not taken for whole at its end.
 * @param firstPage number of the sweep's events before this page.
 * @param newSweep draws the ID of a sweep.
 */
export const recordFollows = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  part: FollowsPart,
  firstPage: number,
  newSweep: () => string,
): Promise<RecordedPart> => {
  const stream = followsStream(platform, handle);
  const events = eventsOf(part, firstPage);
  const { length } = events;
  const { status } = await log.append(stream, events, 'any');
  const kept = { sweep: part.sweep, first: firstPage, pages: firstPage + length };
  if (status === 'appended') return kept;
  const recorded = await eventsOfSweep(log, platform, handle, part.sweep);
  const isRepeated = events.every(({ data }) =>
    recorded.some((known) => isDeepStrictEqual(contentsOf(known), contentsOf(data))),
  );
  if (isRepeated) return kept;
  const broken = newSweep();
  const first = Math.max(1, firstPage);
  await log.append(stream, eventsOf({ ...part, sweep: broken }, first), 'any');
  return { sweep: broken, first, pages: first + length };
};
