import { addressOf, profileUrl } from '../../../platforms/tiktok.ts';
import type { Page } from '../../http/port.ts';
import type { Address, UnknownReason } from '../adapter.ts';
import { scriptById } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, isObject, type Json, listAt, parseJson, textAt } from '../shared/json-access.ts';
import {
  existence,
  isChallenge,
  layoutChanged,
  locationReason,
  otherStatus,
  type Parsed,
  proven,
  silent,
  statusReason,
  unknown,
  unnamed,
} from '../shared/reading-outcomes.ts';
import { pageRequest, surfaceOf } from '../shared/surface.ts';
import { ownerIn, readingOf } from './user.ts';

const WAF = /_wafchallengeid|SlardarWAF|wci["'\s]*[:=]|captcha_(?:ttwid|container)|Please wait\.\.\./;

const PRIVATE = 10222;

/** Codes with which TikTok refuses to show an account, and what they mean. */
const REFUSALS: ReadonlyMap<number, readonly [UnknownReason, string]> = new Map([
  [10101, ['http_error', 'has failed']],
  [10102, ['login_wall', 'asks for a log-in']],
  [10111, ['http_error', 'has failed']],
  [10113, ['challenge', 'asks for a challenge']],
  [10114, ['challenge', 'refuses the client']],
  [10119, ['login_wall', 'asks for a log-in']],
  [10204, ['http_error', 'shows this account as unavailable, or has blocked the request']],
  [10221, ['ambiguous', 'has banned the account, or there is none of the name']],
  [10223, ['restricted', 'does not show accounts of children']],
  [10225, ['restricted', 'withholds the account as sensitive']],
  [10231, ['region', 'does not show this account in this region']],
]);

const refusalOf = (code: number): Parsed | null => {
  const [reason, text] = REFUSALS.get(code) ?? [];
  if (reason === undefined) return null;
  const parsed = unknown(reason, `TikTok ${text} (${code})`);
  return reason === 'ambiguous' ? silent(parsed) : parsed;
};

/** Outcome of TikTok's own status code, sent with HTTP 200; null if the user has to be parsed. */
const codeOutcome = (code: number, detail: Json, address: Address): Parsed | null => {
  if (code === 0) return null;
  if (code === 10202) return proven('absent');
  if (code !== PRIVATE)
    return refusalOf(code) ?? layoutChanged(`TikTok answered with the unknown code ${code}`);
  if (isObject(at(detail, 'userInfo', 'user')) || address.kind === 'id') return null;
  return unnamed(existence(address.handle, 'private', ['private']));
};

/** A layout between the older and the newer one: users and counts by name. */
const sigiDetail = (state: Json, address: Address): Json => {
  const users = at(state, 'UserModule', 'users');
  if (!isObject(users)) return undefined;
  const name = Object.keys(users).find(
    (key) => address.kind === 'handle' && key.toLowerCase() === address.handle,
  );
  return {
    statusCode: at(state, 'UserPage', 'statusCode'),
    userInfo:
      name === undefined ? undefined : { user: users[name], stats: at(state, 'UserModule', 'stats', name) },
  };
};

/** Whether the page's data says for which account it was made; null if it says nothing. */
const isMadeFor = (body: string, address: Address): boolean | null => {
  const scope = at(scriptById(body, '__UNIVERSAL_DATA_FOR_REHYDRATION__'), '__DEFAULT_SCOPE__');
  const canonical = textAt(scope, 'seo.abtest', 'canonical');
  const subject = canonical === null || !URL.canParse(canonical) ? null : addressOf(new URL(canonical));
  if (subject?.kind !== 'handle' || address.kind !== 'handle') return null;
  return subject.handle === address.handle;
};

/** A verdict, which names an account only through the page's own address. */
const verdict = (outcome: Parsed, body: string, address: Address): Parsed => {
  if (outcome.status === 'unknown') return outcome;
  const isAsked = isMadeFor(body, address);
  if (isAsked === false) return layoutChanged('The page was made for another account');
  if (isAsked === null) return outcome;
  const { unnamed: _, ...named } = outcome;
  return named;
};

/** Data of a page: the newer layout's script, the older one's, or a bare response of the underlying calls. */
const detailOf = (body: string, address: Address): Json => {
  if (body.trimStart().startsWith('{')) return parseJson(body);
  const scope = at(
    scriptById(body, '__UNIVERSAL_DATA_FOR_REHYDRATION__'),
    '__DEFAULT_SCOPE__',
    'webapp.user-detail',
  );
  return (
    scope ??
    sigiDetail(scriptById(body, 'SIGI_STATE'), address) ??
    at(scriptById(body, '__NEXT_DATA__'), 'props', 'pageProps')
  );
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked =
    locationReason(page, [
      [/tiktok\.com\/login/, 'login_wall'],
      [/\/(?:captcha|verify)/, 'challenge'],
    ]) ??
    statusReason(page) ??
    otherStatus(page);
  if (blocked !== null) return blocked;
  const detail = detailOf(page.body, address);
  if (!isObject(detail)) {
    if (WAF.test(page.body) || isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
    return layoutChanged('The page carries no data of an account');
  }
  const given = at(detail, 'statusCode') ?? at(detail, 'status_code');
  const code = typeof given === 'string' ? Number(given) : given;
  if (typeof code === 'number') {
    const outcome = codeOutcome(code, detail, address);
    if (outcome !== null) return verdict(outcome, page.body, address);
  }
  const info = at(detail, 'userInfo');
  const items = at(detail, 'itemList') ?? at(detail, 'items');
  const posts =
    listAt(items).length > 0 ? items : (at(detail, 'items') ?? (isObject(info) ? undefined : items));
  if (!isObject(info)) return parseItems(items, address);
  return readingOf(
    {
      user: at(info, 'user'),
      stats: [at(info, 'statsV2'), at(info, 'stats')],
      posts,
      isPrivate: code === PRIVATE,
    },
    address,
    new Fields(),
  );
};

/** A response with posts only: the account as its posts show their author. */
const parseItems = (items: Json, address: Address): Parsed => {
  if (address.kind === 'id' || listAt(items).length === 0) return layoutChanged('The data has no user');
  const author = ownerIn(items, address.handle);
  const user = isObject(author) ? author : textAt(author) === null ? undefined : { uniqueId: address.handle };
  return readingOf({ user, stats: [], posts: items }, address, new Fields());
};

export const page = surfaceOf(
  'tiktok',
  'page',
  'html',
  (url) => addressOf(url) !== null && !/^\/(?:embed|api)\b/.test(url.pathname),
  pageRequest('tiktok', profileUrl),
  parse,
);
