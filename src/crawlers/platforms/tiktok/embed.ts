import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge, locationReason, otherStatus, statusReason } from '../shared/block-detection.ts';
import { scriptById } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, isObject } from '../shared/json-access.ts';
import { layoutChanged, type Parsed, silent, unknown } from '../shared/reading-outcomes.ts';
import { surfaceOf } from '../shared/surface.ts';
import { readingOf } from './user.ts';

/** TikTok's own refusal has its state; a 400 of anything in between has not. */
const refused = (body: string): Parsed => {
  const parsed = unknown('http_error', 'HTTP 400: either private or absent');
  return scriptById(body, '__FRONTITY_CONNECT_STATE__') === undefined ? parsed : silent(parsed);
};

const parse = (page: Page, address: Address): Parsed => {
  if (page.status === 400) return refused(page.body);
  const blocked =
    locationReason(page, [[/tiktok\.com\/login/, 'login_wall']]) ?? statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  const data = at(scriptById(page.body, '__FRONTITY_CONNECT_STATE__'), 'source', 'data');
  const wanted = address.kind === 'handle' ? `/embed/@${address.handle}` : null;
  // The key is the requested path, in any case, with or without a trailing slash.
  const key = isObject(data)
    ? Object.keys(data).find((name) => {
        const plain = name.toLowerCase().replace(/\/$/, '');
        return wanted === null ? plain.startsWith('/embed/@') : plain === wanted;
      })
    : undefined;
  const entry = key === undefined ? undefined : at(data, key);
  const user = at(entry, 'userInfo');
  if (!isObject(user)) {
    if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
    return layoutChanged('The embed carries no user');
  }
  return readingOf({ user, stats: [user], posts: at(entry, 'videoList') }, address, new Fields());
};

export const embed = surfaceOf(
  'tiktok',
  'embed',
  'html',
  (url) => url.hostname.endsWith('tiktok.com') && url.pathname.startsWith('/embed/@'),
  // The page's data is found by its whole address.
  (address) =>
    address.kind === 'handle'
      ? { platform: 'tiktok', url: `https://www.tiktok.com/embed/@${address.handle}` }
      : null,
  parse,
);
