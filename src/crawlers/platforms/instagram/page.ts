import { addressOf, profileUrl } from '../../../platforms/instagram.ts';
import type { Page } from '../../http/port.ts';
import type { Address, UnknownReason } from '../adapter.ts';
import { isChallenge } from '../shared/block-detection.ts';
import { Fields } from '../shared/field-reader.ts';
import { boolAt, type Json } from '../shared/json-access.ts';
import { layoutChanged, type Parsed, present, proven, unknown } from '../shared/reading-outcomes.ts';
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
import { marksOf, ownPosts } from './media.ts';
import { parseMeta } from './page-meta.ts';
import { handleOf, nativeIdOf, pageUser, timelineOf } from './page-users.ts';
import { isGated, measuredOf, profileOf } from './user.ts';

/** The page's own name of what it is; text in its data has its quotes escaped. */
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

export const page = surfaceOf(
  'instagram',
  'page',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/api/'),
  pageRequest('instagram', profileUrl),
  parse,
);
