import { addressOf, profileUrl } from '../../../write/accounts/grammar/instagram.ts';
import type { Measurable } from '../../../write/accounts/merge.ts';
import { emptyProfile } from '../../../write/accounts/reading.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge } from '../shared/block-detection.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, boolAt, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { layoutChanged, type Parsed, present, proven, unknown } from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import { blockOf, isLoginPage, isMissing, isThrottled, otherPage, throttled } from './block-detection.ts';
import { ownPosts } from './media.ts';
import { parseMeta } from './page-meta.ts';
import { handleOf, nativeIdOf, pageUser, timelineOf } from './page-users.ts';

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  const found = pageUser(page.body, address);
  if (found.kind === 'none') return withoutData(page, address);
  if (found.kind === 'throttled') return throttled(page);
  if (found.kind === 'no_user') return proven('absent');
  return page.status === 200 ? parseUser(found.user, address) : otherPage(page);
};

/** A page whose data is loaded later, or is not shown. */
const withoutData = (page: Page, address: Address): Parsed => {
  if (isMissing(page)) return proven('absent');
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
  const timeline = timelineOf(user);
  return present(
    {
      ...emptyProfile(handle),
      id,
      display_name: textAt(user, 'full_name'),
      followers: fields.count('followers', at(user, 'follower_count')),
      following: fields.count('following', at(user, 'following_count')),
      posts: fields.count('posts', at(user, 'media_count') ?? at(user, 'all_media_count')),
      verified: boolAt(user, 'is_verified'),
      bio: textAt(user, 'biography'),
      avatar_url: fields.url(
        'avatar_url',
        at(user, 'hd_profile_pic_url_info', 'url') ??
          at(user, 'profile_pic_url_hd') ??
          at(user, 'profile_pic_url'),
      ),
      links: profileLinks(user),
    },
    timeline === null ? null : ownPosts(timeline, handle, fields),
    fields,
    measuredOf(user),
    boolAt(user, 'is_private') === true,
  );
};

/** Fields that a user node of either surface shows. A response that only names its user shows none. */
export const measuredOf = (user: Json): Measurable[] => [
  ...(boolAt(user, 'is_private') === null ? [] : (['private'] as const)),
  ...(textAt(user, 'biography') === null ? [] : (['display_name', 'bio', 'avatar_url', 'links'] as const)),
];

/** Link fields of a user node of either surface. */
export const profileLinks = (user: Json): string[] =>
  linksOf([...listAt(user, 'bio_links').map((link) => textAt(link, 'url')), textAt(user, 'external_url')]);

export const page = surfaceOf(
  'instagram',
  'page',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/api/'),
  pageRequest('instagram', profileUrl),
  parse,
);
