import { parseHandle } from '../../../platforms/x.ts';
import type { Post } from '../../../write/accounts/post.ts';
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
  if (page.status === 404) return silent(unknown('http_error', 'HTTP 404: unknown, suspended or renamed'));
  if ((page.status === 401 || page.status === 403) && !isChallenge(page.body)) {
    const reason = page.status === 401 ? 'login_wall' : 'http_error';
    return unknown(reason, `HTTP ${page.status}: ${REFUSED}`, retryAfterOf(page));
  }
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  const next = scriptById(page.body, '__NEXT_DATA__');
  const props = at(next, 'props', 'pageProps');
  const entries = at(props, 'timeline', 'entries');
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
  const header = at(props, 'headerProps');
  const headerHandle = parseHandle(
    textAt(header, 'screenName') ??
      textAt(header, 'user', 'screen_name') ??
      textAt(next, 'query', 'screenName') ??
      '',
  );
  const marked = boolAt(header, 'user', 'protected');
  const isPrivate = marked === true || owner?.isPrivate === true;
  if (owner === null) {
    // An account without posts appears only in the header, if that is about the account.
    const about = address.kind === 'handle' && (headerHandle === null || headerHandle === address.handle);
    if (about && tweets.length === 0 && marked !== null) {
      const status = isPrivate ? 'private' : 'present';
      const shown = existence(address.handle, status, ['private'], isPrivate ? null : []);
      return headerHandle === null ? unnamed(shown) : shown;
    }
    return layoutChanged(`The timeline shows nothing of ${nameOf(address)}`);
  }
  const posts = tweets
    .filter(({ user }) => user?.profile.handle === owner.profile.handle)
    .flatMap(({ tweet }): Post[] => {
      const post = postOf(tweet, owner.profile.handle, fields);
      return post === null ? [] : [post];
    });
  const pinned = pinnedAmong(posts, owner.pinned);
  const further = pinned.size === 0 ? {} : { pinned };
  return present(owner.profile, posts, fields, owner.measured, isPrivate, further);
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
