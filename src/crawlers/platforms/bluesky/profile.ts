import { urlsIn } from '../../../kernel/text.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { layoutChanged, type Parsed, present, unnamed } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { actorHandle, existenceOnly, isAsked, isNameless, optsOut, replyOf } from './response.ts';

export const API = 'https://public.api.bsky.app/xrpc';

export const profileRequest = (actor: string): HttpRequest => ({
  platform: 'bluesky',
  url: `${API}/app.bsky.actor.getProfile?actor=${encodeURIComponent(actor)}`,
});

/** Verified by others, or trusted to verify others. Actors that were never checked have neither state. */
const isVerified = (actor: Json): boolean =>
  ['verifiedStatus', 'trustedVerifierStatus'].some((name) => textAt(actor, 'verification', name) === 'valid');

/** Fields of every actor view. */
export const basicProfile = (actor: Json, handle: string, fields: Fields) => ({
  ...emptyProfile(handle),
  id: textAt(actor, 'did'),
  display_name: textAt(actor, 'displayName'),
  verified: isVerified(actor),
  created_at: fields.instant('created_at', at(actor, 'createdAt')),
  avatar_url: fields.url('avatar_url', at(actor, 'avatar')),
});

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

export const profile = surfaceOf(
  'bluesky',
  'profile',
  'json',
  (url) => url.pathname.endsWith('/xrpc/app.bsky.actor.getProfile') || url.hostname === 'bsky.app',
  (address) => profileRequest(nameOf(address)),
  parse,
);
