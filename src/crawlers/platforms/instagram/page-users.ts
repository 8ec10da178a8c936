import { parseHandle } from '../../../platforms/instagram.ts';
import type { Address } from '../adapter.ts';
import { parseEmbedded, scriptsOf } from '../shared/embedded-json.ts';
import {
  at,
  findField,
  findFields,
  idAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  textAt,
} from '../shared/json-access.ts';
import { isThrottled } from './block-detection.ts';
import { ownerOf } from './media.ts';

const USER = 'xig_user_by_username';

/** What a page's data scripts say of its user. */
export type PageUser =
  | { readonly kind: 'user'; readonly user: JsonObject }
  /** A query succeeded and found no user. */
  | { readonly kind: 'no_user' }
  /** A query was refused because there were too many. */
  | { readonly kind: 'throttled' }
  /** No script has an answer. */
  | { readonly kind: 'none' };

export const nativeIdOf = (user: Json): string | null => idAt(user, 'pk') ?? idAt(user, 'id');

/** Post nodes of a user's timeline; null if the page has none. */
export const timelineOf = (user: Json): readonly Json[] | null => {
  const timeline = at(user, 'polaris_ordered_timeline_connection');
  return isObject(timeline) ? listAt(timeline, 'edges').map((edge) => at(edge, 'node')) : null;
};

/** The handle of a user node; that of a timeline without one is the account's if a post of it is. */
export const handleOf = (user: Json, address: Address): string | null => {
  const named = parseHandle(textAt(user, 'username') ?? '');
  if (named !== null || address.kind !== 'handle') return named;
  return (timelineOf(user) ?? []).some((node) => ownerOf(node) === address.handle) ? address.handle : null;
};

/** Profile and timeline come from queries of their own: nodes of one user add up. The fields of the profile win. */
const joined = (nodes: readonly JsonObject[], address: Address): JsonObject | undefined => {
  const [first, ...others] = nodes.toSorted((a, b) => rank(b, address) - rank(a, address));
  if (first === undefined) return undefined;
  const [id, handle] = [nativeIdOf(first), handleOf(first, address)];
  const same = others.filter((node) => {
    const [otherId, otherHandle] = [nativeIdOf(node), handleOf(node, address)];
    return (otherId === null || otherId === id) && (otherHandle === null || otherHandle === handle);
  });
  return Object.assign({}, ...same.toReversed().map(filled), filled(first)) as JsonObject;
};

const filled = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([, value]) => value !== null && value !== undefined));

/** The asked account's node comes first, and one with a name before one without. */
const rank = (node: JsonObject, address: Address): number => {
  const isAsked =
    address.kind === 'handle' ? handleOf(node, address) === address.handle : nativeIdOf(node) === address.id;
  return (isAsked ? 2 : 0) + (textAt(node, 'username') === null ? 0 : 1);
};

/** The user in the page's data scripts. */
export const pageUser = (html: string, address: Address): PageUser => {
  const nodes: JsonObject[] = [];
  let isNoUser = false;
  let isRefused = false;
  for (const { tag, text } of html.includes(USER) ? scriptsOf(html) : []) {
    if (!text.includes(USER) || !/json/i.test(tag)) continue;
    const data = parseEmbedded(text);
    const values = [...findFields(data, USER)];
    nodes.push(...values.filter(isObject));
    if (!values.includes(null)) continue;
    // A failed query has a null user as well, and an error beside it.
    const failed = findField(data, 'errors');
    if (failed === null || listAt(failed, 'value').length === 0) isNoUser = true;
    else isRefused ||= isThrottled(text);
  }
  const user = joined(nodes, address);
  if (user !== undefined) return { kind: 'user', user };
  if (isRefused) return { kind: 'throttled' };
  return { kind: isNoUser ? 'no_user' : 'none' };
};
