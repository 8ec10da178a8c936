import { parseHandle } from '../../../platforms/tiktok.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile, type Measurable } from '../../../write/accounts/profile.ts';
import type { Address } from '../adapter.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, boolAt, idAt, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { tagsInText } from '../shared/post-tags.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { nameOf } from '../shared/surface.ts';

/** The account's posts of an item list; null without a list. */
export const postsOf = (items: Json, handle: string, fields: Fields): Post[] | null => {
  if (!Array.isArray(items)) return null;
  return items.flatMap((item) => {
    const author = authorOf(item);
    const post = author === null || author === handle ? postOf(item, handle, fields) : null;
    return post === null ? [] : [post];
  });
};

/** A reading from a user object and its counts, as in page and embed. */
export const readingOf = (parts: UserParts, address: Address, fields: Fields): Parsed => {
  const { user, stats } = parts;
  const handle = parseHandle(textAt(user, 'uniqueId') ?? '');
  const id = idAt(user, 'id');
  const same = address.kind === 'handle' ? handle === address.handle : id === address.id;
  if (handle === null || !same)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const count = (name: string, field: string) =>
    fields.wrapped(
      name,
      stats
        .map((source) => at(source, field))
        .find((value) => value !== undefined && value !== null && value !== ''),
    );
  const marks = [boolAt(user, 'privateAccount'), boolAt(user, 'secret'), parts.isPrivate === true || null];
  const isPrivate = marks.includes(true);
  const videos = count('posts', 'videoCount');
  return present(
    {
      ...emptyProfile(handle),
      id,
      display_name: textAt(user, 'nickname'),
      followers: count('followers', 'followerCount'),
      following: count('following', 'followingCount'),
      // A private account's videos are not counted for strangers, who get a 0.
      posts: isPrivate && videos === 0 ? null : videos,
      verified: boolAt(user, 'verified'),
      created_at: fields.instant('created_at', at(user, 'createTime')),
      bio: textAt(user, 'signature'),
      avatar_url: fields.url(
        'avatar_url',
        either(at(user, 'avatarLarger'), either(at(user, 'avatarMedium'), at(user, 'avatarThumbUrl'))),
      ),
      links: linksOf([bioLink(textAt(user, 'bioLink', 'link'))]),
    },
    postsOf(parts.posts, handle, fields),
    fields,
    measuredOf(
      user,
      marks.some((mark) => mark !== null),
    ),
    isPrivate,
    cursorOf(textAt(user, 'secUid')),
  );
};

/** The author in an item list, if it is the requested account. */
export const ownerIn = (items: Json, handle: string): Json =>
  listAt(items)
    .map((item) => at(item, 'author'))
    .find((author) => authorOf({ author }) === handle);

const either = (first: Json, second: Json): Json =>
  first === undefined || first === null || first === '' ? second : first;

/** A post of an item list; null without an ID. */
const postOf = (item: Json, handle: string, fields: Fields): Post | null => {
  const id = idAt(item, 'id');
  if (id === null) return null;
  const text = textAt(item, 'desc');
  const lang = textAt(item, 'textLanguage');
  // The exact counts are text; the older ones are rounded.
  const count = (name: string, field: string) =>
    fields.wrapped(
      `post ${name}`,
      either(either(at(item, 'statsV2', field), at(item, 'stats', field)), at(item, field)),
    );
  return {
    id,
    url: `https://www.tiktok.com/@${handle}/video/${id}`,
    at: fields.instant('post at', at(item, 'createTime')),
    kind: 'original',
    media: at(item, 'imagePost') !== undefined ? 'photo' : 'video',
    text,
    lang: lang === '' || lang === 'un' ? null : lang,
    ...tagsInText(text, parseHandle),
    reply_to: null,
    target: null,
    likes: count('likes', 'diggCount'),
    replies: count('replies', 'commentCount'),
    reposts: count('reposts', 'shareCount'),
    quotes: null,
    views: count('views', 'playCount'),
  };
};

const authorOf = (item: Json): string | null =>
  parseHandle(textAt(item, 'author', 'uniqueId') ?? textAt(item, 'author') ?? '');

interface UserParts {
  readonly user: Json;
  /** Counts, most exact source first. */
  readonly stats: readonly Json[];
  readonly posts: Json;
  /** Whether the answer itself says that the account is private. */
  readonly isPrivate?: boolean;
}

/** Posts are listed by a call of their own, which takes the account's other ID. */
const cursorOf = (secUid: string | null) =>
  secUid === null || secUid === '' ? {} : { postsCursor: `${secUid} 0` };

/** The embed's user has fewer fields than the page's; links are only present if set, and never in the embed. */
const measuredOf = (user: Json, showsPrivacy: boolean): Measurable[] => [
  ...(showsPrivacy ? (['private'] as const) : []),
  ...(textAt(user, 'nickname') === null ? [] : (['display_name'] as const)),
  ...(textAt(user, 'signature') === null ? [] : (['bio', 'avatar_url'] as const)),
  ...(textAt(user, 'secUid') === null ? [] : (['links'] as const)),
];

/** TikTok omits the scheme of a profile link if its owner did. */
const bioLink = (link: string | null): string | null =>
  link === null || link === '' || /^https?:\/\//i.test(link) ? link : `https://${link}`;
