import type { FollowsMember } from '../../../write/follows/events.ts';
import { FetchError, type Http, type HttpRequest, type Page } from '../../http/port.ts';
import type { FollowsReading, UnknownReason } from '../adapter.ts';
import { isAnswerTo } from './final-address.ts';
import { REASON_OF, uncached } from './read-surfaces.ts';

export const unknownFollows = (
  surface: string,
  reason: UnknownReason,
  detail: string,
  retryAfterMs?: number | null,
): FollowsReading => ({
  status: 'unknown',
  surface,
  reason,
  detail: detail.slice(0, 300),
  ...(retryAfterMs == null ? {} : { retryAfterMs }),
});

const readOnce = async (
  http: Http,
  surface: string,
  request: HttpRequest,
  parse: (page: Page) => FollowsReading,
): Promise<FollowsReading> => {
  let page: Page;
  try {
    page = await http.fetch(request);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return unknownFollows(surface, REASON_OF[error.reason], error.message, error.retryAfterMs);
  }
  if (!isAnswerTo(request, page))
    return unknownFollows(surface, 'other_address', 'The answer came from another address than the list’s');
  try {
    return parse(page);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return unknownFollows(surface, 'layout_changed', `The page could not be read: ${detail}`);
  }
};

/** Replies that have to agree where they name no owner, so that each might be about another one's list. */
const AGREEING = 3;

/** Fetches and parses one page of a follower list. Never throws for a platform's behaviour. */
export const readFollowsPage = async (
  http: Http,
  surface: string,
  request: HttpRequest,
  parse: (page: Page) => FollowsReading,
): Promise<FollowsReading> => {
  const first = await readOnce(http, surface, request, parse);
  if (first.status === 'present' || first.status === 'unknown') return first;
  for (let agreeing = 1; agreeing < AGREEING; agreeing++) {
    const other = await readOnce(http, surface, uncached(request), parse);
    if (other.status === 'present' || other.status === 'unknown') return other;
    if (other.status !== first.status)
      return unknownFollows(surface, 'unconfirmed', `The list is ${first.status}, and then ${other.status}`);
  }
  return first;
};

/** A native ID that an event can hold, which a lookup key must be. */
export const membersOf = (
  found: readonly { readonly id: string | null; readonly handle: string | null }[],
): FollowsMember[] => {
  const members = new Map<string, FollowsMember>();
  for (const { id, handle } of found) if (id !== null && !members.has(id)) members.set(id, { id, handle });
  return [...members.values()];
};
