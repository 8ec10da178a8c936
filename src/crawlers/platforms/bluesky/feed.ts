import { type Post, UNTAGGED } from '../../../write/accounts/post.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { API, basicProfile } from './profile.ts';
import { actorHandle, existenceOnly, isAsked, optsOut, replyOf } from './response.ts';

export const feedRequest = (actor: string): HttpRequest => ({
  platform: 'bluesky',
  url: `${API}/app.bsky.feed.getAuthorFeed?actor=${encodeURIComponent(actor)}&limit=50&filter=posts_no_replies`,
});

/** Detail for an empty feed of an unknown account. */
export const EMPTY_FEED = 'The feed is empty and names no account';

const isRepost = (item: Json): boolean => (textAt(item, 'reason', '$type') ?? '').endsWith('#reasonRepost');

const embedOf = (post: Json): string =>
  textAt(post, 'embed', '$type') ?? textAt(post, 'record', 'embed', '$type') ?? '';

const mediaOf = (post: Json): Post['media'] => {
  const type = embedOf(post);
  const inner =
    textAt(post, 'embed', 'media', '$type') ?? textAt(post, 'record', 'embed', 'media', '$type') ?? '';
  const kind = `${type} ${inner}`;
  if (kind.includes('embed.video')) return 'video';
  if (kind.includes('embed.images')) return 'photo';
  if (kind.includes('embed.external')) return 'link';
  return type === '' || /embed\.record(?:#view)?$/.test(type) ? 'none' : 'other';
};

const kindOf = (post: Json): Post['kind'] => {
  if (at(post, 'record', 'reply') !== undefined) return 'reply';
  return embedOf(post).includes('embed.record') ? 'quote' : 'original';
};

const postOf = (post: Json, fields: Fields): Post | null => {
  const uri = textAt(post, 'uri');
  const parts = /^at:\/\/(did:[^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri ?? '');
  if (uri === null || parts === null) return null;
  const count = (name: string, field: string) => fields.count(`post ${name}`, at(post, field));
  return {
    id: uri,
    url: `https://bsky.app/profile/${parts[1]}/post/${parts[2]}`,
    at:
      fields.instant('post at', at(post, 'record', 'createdAt')) ??
      fields.instant('post at', at(post, 'indexedAt')),
    kind: kindOf(post),
    media: mediaOf(post),
    text: textAt(post, 'record', 'text'),
    ...UNTAGGED,
    likes: count('likes', 'likeCount'),
    replies: count('replies', 'replyCount'),
    reposts: count('reposts', 'repostCount'),
    quotes: count('quotes', 'quoteCount'),
    views: null,
  };
};

const parse = (page: Page, address: Address): Parsed => {
  const answer = replyOf(page);
  if ('outcome' in answer) return answer.outcome;
  const items = at(answer.reply, 'feed');
  if (!Array.isArray(items)) return layoutChanged('The reply is no feed');
  const own = items.filter((item) => !isRepost(item)).map((item) => at(item, 'post'));
  const authors = [
    ...own.map((post) => at(post, 'author')),
    ...items.filter(isRepost).map((item) => at(item, 'reason', 'by')),
  ];
  const author = authors.find((actor) => isAsked(actor, address));
  if (items.length === 0) return layoutChanged(EMPTY_FEED);
  if (author === undefined) return layoutChanged(`The feed shows nothing of ${nameOf(address)}`);
  if (optsOut(author)) return existenceOnly(address);
  const fields = new Fields();
  const handle = actorHandle(author) ?? nameOf(address);
  // Threads contain other accounts' posts.
  const posts = own
    .filter((post) => isAsked(at(post, 'author'), address))
    .flatMap((post): Post[] => {
      const read = postOf(post, fields);
      return read === null ? [] : [read];
    });
  const profile = basicProfile(author, handle, fields);
  // Authors of posts are partial profiles: without a verification state the badge is unknown.
  const badge = at(author, 'verification') === undefined ? { verified: null } : {};
  return present({ ...profile, ...badge }, posts, fields, ['private', 'display_name', 'avatar_url']);
};

export const feed = surfaceOf(
  'feed',
  'json',
  (url) => url.pathname.endsWith('/xrpc/app.bsky.feed.getAuthorFeed'),
  (address) => feedRequest(nameOf(address)),
  parse,
);
