import { addressOf, parseHandle, profileUrl } from '../../../platforms/instagram.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address, UnknownReason } from '../adapter.ts';
import { parseEmbedded, scriptsOf } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { metaTags } from '../shared/html.ts';
import {
  at,
  boolAt,
  findField,
  findFields,
  idAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  textAt,
} from '../shared/json-access.ts';
import { labelledCount, nounOf } from '../shared/parse-count.ts';
import {
  isChallenge,
  layoutChanged,
  type Parsed,
  present,
  proven,
  unknown,
} from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import {
  blockOf,
  isLoginPage,
  isMissing,
  isThrottled,
  otherPage,
  refusalOf,
  throttled,
} from './block-detection.ts';
import { isGated, marksOf, measuredOf, ownerOf, ownPosts, profileOf } from './media.ts';

/**
 * The account as meta tags show it, for pages whose data is loaded later; null if they show none. Large counts are
 * rounded.
 */
export const parseMeta = (html: string, address: Address): Parsed | null => {
  if (!/og:(?:title|description)/i.test(html.slice(0, 300_000))) return null;
  const tags = metaTags(html);
  const [, name, handleText] = TITLE.exec(tags.get('og:title') ?? tags.get('twitter:title') ?? '') ?? [];
  const description = tags.get('og:description') ?? tags.get('description') ?? '';
  const handle = parseHandle(handleText ?? '');
  if (handle === null) return null;
  if (address.kind !== 'handle' || handle !== address.handle)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const figures = figuresOf(description);
  const fields = new Fields();
  const followers = figures.find((part) => part.search(FOLLOWERS) >= 0);
  const others = figures.filter((part) => part !== followers);
  const following = others.find((part) => part.search(FOLLOWING) >= 0);
  const posts = others.find((part) => part !== following && part.search(POSTS) >= 0);
  for (const part of others)
    if (part !== following && part !== posts && FIGURE.test(part)) fields.unknownLabel(part);
  const count = (part: string | undefined, noun: RegExp): number | null => {
    if (part === undefined) return null;
    const value = labelledCount(part, noun, description);
    if (value === null) fields.unknownLabel(part);
    return value;
  };
  const avatar = tags.get('og:image');
  return present(
    {
      ...emptyProfile(handle),
      id: idIn(html),
      display_name: name?.trim() || null,
      followers: count(followers, FOLLOWERS),
      following: count(following, FOLLOWING),
      posts: count(posts, POSTS),
      // Accounts without a picture have one of the site's own files.
      avatar_url:
        avatar === null || /^https:\/\/static\./.test(avatar) ? null : fields.url('avatar_url', avatar),
    },
    null,
    fields,
    ['display_name'],
  );
};

const USER = 'xig_user_by_username';

const nativeIdOf = (user: Json): string | null => idAt(user, 'pk') ?? idAt(user, 'id');

/** Post nodes of a user's timeline; null if the page has none. */
const timelineOf = (user: Json): readonly Json[] | null => {
  const timeline = at(user, 'polaris_ordered_timeline_connection');
  return isObject(timeline) ? listAt(timeline, 'edges').map((edge) => at(edge, 'node')) : null;
};

