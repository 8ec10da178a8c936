/** Link pages: what their owners list on them. */

import { isoOf } from '../kernel/clock.ts';
import { uuidV5 } from '../kernel/ids.ts';
import { event, fitting, instant, key, link, list } from './log/event-definition.ts';
import type { EventLog } from './log/port.ts';

/** Characters of a page's address. */
const MAX_PAGE = 200;
const PREFIX = 'linkpage-';

/** @param page its address without scheme, as `linktr.ee/nasa`. */
export const linkPageStream = (page: string): string => `${PREFIX}${page}`;
export const linkPageOf = (stream: string): string => stream.slice(PREFIX.length);

/** More links than a person has; directories list more, and none of theirs is evidence. */
const LINKS = { max: 200, maxChars: 50_000, charsOf: (one: string) => one.length };

export const linkPageEvents = {
  /** A page as it was read, whether or not it has changed. */
  LinkPageRead: event({
    observed_at: instant,
    page: key(MAX_PAGE),
    /** Addresses that it lists; null if there is no such page. */
    links: list(link, LINKS).nullable(),
  }),
};

/** Records a reading. The same reading again is the same event. */
export const recordLinkPage = async (
  log: EventLog,
  page: string,
  links: readonly string[] | null,
  atMs: number,
): Promise<void> => {
  const observed_at = isoOf(atMs);
  const valid = links?.filter((each) => link.safeParse(each).success) ?? null;
  const kept = valid?.slice(0, fitting(valid, LINKS)) ?? null;
  const id = uuidV5(`link page ${page} ${observed_at}`);
  const data = { observed_at, page, links: kept };
  await log.append(linkPageStream(page), [{ id, type: 'LinkPageRead', data }], 'any');
};
