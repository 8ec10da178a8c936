import { addressOf, parseHandle, profileUrl } from '../../../write/accounts/grammar/instagram.ts';
import type { Measurable } from '../../../write/accounts/merge.ts';
import { emptyProfile } from '../../../write/accounts/reading.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge } from '../shared/block-detection.ts';
import { parseEmbedded, scriptsOf } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, boolAt, findField, idAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { layoutChanged, type Parsed, present, proven, unknown } from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import { blockOf, isMissing, otherPage } from './block-detection.ts';
import { ownPosts } from './media.ts';

const USER = 'xig_user_by_username';

/** The user in one of the page's data scripts; null if none has one. A non-null user wins. */
const userOf = (html: string): { value: Json } | null => {
  if (!html.includes(USER)) return null;
  let empty: { value: Json } | null = null;
  for (const { tag, text } of scriptsOf(html)) {
    if (!text.includes(USER) || !/json/i.test(tag)) continue;
    const data = parseEmbedded(text);
    const found = findField(data, USER);
    if (found === null) continue;
    if (found.value !== null) return found;
    // A failed query has a null user as well, and an error beside it.
    const failed = findField(data, 'errors');
    if (failed === null || listAt(failed, 'value').length === 0) empty = found;
  }
  return empty;
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  const found = userOf(page.body);
  if (found === null) {
    if (isMissing(page)) return proven('absent');
    if (page.status !== 200) return otherPage(page);
    if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
    return layoutChanged('The page carries no user');
  }
  if (found.value === null) return proven('absent');
  if (page.status !== 200) return otherPage(page);
  const user = found.value;
  const handle = parseHandle(textAt(user, 'username') ?? '');
  const id = idAt(user, 'pk') ?? idAt(user, 'id');
  const same = address.kind === 'handle' ? handle === address.handle : id === address.id;
  if (handle === null || !same)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const fields = new Fields();
  const timeline = at(user, 'polaris_ordered_timeline_connection');
  return present(
    {
      ...emptyProfile(handle),
      id,
      display_name: textAt(user, 'full_name'),
      followers: fields.count('followers', at(user, 'follower_count')),
      following: fields.count('following', at(user, 'following_count')),
      posts: fields.count('posts', at(user, 'media_count')),
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
    isObject(timeline)
      ? ownPosts(
          listAt(timeline, 'edges').map((edge) => at(edge, 'node')),
          handle,
          fields,
        )
      : null,
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
