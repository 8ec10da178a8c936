import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge, otherStatus, statusReason } from '../shared/block-detection.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, boolAt, idAt, isObject, listAt, parseJson, textAt } from '../shared/json-access.ts';
import type { Step } from '../shared/read-surfaces.ts';
import { layoutChanged, type Parsed, unknown } from '../shared/reading-outcomes.ts';
import { surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { ownerIn, postsOf, readingOf } from './user.ts';

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

const parse = (page: Page, address: Address): Parsed => {
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
export const EMPTY_LIST = 'The list is empty and names no account';

export const itemList = surfaceOf(
  'tiktok',
  'item_list',
  'json',
  (url) => url.hostname.endsWith('tiktok.com') && url.pathname.startsWith(PATH.slice(0, -1)),
  // The ID that it takes is on the page only.
  () => null,
  parse,
);

/** @param count posts to ask for: 35 at most. */
export const itemListStep = (cursor: string, count: number): Step => ({
  surface: itemList,
  request: request(cursor, count),
});
