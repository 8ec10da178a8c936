import type { FollowsMember } from '../../../write/follows.ts';
import { FetchError, type Http, type HttpRequest, type Page } from '../../http/port.ts';
import type { FollowsReading, UnknownReason } from '../adapter.ts';
import { agreedAnswer } from './confirmation.ts';
import { REASON_OF } from './read-surfaces.ts';
import { isAnswerTo } from './surface.ts';

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

/** Fetches and parses one page of a follower list. Never throws for a platform's behaviour. */
export const readFollowsPage = (
  http: Http,
  surface: string,
  request: HttpRequest,
  parse: (page: Page) => FollowsReading,
): Promise<FollowsReading> =>
  agreedAnswer<FollowsReading>({
    request,
    ask: (given) => readOnce(http, surface, given, parse),
    isVerdict: ({ status }) => status !== 'present' && status !== 'unknown',
    unconfirmed: (first, other) =>
      unknownFollows(surface, 'unconfirmed', `The list is ${first.status}, and then ${other.status}`),
  });

/** A native ID that an event can hold, which a lookup key must be. */
export const membersOf = (
  found: readonly { readonly id: string | null; readonly handle: string | null }[],
): FollowsMember[] => {
  const members = new Map<string, FollowsMember>();
  for (const { id, handle } of found) if (id !== null && !members.has(id)) members.set(id, { id, handle });
  return [...members.values()];
};

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
