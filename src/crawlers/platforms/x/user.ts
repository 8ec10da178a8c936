import { urlsIn } from '../../../kernel/text.ts';
import { parseHandle } from '../../../platforms/x.ts';
import { emptyProfile, type Measurable, type Profile } from '../../../write/accounts/profile.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, boolAt, idAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';

export interface XUser {
  readonly profile: Profile;
  readonly isPrivate: boolean;
  readonly measured: readonly Measurable[];
  /** IDs of the posts that the user pinned, where the node has them. */
  readonly pinned: readonly string[];
}

/** Whether a URL in a text is X's own in place of another. */
export const isShortened = (url: string): boolean => /^https?:\/\/t\.co\//i.test(url);

/** A picture in the one size in which it is kept, whichever its surface showed. */
export const pictureOf = (url: string | null): string | null => url?.replace(PICTURE, '$1_400x400$2') ?? null;

/**
 * A user node of any layout: the newer one with `core`, `relationship_counts` and others, the older `legacy`, and
 * mixtures. Null if it has no handle.
 */
export const userOf = (user: Json, fields: Fields): XUser | null => {
  const legacy = at(user, 'legacy');
  const handle = parseHandle(textAt(user, 'core', 'screen_name') ?? textAt(legacy, 'screen_name') ?? '');
  if (handle === null) return null;
  const bio = textAt(user, 'profile_bio', 'description') ?? textAt(legacy, 'description');
  const either = (first: Json, second: Json) => (first === undefined || first === null ? second : first);
  const hidden = boolAt(user, 'privacy', 'protected') ?? boolAt(legacy, 'protected');
  return {
    isPrivate: hidden === true,
    measured: measuredOf(user, hidden !== null),
    pinned: listAt(legacy, 'pinned_tweet_ids_str').flatMap((id) => textAt(id) ?? []),
    profile: {
      ...emptyProfile(handle),
      id: idAt(user, 'rest_id') ?? idAt(legacy, 'id_str'),
      display_name: textAt(user, 'core', 'name') ?? textAt(legacy, 'name'),
      followers: fields.count(
        'followers',
        either(at(user, 'relationship_counts', 'followers'), at(legacy, 'followers_count')),
      ),
      following: fields.count(
        'following',
        either(at(user, 'relationship_counts', 'following'), at(legacy, 'friends_count')),
      ),
      posts: fields.count('posts', either(at(user, 'tweet_counts', 'tweets'), at(legacy, 'statuses_count'))),
      verified: verifiedOf(user),
      created_at: fields.instant(
        'created_at',
        either(at(user, 'core', 'created_at'), at(legacy, 'created_at')),
      ),
      bio,
      avatar_url: pictureOf(
        fields.url(
          'avatar_url',
          either(at(user, 'avatar', 'image_url'), at(legacy, 'profile_image_url_https')),
        ),
      ),
      location: textAt(user, 'location', 'location') ?? textAt(legacy, 'location'),
      links: linksIn(user, bio),
    },
  };
};

/** A paid or granted badge; the legacy `verified` flag is outdated and ignored. */
const verifiedOf = (user: Json): boolean | null => {
  const states = [user, at(user, 'verification'), at(user, 'legacy')].flatMap((node) => {
    const type = textAt(node, 'verified_type');
    return [boolAt(node, 'is_blue_verified'), type === null ? null : !/^(?:none)?$/i.test(type)];
  });
  return states.includes(true) || (states.includes(false) ? false : null);
};

const linksIn = (user: Json, bio: string | null): string[] => {
  const entities = [at(user, 'profile_bio', 'entities'), at(user, 'legacy', 'entities')];
  const expanded = (part: string) =>
    entities.flatMap((entity) =>
      listAt(entity, part, 'urls').map((url) => textAt(url, 'expanded_url') ?? textAt(url, 'url')),
    );
  const shown = urlsIn(bio);
  const found = linksOf([
    ...expanded('url'),
    ...expanded('description'),
    ...shown.filter((url) => !isShortened(url)),
  ]);
  if (found.length > 0) return found;
  // Without entities only the shortened URLs are known.
  return linksOf([textAt(user, 'website', 'url'), textAt(user, 'legacy', 'url'), ...shown]);
};

const PICTURE =
  /^(https:\/\/(?:pbs\.twimg\.com\/profile_images|abs\.twimg\.com\/sticky\/default_profile_images)\/.*?)(?:_(?:mini|normal|bigger|reasonably_small|x96|\d+x\d+))?(\.\w+)$/i;

/** Users are sent with varying fields: only a present field can be known as empty. */
const measuredOf = (user: Json, showsPrivacy: boolean): Measurable[] => {
  const legacy = at(user, 'legacy');
  const has = (...paths: readonly Json[]) => paths.some((value) => value !== undefined);
  return [
    ...(showsPrivacy ? (['private'] as const) : []),
    ...(has(at(user, 'core', 'name'), at(legacy, 'name')) ? (['display_name'] as const) : []),
    ...(has(at(user, 'profile_bio'), at(legacy, 'description')) ? (['bio'] as const) : []),
    ...(has(at(user, 'avatar'), at(legacy, 'profile_image_url_https')) ? (['avatar_url'] as const) : []),
    ...(has(at(user, 'location'), at(legacy, 'location')) ? (['location'] as const) : []),
    ...(isObject(at(user, 'profile_bio', 'entities')) || isObject(at(legacy, 'entities'))
      ? (['links'] as const)
      : []),
  ];
};
