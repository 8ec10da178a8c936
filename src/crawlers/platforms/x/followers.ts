import { boundedProfile, type Profile } from '../../../write/accounts/profile.ts';
import type { FollowDirection } from '../../../write/follows.ts';
import type { Page } from '../../http/port.ts';
import type { FollowsOptions, FollowsReading } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { membersOf, readFollowsPage, unknownFollows } from '../shared/follows.ts';
import { at, boolAt, idAt, isObject, type Json, parseJson, textAt } from '../shared/json-access.ts';
import { otherStatus, statusReason } from '../shared/reading-outcomes.ts';
import { errorOf, graphqlRequest, type XOperation, type XOperations } from './graphql.ts';
import { bottomCursorOf, instructionsOf, itemsIn } from './tweet.ts';
import { userOf } from './user.ts';

/** Reads one page of an account's followers, or of those it follows. Needs a session. */
export const createReadFollows =
  (operations: XOperations) =>
  async (owner: string, direction: FollowDirection, options: FollowsOptions): Promise<FollowsReading> => {
    const variables = {
      userId: owner,
      count: Math.min(options.limit ?? PAGE_SIZE, PAGE_SIZE),
      includePromotedContent: false,
      ...(options.cursor === null ? {} : { cursor: options.cursor }),
    };
    const request = graphqlRequest(operations, OPERATION[direction], variables, options.session);
    return readFollowsPage(options.http, 'graphql', request, parse);
  };

const OPERATION: Readonly<Record<FollowDirection, XOperation>> = {
  followers: 'Followers',
  following: 'Following',
};

/** The picture of accounts that have set none. */
const isDefaultPicture = (user: Json, url: string | null): boolean =>
  boolAt(user, 'legacy', 'default_profile_image') === true ||
  url?.includes('/default_profile_images/') === true;

/** X sends at most this many at once. */
const PAGE_SIZE = 100;

const parse = (page: Page): FollowsReading => {
  const surface = 'graphql';
  if (page.status === 404)
    return unknownFollows(surface, 'layout_changed', 'HTTP 404: the query id is out of date');
  const reply = parseJson(page.body);
  const blocked =
    statusReason(page) ?? (page.status === 200 ? null : errorOf(reply, page)) ?? otherStatus(page);
  if (blocked?.status === 'unknown') {
    return unknownFollows(surface, blocked.reason, blocked.detail, blocked.retryAfterMs);
  }
  const result = at(reply, 'data', 'user', 'result');
  if (!isObject(result)) {
    const error = errorOf(reply, page);
    return error?.status === 'unknown'
      ? unknownFollows(surface, error.reason, error.detail, error.retryAfterMs)
      : unknownFollows(surface, 'layout_changed', 'The reply has no list');
  }
  if (textAt(result, '__typename') === 'UserUnavailable') {
    const reason = textAt(result, 'reason') ?? textAt(result, 'unavailable_reason') ?? 'no reason';
    // The owner's own reading proves what became of the account.
    return reason === 'Protected'
      ? { status: 'private', surface }
      : unknownFollows(surface, 'http_error', `X shows the user as unavailable: ${reason}`);
  }
  const instructions = instructionsOf(result);
  if (instructions === null) return unknownFollows(surface, 'layout_changed', 'The reply has no list');
  const fields = new Fields();
  const users = itemsIn(instructions).map((item) => at(item, 'user_results', 'result'));
  const profiles = new Map<string, Profile>();
  const withoutPicture = new Set<string>();
  const found = users.flatMap((user) => {
    const id = idAt(user, 'rest_id');
    // Suspended members are listed without a name.
    const profile = userOf(user, fields)?.profile ?? null;
    if (id !== null && profile !== null) {
      profiles.set(id, boundedProfile(profile));
      if (isDefaultPicture(user, profile.avatar_url)) withoutPicture.add(id);
    }
    return id === null ? [] : [{ id, handle: profile?.handle ?? null }];
  });
  // The last page has a cursor as well, with a zero in front: nothing else is the end of a list.
  const cursor = bottomCursorOf(instructions);
  const isEnd = cursor !== null && /^-?0\|/.test(cursor);
  if (cursor === null || (found.length === 0 && !isEnd))
    return unknownFollows(surface, 'layout_changed', 'The page is empty and not the last one');
  return {
    status: 'present',
    surface,
    members: membersOf(found),
    profiles,
    withoutPicture,
    order: 'newest_first',
    cursor: isEnd ? null : cursor,
  };
};
