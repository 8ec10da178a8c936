import { emptyProfile, type Measurable, type Profile } from '../../../write/accounts/profile.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, boolAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';

/** Whether Instagram shows strangers a user without its figures and its bio, for their age or their country. */
export const isGated = (user: Json): boolean =>
  isObject(at(user, 'gating')) || boolAt(user, 'country_block') === true;

/** The profile of a user node of either surface. A gated user has zeros and an empty bio in place of what it has. */
export const profileOf = (user: Json, handle: string, id: string | null, fields: Fields): Profile => {
  const gated = isGated(user);
  const count = (name: string, ...sources: readonly Json[]): number | null => {
    const value = fields.count(
      name,
      sources.find((source) => source !== undefined && source !== null),
    );
    return gated && value === 0 ? null : value;
  };
  const bio = textAt(user, 'biography');
  return {
    ...emptyProfile(handle),
    id,
    display_name: textAt(user, 'full_name'),
    followers: count('followers', at(user, 'edge_followed_by', 'count'), at(user, 'follower_count')),
    following: count('following', at(user, 'edge_follow', 'count'), at(user, 'following_count')),
    posts: count(
      'posts',
      at(user, 'edge_owner_to_timeline_media', 'count'),
      at(user, 'media_count'),
      at(user, 'all_media_count'),
    ),
    verified: boolAt(user, 'is_verified'),
    bio: gated && bio === '' ? null : bio,
    avatar_url: fields.url(
      'avatar_url',
      at(user, 'hd_profile_pic_url_info', 'url') ??
        at(user, 'profile_pic_url_hd') ??
        at(user, 'profile_pic_url'),
    ),
    links: linksOf([
      ...listAt(user, 'bio_links').map((link) => textAt(link, 'url')),
      textAt(user, 'external_url'),
    ]),
  };
};

/** Fields that a user node of either surface shows. A response that only names its user shows none. */
export const measuredOf = (user: Json): Measurable[] => [
  ...(boolAt(user, 'is_private') === null ? [] : (['private'] as const)),
  ...(textAt(user, 'biography') === null ? [] : (['display_name', 'avatar_url'] as const)),
  ...(textAt(user, 'biography') === null || isGated(user) ? [] : (['bio', 'links'] as const)),
];
