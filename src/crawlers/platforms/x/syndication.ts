import { parseHandle } from '../../../platforms/x.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { scriptById } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, boolAt, textAt } from '../shared/json-access.ts';
import {
  existence,
  isChallenge,
  layoutChanged,
  otherStatus,
  type Parsed,
  present,
  retryAfterOf,
  silent,
  statusReason,
  unknown,
  unnamed,
} from '../shared/reading-outcomes.ts';
import { inEnglish, nameOf, surfaceOf } from '../shared/surface.ts';
import { pinnedAmong, postOf } from './tweet.ts';
import { userOf } from './user.ts';

/** Detail of a rejected request: X sends it for protected accounts and to blocked clients alike. */
export const REFUSED = 'the account is protected or the client is blocked';

const parse = (page: Page, address: Address): Parsed => {
  const refused = refusalOf(page);
  if (refused !== null) return refused;
  const next = scriptById(page.body, '__NEXT_DATA__');
  const entries = at(next, 'props', 'pageProps', 'timeline', 'entries');
  if (!Array.isArray(entries)) {
    return isChallenge(page.body)
      ? unknown('challenge', 'The page is a challenge')
      : layoutChanged('The page has no timeline');
  }
  const fields = new Fields();
  // `user.id` may be 0 here; `id_str` is the ID.
  const tweets = entries
    .filter((entry) => textAt(entry, 'type') === 'tweet')
    .map((entry) => at(entry, 'content', 'tweet'))
    .map((tweet) => ({ tweet, user: userOf(asUser(at(tweet, 'user')), fields) }));
  const owner = tweets.find(({ user }) => user !== null && isAsked(user.profile, address))?.user ?? null;
  if (owner === null) {
    const shown = tweets.length === 0 ? ofHeader(next, address) : null;
    return shown ?? layoutChanged(`The timeline shows nothing of ${nameOf(address)}`);
  }
  const isPrivate = isMarkedPrivate(next) === true || owner.isPrivate === true;
  const posts = tweets
    .filter(({ user }) => user?.profile.handle === owner.profile.handle)
    .flatMap(({ tweet }) => postOf(tweet, owner.profile.handle, fields) ?? []);
  const pinned = pinnedAmong(posts, owner.pinned);
  const further = pinned.size === 0 ? {} : { pinned };
  return present(owner.profile, posts, fields, owner.measured, isPrivate, further);
};

/** Why a response is no timeline, as far as its status says so; null if it may be one. */
const refusalOf = (page: Page): Parsed | null => {
  if (page.status === 404) return silent(unknown('http_error', 'HTTP 404: unknown, suspended or renamed'));
  if ((page.status === 401 || page.status === 403) && !isChallenge(page.body)) {
    const reason = page.status === 401 ? 'login_wall' : 'http_error';
    return unknown(reason, `HTTP ${page.status}: ${REFUSED}`, retryAfterOf(page));
  }
  return statusReason(page) ?? otherStatus(page);
};

const headerOf = (next: unknown): unknown => at(next, 'props', 'pageProps', 'headerProps');

/** Whether the header marks the account as protected; null if it says nothing. */
const isMarkedPrivate = (next: unknown): boolean | null => boolAt(headerOf(next), 'user', 'protected');

/** The reading of an account without posts from the header alone; null if the header is not about the account. */
const ofHeader = (next: unknown, address: Address): Parsed | null => {
  const header = headerOf(next);
  const handle = parseHandle(
    textAt(header, 'screenName') ??
      textAt(header, 'user', 'screen_name') ??
      textAt(next, 'query', 'screenName') ??
      '',
  );
  const isPrivate = isMarkedPrivate(next);
  const isAbout = address.kind === 'handle' && (handle === null || handle === address.handle);
  if (!isAbout || isPrivate === null) return null;
  const status = isPrivate ? 'private' : 'present';
  const shown = existence(address.handle, status, ['private'], isPrivate ? null : []);
  return handle === null ? unnamed(shown) : shown;
};

const asUser = (user: unknown): unknown => ({
  legacy: user,
  rest_id: at(user, 'id_str'),
  is_blue_verified: at(user, 'is_blue_verified'),
});

const isAsked = (profile: { handle: string; id: string | null }, address: Address): boolean =>
  address.kind === 'handle' ? profile.handle === address.handle : profile.id === address.id;

const syndicationRequest = (handle: string): HttpRequest => ({
  platform: 'x',
  url: inEnglish('x', `https://syndication.twitter.com/srv/timeline-profile/screen-name/${handle}`),
});

export const syndication = surfaceOf(
  'x',
  'syndication',
  'html',
  (url) => url.hostname === 'syndication.twitter.com',
  (address) => (address.kind === 'handle' ? syndicationRequest(address.handle) : null),
  parse,
);
