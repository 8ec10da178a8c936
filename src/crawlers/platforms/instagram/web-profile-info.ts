import { parseHandle } from '../../../platforms/instagram.ts';
import type { Post } from '../../../write/accounts/post.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import {
  at,
  boolAt,
  idAt,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  textAt,
} from '../shared/json-access.ts';
import { layoutChanged, type Parsed, present, proven } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { blockOf, isMissing, isThrottled, otherPage, refusalOf, throttled } from './block-detection.ts';
import {
  type Author,
  isGated,
  marksOf,
  measuredOf,
  ownerIdOf,
  ownerOf,
  ownership,
  ownPosts,
  profileOf,
} from './media.ts';

export const webProfileInfoRequest = (handle: string): HttpRequest => ({
  platform: 'instagram',
  url: `https://www.instagram.com/api/v1/users/web_profile_info/?username=${handle}`,
  headers: { 'x-ig-app-id': APP_ID },
});

/** Post nodes in any of the call's variants; null if there are none. */
const nodesOf = (reply: Json): readonly Json[] | null => {
  const data = at(reply, 'data');
  const connections = [
    at(data, 'user', 'edge_owner_to_timeline_media', 'edges'),
    at(reply, 'graphql', 'user', 'edge_owner_to_timeline_media', 'edges'),
    ...(isObject(data) ? Object.values(data).map((value) => at(value, 'edges')) : []),
  ];
  const edges = connections.find((value) => Array.isArray(value));
  if (Array.isArray(edges)) return edges.map((edge) => at(edge, 'node'));
  const items = at(reply, 'items');
  return Array.isArray(items) ? items : null;
};

/** A failed call has a null user as well, and so have replies to other queries, with more beside it. */
const isNoUser = (reply: JsonObject, data: JsonObject): boolean =>
  reply.status === 'ok' &&
  Object.keys(reply).every((key) => key === 'data' || key === 'status') &&
  Object.entries(data).every(([key, value]) => key === 'user' || (key === 'viewer' && isEmptyObject(value)));

const isEmptyObject = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  if (isMissing(page)) return proven('absent');
  const reply = parseJson(page.body);
  const data = at(reply, 'data');
  if (isObject(reply) && isObject(data) && Object.hasOwn(data, 'user') && data.user === null) {
    if (isThrottled(page.body)) return throttled(page);
    if (isNoUser(reply, data)) return proven('absent');
    return layoutChanged('The call failed, or the reply is to another one');
  }
  if (page.status !== 200) return refusalOf(page) ?? otherPage(page);
  const nodes = nodesOf(reply);
  const user = [at(data, 'user'), at(reply, 'graphql', 'user'), at(reply, 'user')].find(isObject);
  if (user === undefined && nodes === null) return refusalOf(page) ?? layoutChanged('The reply has no user');
  return parseUser(user ?? {}, nodes, address);
};

const parseUser = (user: JsonObject, shown: readonly Json[] | null, address: Address): Parsed => {
  const fields = new Fields();
  const timeline = at(user, 'edge_owner_to_timeline_media');
  const nodes = shown ?? [];
  const named = parseHandle(textAt(user, 'username') ?? '');
  // In a response with posts only, the posts name their owner.
  const asked = address.kind === 'handle' ? address.handle : null;
  const owned = nodes.find((node) =>
    asked === null
      ? ownerIdOf(node) === (address.kind === 'id' ? address.id : null)
      : ownerOf(node) === asked,
  );
  const handle = named ?? (owned === undefined ? null : ownerOf(owned));
  const id = idAt(user, 'id') ?? idAt(user, 'pk') ?? ownerIdOf(owned);
  const same = address.kind === 'handle' ? handle === address.handle : id === address.id;
  if (handle === null || !same)
    return layoutChanged(`The reply is about ${handle}, not about ${nameOf(address)}`);
  const isPrivate = boolAt(user, 'is_private') === true;
  const profile = profileOf(user, handle, id, fields);
  // No edges but a positive count: the posts are hidden, not absent.
  const isHidden = isGated(user) || (nodes.length === 0 && profile.posts !== 0);
  const posts = shown === null || isHidden ? null : ownPosts(nodes, { handle, id }, fields);
  return present(
    profile,
    posts,
    fields,
    measuredOf(user),
    isPrivate,
    posts === null ? {} : listingOf(timeline, nodes, posts, { handle, id }),
  );
};

/** The first page of the timeline is public; later ones are not. */
const listingOf = (timeline: Json, nodes: readonly Json[], posts: readonly Post[], author: Author) => {
  const isLast = boolAt(timeline, 'page_info', 'has_next_page') === false;
  const cursor = isLast ? null : (textAt(timeline, 'page_info', 'end_cursor') ?? '');
  const marks = marksOf(nodes, author);
  const { postsCursor: _, postsSince, ...listing } = inOrder({ posts, ...marks, cursor });
  // A post that can't be read, or that may have several authors, may be the account's own.
  const isWhole = posts.length === nodes.filter((node) => ownership(node, author) !== false).length;
  return { ...listing, ...marks, ...(isWhole && postsSince !== undefined ? { postsSince } : {}) };
};

/** App ID that Instagram's web page sends with this call; required. */
const APP_ID = '936619743392459';

export const webProfileInfo = surfaceOf(
  'instagram',
  'web_profile_info',
  'json',
  (url) =>
    url.hostname.endsWith('instagram.com') && url.pathname.startsWith('/api/v1/users/web_profile_info'),
  (address) => (address.kind === 'handle' ? webProfileInfoRequest(address.handle) : null),
  parse,
);
