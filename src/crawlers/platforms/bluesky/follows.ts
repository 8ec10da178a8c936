import { boundedProfile, type Profile } from '../../../write/accounts/profile.ts';
import type { FollowDirection } from '../../../write/follows.ts';
import type { Page } from '../../http/port.ts';
import type { FollowsOptions, FollowsReading } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { membersOf, readFollowsPage, unknownFollows } from '../shared/follows.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { API, basicProfile } from './profile.ts';
import { actorHandle, optsOut, replyOf } from './response.ts';

const METHOD: Readonly<Record<FollowDirection, string>> = {
  followers: 'getFollowers',
  following: 'getFollows',
};

/** The field that holds the members. */
const FIELD: Readonly<Record<FollowDirection, string>> = { followers: 'followers', following: 'follows' };

/** The lexicon's maximum. */
const PAGE_SIZE = 100;

/** A handle that does not resolve is none. */
const memberOf = (member: Json) => {
  const id = textAt(member, 'did');
  const handle = actorHandle(member);
  return { id, handle: handle === id ? null : handle };
};

/** What a list shows of its members: no figures, and an empty bio by leaving it out. */
const profilesOf = (members: readonly Json[]) => {
  const fields = new Fields();
  const profiles = new Map<string, Profile>();
  const withoutPicture = new Set<string>();
  for (const member of members) {
    const id = textAt(member, 'did');
    if (id === null) continue;
    const handle = actorHandle(member) ?? id;
    const bio = textAt(member, 'description') ?? '';
    profiles.set(id, boundedProfile({ ...basicProfile(member, handle, fields), bio }));
    if (at(member, 'avatar') === undefined) withoutPicture.add(id);
  }
  return { profiles, withoutPicture };
};

const parse = (page: Page, owner: string, direction: FollowDirection): FollowsReading => {
  const surface = METHOD[direction];
  const answer = replyOf(page);
  if ('outcome' in answer) {
    const { outcome } = answer;
    if (outcome.status === 'present')
      return unknownFollows(surface, 'layout_changed', 'The reply is no list');
    return outcome.status === 'unknown'
      ? unknownFollows(surface, outcome.reason, outcome.detail, outcome.retryAfterMs)
      : { status: outcome.status, surface };
  }
  const { reply } = answer;
  const subject = at(reply, 'subject');
  const members = at(reply, FIELD[direction]);
  if (!Array.isArray(members)) return unknownFollows(surface, 'layout_changed', 'The reply is no list');
  if (textAt(subject, 'did') !== owner)
    return unknownFollows(surface, 'layout_changed', `The list is not of ${owner}`);
  // Who opted out of being shown to logged-out users is respected, as an owner and as a member.
  if (optsOut(subject)) return { status: 'private', surface };
  const shown = members.filter((member) => !optsOut(member));
  return {
    status: 'present',
    surface,
    members: membersOf(shown.map(memberOf)),
    ...profilesOf(shown),
    order: 'newest_first',
    cursor: textAt(reply, 'cursor'),
  };
};

/** Reads one page of an account's followers, or of those it follows; public. */
export const readFollows = (
  owner: string,
  direction: FollowDirection,
  { http, cursor, limit }: FollowsOptions,
): Promise<FollowsReading> => {
  const url = new URL(`${API}/app.bsky.graph.${METHOD[direction]}`);
  url.searchParams.set('actor', owner);
  url.searchParams.set('limit', String(Math.min(limit ?? PAGE_SIZE, PAGE_SIZE)));
  if (cursor !== null) url.searchParams.set('cursor', cursor);
  return readFollowsPage(http, METHOD[direction], { platform: 'bluesky', url: url.href }, (page) =>
    parse(page, owner, direction),
  );
};
