import { bluesky as grammar, parseHandle } from '../../../platforms/bluesky.ts';
import { boundedProfile, type Profile } from '../../../write/accounts/profile.ts';
import type { FollowDirection } from '../../../write/follows.ts';
import type { Http, Page } from '../../http/port.ts';
import type {
  Address,
  FollowsOptions,
  FollowsReading,
  ListingReading,
  PlatformAdapter,
  Reading,
  ReadOptions,
  RegistrationAnswer,
  RegistrationForm,
} from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { membersOf, readFollowsPage, unknownFollows } from '../shared/follows.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { readStep, supplemented } from '../shared/read-surfaces.ts';
import { unknown } from '../shared/reading-outcomes.ts';
import { nameOf } from '../shared/surface.ts';
import { pagedBack, pageSize } from '../shared/timeline.ts';
import { EMPTY_FEED, FEW, feed, feedRequest } from './feed.ts';
import { API, actorHandle, basicProfile, optsOut, profile, profileRequest, replyOf } from './profile.ts';

const read = async (address: Address, { http, posts, window }: ReadOptions): Promise<Reading> => {
  const request = profileRequest(nameOf(address));
  const reading = await readStep(http, { surface: profile, request }, address);
  // Accounts that opted out have no ID here and are not read further.
  if (!posts || reading.status !== 'present' || reading.profile.id === null) return reading;
  // Authors of posts don't show a name that the account has lost.
  const { id, handle } = reading.profile;
  const owner: Address = handle === id ? { kind: 'id', id } : address;
  const limit = pageSize(window, FEW, 100);
  const stepOf = (cursor: string | null) => ({
    surface: feed,
    request: feedRequest(nameOf(owner), limit, cursor),
  });
  const shown = await readStep(http, stepOf(null), owner);
  // An existing account with an empty feed has no posts.
  if (shown.status === 'unknown' && shown.detail === EMPTY_FEED) {
    return { ...reading, posts: [], postOrder: 'time', postsSince: null };
  }
  const whole =
    window === undefined ? shown : await pagedBack(http, shown, owner, window, stepOf, EMPTY_FEED);
  return supplemented(reading, whole);
};

const METHOD: Readonly<Record<FollowDirection, string>> = {
  followers: 'getFollowers',
  following: 'getFollows',
};

/** The field that holds the members. */
const FIELD: Readonly<Record<FollowDirection, string>> = { followers: 'followers', following: 'follows' };

/** The lexicon's maximum. */
const PAGE_SIZE = 100;

/** A list member. A handle that does not resolve counts as none. */
const memberOf = (member: Json) => {
  const id = textAt(member, 'did');
  const handle = actorHandle(member);
  return { id, handle: handle === id ? null : handle };
};

/** Profiles of a list's members. Lists show no figures, and omit empty bios. */
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

const parseFollows = (page: Page, owner: string, direction: FollowDirection): FollowsReading => {
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
  // Owners and members who opted out of being shown to logged-out users are left out.
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
const readFollows = (
  owner: string,
  direction: FollowDirection,
  { http, cursor, limit }: FollowsOptions,
): Promise<FollowsReading> => {
  const url = new URL(`${API}/app.bsky.graph.${METHOD[direction]}`);
  url.searchParams.set('actor', owner);
  url.searchParams.set('limit', String(Math.min(limit ?? PAGE_SIZE, PAGE_SIZE)));
  if (cursor !== null) url.searchParams.set('cursor', cursor);
  return readFollowsPage(http, METHOD[direction], { platform: 'bluesky', url: url.href }, (page) =>
    parseFollows(page, owner, direction),
  );
};

/** Handles that Bluesky registers itself; all others are domains of their holders. */
const OWN = /^[a-z0-9-]+\.bsky\.social$/;
/** The error for a name that breaks the rules. */
const INVALID = 'InvalidHandle';
const LEXICON = 'com.atproto.temp.checkHandleAvailability';

/** Asks Bluesky's registration form about a name. */
const readRegistration = async (handle: string, http: Http): Promise<ListingReading<RegistrationAnswer>> => {
  if (!OWN.test(handle))
    return {
      status: 'unknown',
      reason: 'not_configured',
      detail: 'The name is a domain: only its holder can use it',
    };
  const url = new URL(`https://bsky.social/xrpc/${LEXICON}`);
  url.searchParams.set('handle', handle);
  return readListing<RegistrationAnswer>(
    http,
    { platform: 'bluesky', url: url.href },
    {
      refusal: (reply) => {
        const error = textAt(reply, 'error');
        return error === null || error === INVALID
          ? null
          : unknown('http_error', `Bluesky answered ${error}`);
      },
      // Its status is 400.
      isAnswer: (reply) => textAt(reply, 'error') === INVALID,
      parse: (reply) => {
        if (textAt(reply, 'error') === INVALID) return { state: 'invalid' };
        const type = textAt(at(reply, 'result'), '$type');
        if (type === `${LEXICON}#resultAvailable`) return { state: 'available' };
        return type === `${LEXICON}#resultUnavailable` ? { state: 'taken' } : null;
      },
    },
  );
};

/** Names without a domain are below Bluesky's own. */
const registration: RegistrationForm = {
  parseHandle: (text) => parseHandle(text.includes('.') ? text : `${text}.bsky.social`),
  read: readRegistration,
};

export const bluesky: PlatformAdapter = {
  hosts: ['public.api.bsky.app', 'api.bsky.app', 'bsky.social'],
  ...grammar,
  probes: ['bsky.app', 'atproto.com', 'jay.bsky.team'],
  surfaces: [profile, feed],
  read,
  registration,
  readFollows,
};
