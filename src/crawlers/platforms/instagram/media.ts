import { parseHandle } from '../../../write/accounts/grammar/instagram.ts';
import type { Post } from '../../../write/accounts/post.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, boolAt, idAt, type Json, listAt, textAt } from '../shared/json-access.ts';
import { tagsInText } from '../shared/post-tags.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Decodes a post's number from its base64 shortcode; null if it is not one. */
const idOfCode = (code: string): string | null => {
  if (!/^[\w-]{5,13}$/.test(code)) return null;
  let id = 0n;
  for (const character of code) id = id * 64n + BigInt(ALPHABET.indexOf(character));
  return id.toString();
};

/** The owner of a post node; null if absent. */
export const ownerOf = (node: Json): string | null =>
  parseHandle(textAt(node, 'user', 'username') ?? textAt(node, 'owner', 'username') ?? '');

export const ownerIdOf = (node: Json): string | null =>
  idAt(node, 'owner', 'id') ?? idAt(node, 'user', 'pk') ?? idAt(node, 'user', 'id');

const MEDIA: Readonly<Record<number, Post['media']>> = { 1: 'photo', 2: 'video', 8: 'photo' };

const mediaOf = (node: Json): Post['media'] => {
  const video = boolAt(node, 'is_video');
  if (video !== null) return video ? 'video' : 'photo';
  const type = at(node, 'media_type');
  return typeof type === 'number' ? (MEDIA[type] ?? 'other') : null;
};

const first = (...values: readonly Json[]): Json =>
  values.find((value) => value !== undefined && value !== null);

/** Instagram hides a count by sending -1: unknown, not unreadable. */
const shown = (value: Json): Json => (typeof value === 'number' && value < 0 ? null : value);

const urlOf = (code: string | null): string | null =>
  code === null ? null : `https://www.instagram.com/p/${code}/`;

/** A post from a node of either surface; null if it has neither shortcode nor ID. */
const postOf = (node: Json, fields: Fields): Post | null => {
  const code = textAt(node, 'shortcode') ?? textAt(node, 'code');
  // Some IDs have the owner's ID appended after an underscore.
  const id =
    (code === null ? null : idOfCode(code)) ?? idAt(node, 'pk') ?? idAt(node, 'id')?.split('_')[0] ?? code;
  if (id === null || id === '') return null;
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
  const views = first(at(node, 'video_view_count'), at(node, 'play_count'), at(node, 'view_count'));
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
    views: media === 'video' && !hidden ? fields.count('post views', shown(views)) : null,
  };
};

/** IDs of posts that the owner pinned: they are listed first, whenever they were published. */
export const pinnedIn = (nodes: readonly Json[], posts: readonly Post[]): ReadonlySet<string> => {
  const pinned = nodes.filter((node) => listAt(node, 'pinned_for_users').length > 0);
  const urls = new Set(pinned.map((node) => urlOf(textAt(node, 'shortcode') ?? textAt(node, 'code'))));
  return new Set(posts.filter(({ url }) => url !== null && urls.has(url)).map(({ id }) => id));
};

/** The account's own posts among the nodes, which include others'. */
export const ownPosts = (nodes: readonly Json[], handle: string, fields: Fields): Post[] =>
  nodes.flatMap((node) => {
    const owner = ownerOf(node);
    const post = owner === null || owner === handle ? postOf(node, fields) : null;
    return post === null ? [] : [post];
  });
