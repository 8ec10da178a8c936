import { tiktok as grammar } from '../../../platforms/tiktok.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { scriptById } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, boolAt, idAt, isObject, listAt, parseJson, textAt } from '../shared/json-access.ts';
import {
  failureOf,
  firstConclusive,
  readStep,
  type Step,
  stepsOf,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read-surfaces.ts';
import {
  isChallenge,
  layoutChanged,
  locationReason,
  otherStatus,
  type Parsed,
  silent,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';
import { surfaceOf } from '../shared/surface.ts';
import { inOrder, pagedBack, pageSize } from '../shared/timeline.ts';
import { page } from './page.ts';
import { ownerIn, postsOf, readingOf } from './user.ts';

/** Adds the posts that the page does not have. */
const withPosts = async (
  reading: Reading,
  address: Address,
  { http, window }: ReadOptions,
): Promise<Reading> => {
  if (reading.status !== 'present' || reading.posts !== null) return reading;
  const { postsCursor } = reading;
  if (postsCursor == null) return reading;
  const stepOf = (cursor: string) => itemListStep(cursor, pageSize(window, 20, 35));
  const list = await readStep(http, stepOf(postsCursor), address);
  if (list.status === 'unknown' && list.detail === EMPTY_LIST) {
    return { ...reading, posts: [], postOrder: 'time', postsSince: null };
  }
  if (list.status === 'present') {
    const whole =
      window === undefined ? list : await pagedBack(http, list, address, window, stepOf, EMPTY_LIST);
    return supplemented(reading, whole);
  }
  // Without the call there is a selection of posts in the embed.
  const [step] = stepsOf([embed], address);
  const shown = step === undefined ? list : await readStep(http, step, address);
  return withWarnings(supplemented(reading, shown), [failureOf(list)]);
};

const read = async (address: Address, options: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading('page', 'not_configured', 'No public surface of TikTok shows an account by its id');
  }
  const reading = await firstConclusive(options.http, stepsOf([page, embed], address), address);
  return options.posts ? withPosts(reading, address, options) : reading;
};

const PATH = '/api/post/item_list/';

/** The request of a cursor: the account's `secUid`, and where the page begins. */
const request = (cursor: string, count: number): HttpRequest => {
  const [secUid = '', from = '0'] = cursor.split(' ');
  const url = new URL(`https://www.tiktok.com${PATH}`);
  url.searchParams.set('aid', '1988');
  url.searchParams.set('count', String(count));
  url.searchParams.set('cursor', from);
  url.searchParams.set('secUid', secUid);
  return { platform: 'tiktok', url: url.href };
};

/** The `secUid` that a page was requested with: it is not in an item. */
const secUidOf = (page: Page): string | null =>
  URL.canParse(page.url) ? new URL(page.url).searchParams.get('secUid') : null;

const parseItemList = (page: Page, address: Address): Parsed => {
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  // Clients without a signature get an empty body.
  if (page.body.trim() === '') return layoutChanged('The call is answered without content');
  if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
  const reply = parseJson(page.body);
  const code = at(reply, 'statusCode') ?? at(reply, 'status_code');
  if (!isObject(reply) || (code !== undefined && code !== 0))
    return layoutChanged(`TikTok answered the call with the code ${String(code)}`);
  if (address.kind === 'id') return layoutChanged('The list is of an account without a handle');
  const items = listAt(reply, 'itemList');
  const author = ownerIn(items, address.handle);
  if (items.length > 0 && author === undefined)
    return layoutChanged(`The list shows nothing of ${address.handle}`);
  const fields = new Fields();
  const posts = postsOf(items, address.handle, fields) ?? [];
  const pinned = new Set(
    items.filter((item) => boolAt(item, 'isPinnedItem') === true).flatMap((item) => idAt(item, 'id') ?? []),
  );
  const secUid = secUidOf(page);
  const from = textAt(reply, 'cursor') ?? idAt(reply, 'cursor');
  const cursor =
    boolAt(reply, 'hasMore') === true && secUid !== null && from !== null ? `${secUid} ${from}` : null;
  const user = isObject(author) ? author : { uniqueId: address.handle };
  const reading = readingOf({ user, stats: [], posts: items }, address, fields);
  const listing = inOrder({ posts, pinned, cursor });
  if (reading.status === 'present') return { ...reading, ...listing };
  // An account without posts: the call was made with its ID.
  const isEnd = items.length === 0 && boolAt(reply, 'hasMore') !== true;
  return isEnd && reading.status === 'unknown' ? layoutChanged(EMPTY_LIST) : reading;
};

/** Detail for an empty list, which names no account. */
const EMPTY_LIST = 'The list is empty and names no account';

const itemList = surfaceOf(
  'tiktok',
  'item_list',
  'json',
  (url) => url.hostname.endsWith('tiktok.com') && url.pathname.startsWith(PATH.slice(0, -1)),
  // The ID that it takes is on the page only.
  () => null,
  parseItemList,
);

/** @param count posts to ask for: 35 at most. */
const itemListStep = (cursor: string, count: number): Step => ({
  surface: itemList,
  request: request(cursor, count),
});

/** TikTok's own refusal has its state; a 400 of anything in between has not. */
const refused = (body: string): Parsed => {
  const parsed = unknown('http_error', 'HTTP 400: either private or absent');
  return scriptById(body, '__FRONTITY_CONNECT_STATE__') === undefined ? parsed : silent(parsed);
};

const parseEmbed = (page: Page, address: Address): Parsed => {
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

const embed = surfaceOf(
  'tiktok',
  'embed',
  'html',
  (url) => url.hostname.endsWith('tiktok.com') && url.pathname.startsWith('/embed/@'),
  // The page's data is found by its whole address.
  (address) =>
    address.kind === 'handle'
      ? { platform: 'tiktok', url: `https://www.tiktok.com/embed/@${address.handle}` }
      : null,
  parseEmbed,
);

export const tiktok: PlatformAdapter = {
  hosts: ['www.tiktok.com', 'tiktok.com', 'm.tiktok.com'],
  ...grammar,
  probes: ['tiktok', 'nba', 'bbcnews'],
  surfaces: [page, embed, itemList],
  read,
};