/** The handle of a user node; that of a timeline without one is the account's if a post of it is. */
const handleOf = (user: Json, address: Address): string | null => {
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
const pageUser = (html: string, address: Address): PageUser => {
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

/** The page's own name of its type. Text in its data can't match, since its quotes are escaped. */
const ROUTE = /"canonicalRouteName"\s*:\s*"([\w.]{1,200})"/;

/** Routes that show no account, by parts of their names. The error page stands for names without an account. */
const ROUTES: readonly (readonly [RegExp, UnknownReason | 'absent'])[] = [
  [/Login|Sign[Uu]p|Registration/, 'login_wall'],
  [/Challenge|Checkpoint|Captcha|Consent/, 'challenge'],
  [/Restricted|AgeGat|Gated|Suspended/, 'restricted'],
  [/Geoblock/, 'region'],
  [/Error|NotFound|Unavailable/, 'absent'],
];

/** Outcome of a page that says itself that it is no account's; null for any other. */
const routeOutcome = (html: string): Parsed | null => {
  const route = ROUTE.exec(html)?.[1];
  const outcome = ROUTES.find(([pattern]) => route !== undefined && pattern.test(route))?.[1];
  if (outcome === undefined) return null;
  return outcome === 'absent' ? proven('absent') : unknown(outcome, `The page is of the route ${route}`);
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  const found = pageUser(page.body, address);
  if (found.kind === 'user') return page.status === 200 ? parseUser(found.user, address) : otherPage(page);
  const routed = routeOutcome(page.body);
  if (routed !== null) return routed;
  if (found.kind === 'throttled') return throttled(page);
  return found.kind === 'no_user' ? proven('absent') : withoutData(page, address);
};

/** A page whose data is loaded later, or is not shown. */
const withoutData = (page: Page, address: Address): Parsed => {
  if (isMissing(page)) return proven('absent');
  const refused = refusalOf(page);
  if (refused !== null) return refused;
  if (page.status !== 200) return otherPage(page);
  const described = parseMeta(page.body, address);
  if (described !== null) return described;
  if (isThrottled(page.body)) return throttled(page);
  if (isLoginPage(page.body)) return unknown('login_wall', 'The page only leads to a log-in');
  if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
  return layoutChanged('The page carries no user');
};

const parseUser = (user: Json, address: Address): Parsed => {
  const handle = handleOf(user, address);
  const id = nativeIdOf(user);
  const same = address.kind === 'handle' ? handle === address.handle : id === address.id;
  if (handle === null || !same)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const fields = new Fields();
  const timeline = isGated(user) ? null : timelineOf(user);
  return present(
    profileOf(user, handle, id, fields),
    timeline === null ? null : ownPosts(timeline, { handle, id }, fields),
    fields,
    measuredOf(user),
    boolAt(user, 'is_private') === true,
    timeline === null ? {} : marksOf(timeline, { handle, id }),
  );
};

// Figures are recognized by their words in common page languages.
const FOLLOWERS = nounOf(
  'follower|seguidor|abonn[ée]|подписчик|підписник|takipçi|obserwuj|volger|följare|フォロワー|粉丝|粉絲|팔로워|متابِ?ع',
);
const FOLLOWING = nounOf(
  'following|gefolgt|seguid[oa]s|seguindo|suivi|подписк|підписк|takip|obserwowan|volgend|フォロー中|关注|追蹤|팔로잉|يتابع',
);
const POSTS = nounOf(
  'posts?|beitr[äa]g|publicaci|publica[çc]|publication|публикац|дописи|gönderi|berichten|inlägg|投稿|帖子|貼文|게시물|منشور',
);

const TITLE = /^(.{0,200}?)\s*\(@([A-Za-z0-9._]{1,30})\)/u;

/** A figure with its word, on whichever side. */
const FIGURE = /^\s*(?:\p{N}.{0,40}|\P{N}{1,40}\p{N}.{0,20})$/u;

/** The figures of a description: the text before the dash, or all of it. */
const figuresOf = (description: string): readonly string[] =>
  (description.slice(0, 400).split(/\s[-–—]\s/u)[0] ?? '').split(/,\s|،\s|、/u);

/** The account's ID, which the page's scripts repeat; null if they name none, or several. */
const idIn = (html: string): string | null => {
  const named = html.matchAll(/"profile_id"\s*:\s*"?(\d{1,20})\b|"profilePage_(\d{1,20})"/g);
  const ids = new Set([...named].map(([, id, page]) => id ?? page ?? ''));
  const [id] = ids;
  return id === undefined || ids.size > 1 ? null : id;
};

export const page = surfaceOf(
  'instagram',
  'page',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/api/'),
  pageRequest('instagram', profileUrl),
  parse,
);

/** The user in a page's data scripts. */
type PageUser =
  | { readonly kind: 'user'; readonly user: JsonObject }
  /** A query succeeded and found no user. */
  | { readonly kind: 'no_user' }
  /** A query was refused because there were too many. */
  | { readonly kind: 'throttled' }
  /** No script has an answer. */
  | { readonly kind: 'none' };
