import { urlsIn } from '../../../kernel/text.ts';
import { parseHandle } from '../../../platforms/bluesky.ts';
import { emptyProfile, MEASURABLE } from '../../../write/accounts/profile.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import {
  at,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  parseJson,
  textAt,
} from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import {
  existence,
  layoutChanged,
  otherStatus,
  type Parsed,
  present,
  proven,
  statusReason,
  unknown,
  unnamed,
} from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';

export const API = 'https://public.api.bsky.app/xrpc';

export const profileRequest = (actor: string): HttpRequest => ({
  platform: 'bluesky',
  url: `${API}/app.bsky.actor.getProfile?actor=${encodeURIComponent(actor)}`,
});

/** Fields of every actor view. */
export const basicProfile = (actor: Json, handle: string, fields: Fields) => ({
  ...emptyProfile(handle),
  id: textAt(actor, 'did'),
  display_name: textAt(actor, 'displayName'),
  verified: isVerified(actor),
  created_at: fields.instant('created_at', at(actor, 'createdAt')),
  avatar_url: fields.url('avatar_url', at(actor, 'avatar')),
});

/** The response's object, or the outcome of its error. Rejected names are 400s with the reason in JSON. */
export const replyOf = (page: Page): { reply: JsonObject } | { outcome: Parsed } => {
  const reply = parseJson(page.body);
  const error = textAt(reply, 'error');
  const refused = page.status === 400 || page.status === 200;
  if (error !== null && refused) return { outcome: refusalOf(error, textAt(reply, 'message') ?? '') };
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return { outcome: blocked };
  return isObject(reply) ? { reply } : { outcome: layoutChanged('The reply is no JSON object') };
};

/** Whether an actor has opted out of being shown to logged-out users, which is respected. */
export const optsOut = (actor: Json): boolean =>
  listAt(actor, 'labels').some(
    (label) => textAt(label, 'val') === '!no-unauthenticated' && at(label, 'neg') !== true,
  );

/** Whether an actor has lost its handle: it no longer resolves. */
export const isNameless = (actor: Json): boolean => textAt(actor, 'handle') === 'handle.invalid';

/** The actor's handle, or its DID if it has lost its handle; null if it is not an actor. */
export const actorHandle = (actor: Json): string | null =>
  parseHandle((isNameless(actor) ? textAt(actor, 'did') : textAt(actor, 'handle')) ?? '');

export const isAsked = (actor: Json, address: Address): boolean =>
  address.kind === 'id'
    ? textAt(actor, 'did') === address.id
    : actorHandle(actor) === address.handle || textAt(actor, 'did') === address.handle;

/** Existence only: previously known values are not shown any more either. */
export const existenceOnly = (actor: Json, address: Address): Parsed =>
  existence(actorHandle(actor) ?? nameOf(address), 'present', MEASURABLE);

/** Verified by others, or trusted to verify others. Actors that were never checked have neither state. */
const isVerified = (actor: Json): boolean =>
  ['verifiedStatus', 'trustedVerifierStatus'].some((name) => textAt(actor, 'verification', name) === 'valid');

const parse = (page: Page, address: Address): Parsed => {
  const answer = replyOf(page);
  if ('outcome' in answer) return answer.outcome;
  const actor = answer.reply;
  const handle = actorHandle(actor);
  if (handle === null || textAt(actor, 'did') === null) return layoutChanged('The reply is no profile');
  const asked = isAsked(actor, address);
  if (!asked && !isNameless(actor))
    return layoutChanged(`The reply is about ${handle}, not about ${nameOf(address)}`);
  // The name that was asked for led to an account that no longer proves to have it: the answer may be another one's.
  const named = asked ? (parsed: Parsed) => parsed : unnamed;
  if (optsOut(actor)) return named(existenceOnly(actor, address));
  const fields = new Fields();
  const bio = textAt(actor, 'description');
  const shown = present(
    {
      ...basicProfile(actor, handle, fields),
      followers: fields.count('followers', at(actor, 'followersCount')),
      following: fields.count('following', at(actor, 'followsCount')),
      posts: fields.count('posts', at(actor, 'postsCount')),
      bio,
      pronouns: textAt(actor, 'pronouns'),
      links: linksOf([textAt(actor, 'website'), ...urlsIn(bio)]),
    },
    null,
    fields,
    ['private', 'display_name', 'bio', 'pronouns', 'avatar_url', 'links'],
  );
  return named(shown);
};

const refusalOf = (error: string, message: string): Parsed => {
  if (error === 'AccountTakedown') return proven('suspended');
  if (error === 'AccountDeactivated') return proven('deactivated');
  if (/^profile not found\.?$/i.test(message.trim())) return proven('absent');
  if (error === 'RateLimitExceeded') return unknown('rate_limited', `Bluesky answered ${error}`);
  if (/^Auth/.test(error)) return unknown('login_wall', `Bluesky answered ${error}`);
  return unknown('http_error', `Bluesky answered ${error}: ${message.slice(0, 200)}`);
};

export const profile = surfaceOf(
  'bluesky',
  'profile',
  'json',
  (url) => url.pathname.endsWith('/xrpc/app.bsky.actor.getProfile') || url.hostname === 'bsky.app',
  (address) => profileRequest(nameOf(address)),
  parse,
);
