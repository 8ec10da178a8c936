import { parseHandle } from '../../../platforms/instagram.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile, type Measurable, type Profile } from '../../../write/accounts/profile.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, boolAt, idAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { tagsInText } from '../shared/post-tags.ts';

/** The owner of a post node; null if absent. */
export const ownerOf = (node: Json): string | null =>
  parseHandle(textAt(node, 'user', 'username') ?? textAt(node, 'owner', 'username') ?? '');

export const ownerIdOf = (node: Json): string | null =>
  idAt(node, 'owner', 'id') ?? idAt(node, 'user', 'pk') ?? idAt(node, 'user', 'id');

/** The account whose posts are read. */
export interface Author {
  readonly handle: string;
  readonly id: string | null;
}

/**
 * Whose a node is, among others that Instagram puts between the account's own: `unsaid` is another's that may have
 * several authors, null without an owner.
 */
export const ownership = (node: Json, author: Author): boolean | 'unsaid' | null => {
  const owner = ownerOf(node);
  if (owner === null) return null;
  if (owner === author.handle) return true;
  return isCoauthored(node, author) ?? 'unsaid';
};

/** IDs of the posts that the owner pinned, listed first whenever they were published, and of those of several authors. */
export const marksOf = (nodes: readonly Json[], author: Author) => {
  const own = nodes.filter((node) => mayBeOwn(node, author));
  // A surface shows a mark if any of its posts has the list that says so, empty or not.
  const markedBy = (...lists: readonly string[]): ReadonlySet<string> | null => {
    const shows = own.some((node) => lists.some((name) => Array.isArray(at(node, name))));
    const marked = own.filter((node) => lists.some((name) => listAt(node, name).length > 0));
    return shows ? new Set(marked.flatMap((node) => idOf(node) ?? [])) : null;
  };
  const pinned = markedBy('pinned_for_users', 'timeline_pinned_user_ids');
  const coauthored = markedBy('coauthor_producers');
  return { ...(pinned && { pinned }), ...(coauthored && { coauthored }) };
};

/** The account's own posts among the nodes, which include others'. */
export const ownPosts = (nodes: readonly Json[], author: Author, fields: Fields): Post[] =>
  nodes.flatMap((node) => (mayBeOwn(node, author) ? (postOf(node, fields) ?? []) : []));

/** Whether Instagram shows strangers a user without its figures and its bio, for their age or their country. */
export const isGated = (user: Json): boolean =>
  isObject(at(user, 'gating')) || boolAt(user, 'country_block') === true;

/** The profile of a user node of either surface. A gated user has zeros and an empty bio instead of its values. */
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

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Decodes a post's number from its base64 shortcode; null if it is not one. */
const idOfCode = (code: string): string | null => {
  if (!/^[\w-]{5,13}$/.test(code)) return null;
  let id = 0n;
  for (const character of code) id = id * 64n + BigInt(ALPHABET.indexOf(character));
  return id.toString();
};

const MEDIA: Readonly<Record<number, Post['media']>> = { 1: 'photo', 2: 'video', 8: 'photo' };

const mediaOf = (node: Json): Post['media'] => {
  const video = boolAt(node, 'is_video');
  if (video !== null) return video ? 'video' : 'photo';
  const type = at(node, 'media_type');
  return typeof type === 'number' ? (MEDIA[type] ?? 'other') : null;
};

/** The count of views. Instagram shows plays, of which views are a part. */
const most = (counts: readonly Json[], fields: Fields): number | null => {
  const shownCounts = counts.flatMap((count) => fields.count('post views', shown(count)) ?? []);
  return shownCounts.length === 0 ? null : Math.max(...shownCounts);
};

const first = (...values: readonly Json[]): Json =>
  values.find((value) => value !== undefined && value !== null);

/** Instagram hides a count by sending -1: unknown, not unreadable. */
const shown = (value: Json): Json => (typeof value === 'number' && value < 0 ? null : value);

const urlOf = (code: string | null): string | null =>
  code === null ? null : `https://www.instagram.com/p/${code}/`;

const codeOf = (node: Json): string | null => textAt(node, 'shortcode') ?? textAt(node, 'code');

/** A post's ID; null if it has neither shortcode nor ID. Some IDs have the owner's ID appended after an underscore. */
const idOf = (node: Json): string | null => {
  const code = codeOf(node);
  const id =
    (code === null ? null : idOfCode(code)) ?? idAt(node, 'pk') ?? idAt(node, 'id')?.split('_')[0] ?? code;
  return id === '' ? null : id;
};

/** A post from a node of either surface; null without an ID. */
const postOf = (node: Json, fields: Fields): Post | null => {
  const id = idOf(node);
  if (id === null) return null;
  const code = codeOf(node);
  const media = mediaOf(node);
  const text =
    textAt(listAt(node, 'edge_media_to_caption', 'edges')[0], 'node', 'text') ??
    textAt(node, 'caption', 'text');
  const likes = first(
    at(node, 'edge_liked_by', 'count'),
    at(node, 'edge_media_preview_like', 'count'),
    at(node, 'like_count'),
  );
  const hidden = boolAt(node, 'like_and_view_counts_disabled') === true;
  const views = ['video_play_count', 'play_count', 'ig_play_count', 'video_view_count', 'view_count'];
  return {
    id,
    url: urlOf(code),
    at: fields.instant('post at', first(at(node, 'taken_at_timestamp'), at(node, 'taken_at'))),
    kind: 'original',
    media,
    text,
    lang: null,
    ...tagsInText(text, parseHandle),
    reply_to: null,
    target: null,
    likes: hidden ? null : fields.count('post likes', shown(likes)),
    replies: fields.count(
      'post replies',
      shown(
        first(
          at(node, 'edge_media_to_comment', 'count'),
          at(node, 'edge_media_to_parent_comment', 'count'),
          at(node, 'comment_count'),
        ),
      ),
    ),
    reposts: null,
    quotes: null,
    views:
      media === 'video' && !hidden
        ? most(
            views.map((name) => at(node, name)),
            fields,
          )
        : null,
  };
};

/** Whether others published a post together with the account, which its page shows like its own; null if not said. */
const isCoauthored = (node: Json, { handle, id }: Author): boolean | null =>
  Array.isArray(at(node, 'coauthor_producers'))
    ? listAt(node, 'coauthor_producers').some(
        (user) =>
          parseHandle(textAt(user, 'username') ?? '') === handle ||
          (id !== null && (idAt(user, 'id') ?? idAt(user, 'pk')) === id),
      )
    : null;

const mayBeOwn = (node: Json, author: Author): boolean => {
  const whose = ownership(node, author);
  return whose === true || whose === null;
};
