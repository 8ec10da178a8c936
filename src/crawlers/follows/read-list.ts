import { randomUUID } from 'node:crypto';
import { type Clock, isoOf } from '../../kernel/clock.ts';
import { endsEarly, eventsOfSweep, recordFollows } from '../../write/follows.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { Http } from '../http/port.ts';
import type { FollowsReading, PlatformAdapter } from '../platforms/adapter.ts';
import type { RequestQuota } from './request-quota.ts';
import type { Sweep, SweepStore, SweptList } from './sweep-store.ts';

/** How the reading of a list ended, or was interrupted. */
export type ListEnd =
  | { readonly status: 'done' | 'capped' | 'busy' | 'stopped' }
  /** What the platform said instead of a page. */
  | { readonly status: 'private' | 'suspended' | 'deactivated' | 'absent' }
  | { readonly status: 'unknown'; readonly reason: string; readonly detail: string }
  /** No request is left until then. */
  | { readonly status: 'quota_spent'; readonly until: string };

export interface ListReading {
  readonly end: ListEnd;
  /** Members read so far, by this call and those before it. */
  readonly members: number;
  /** Requests of this call. */
  readonly requests: number;
}

/**
 * Number of the sweep's next event. Beyond the noted one if a crash prevented the note: the page is then read again, and
 * recorded as a further one, since a list may have moved in the meantime.
 */
const nextPage = async (log: EventLog, { platform, handle }: SweptList, sweep: Sweep): Promise<number> => {
  const recorded = await eventsOfSweep(log, platform, handle, sweep.id);
  return Math.max(sweep.pages, ...recorded.map(({ page }) => page + 1));
};

/**
 * Reads a list from where it was left off until it ends, is capped, or can't be read further. Every page is recorded
 * before its position is noted, so that a crash loses nothing.
 * @param options.most members of a list at most.
 * @param options.onMembers called with the members read so far.
 */
export const readList = async (options: {
  readonly adapter: PlatformAdapter;
  readonly list: SweptList;
  readonly http: Http;
  readonly log: EventLog;
  readonly sweeps: SweepStore;
  readonly quota: RequestQuota;
  readonly clock: Clock;
  readonly most: number;
  /** Members that the owner's profile states; null if unknown. */
  readonly stated: number | null;
  readonly signal: AbortSignal;
  readonly onMembers: (members: number) => void;
}): Promise<ListReading> => {
  const { adapter, list, http, log, sweeps, quota, clock, most, signal } = options;
  const { readFollows } = adapter;
  if (readFollows === undefined) throw new TypeError(`${adapter.name} shows no lists`);
  const claimed = await sweeps.claim(list);
  if (claimed === null) return { end: { status: 'busy' }, members: 0, requests: 0 };
  let sweep: Sweep = claimed;
  let requests = 0;

  const record = async (page: Extract<FollowsReading, { status: 'present' }>): Promise<ListEnd | null> => {
    const members = page.members.slice(0, most - sweep.members);
    const isCapped =
      members.length < page.members.length ||
      (page.cursor !== null && sweep.members + members.length >= most);
    const isEarly = endsEarly(sweep.members + members.length, options.stated);
    const isDone = page.cursor === null && !isCapped && !isEarly;
    const recorded = await recordFollows(
      log,
      list.platform,
      list.handle,
      {
        observed_at: isoOf(clock.now()),
        source: 'crawler',
        surface: page.surface,
        direction: list.direction,
        owner: list.owner,
        sweep: sweep.id,
        members,
        order: page.order,
        done: isDone,
        capped: isCapped || (page.cursor === null && isEarly),
      },
      sweep.pages,
      randomUUID,
    );
    // Another process has written to the sweep: the list is read again from its start.
    const isBroken = recorded.sweep !== sweep.id;
    sweep = { ...sweep, cursor: page.cursor, pages: recorded.pages, members: sweep.members + members.length };
    options.onMembers(sweep.members);
    if (isDone || isCapped || isBroken || page.cursor === null) {
      await sweeps.end(list);
      return { status: isDone && !isBroken ? 'done' : 'capped' };
    }
    await sweeps.advance(list, sweep);
    return null;
  };

  const readPages = async (): Promise<ListEnd> => {
    for (;;) {
      if (signal.aborted) return { status: 'stopped' };
      const until = await quota.take();
      if (until !== null) return { status: 'quota_spent', until };
      requests += 1;
      const { owner, direction } = list;
      const page = await readFollows(owner, direction, { http, cursor: sweep.cursor });
      if (page.status === 'present') {
        const end = await record(page);
        if (end !== null) return end;
      } else if (page.status === 'unknown') {
        return { status: 'unknown', reason: page.reason, detail: page.detail };
      } else {
        await sweeps.end(list);
        return { status: page.status };
      }
    }
  };

  try {
    sweep = { ...claimed, pages: await nextPage(log, list, claimed) };
    const end = await readPages();
    return { end, members: sweep.members, requests };
  } finally {
    await sweeps.release(list);
  }
};
