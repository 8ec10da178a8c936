import { parseHandle } from '../../../platforms/bluesky.ts';
import type { Post, PostReference } from '../../../write/accounts/post.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, type Json, listAt, textAt } from '../shared/json-access.ts';
import { type PostTags, tagsOf } from '../shared/post-tags.ts';
import { layoutChanged, type Parsed, present, unknown } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import {
  API,
  actorHandle,
  basicProfile,
  existenceOnly,
  isAsked,
  isNameless,
  optsOut,
  replyOf,
} from './profile.ts';

/** Posts of a page, where the rest is known. */
export const FEW = 25;

/** The request for a page of an account's posts and replies, newest first. */
export const feedRequest = (actor: string, limit: number, cursor: string | null = null): HttpRequest => {
  const url = `${API}/app.bsky.feed.getAuthorFeed?actor=${encodeURIComponent(actor)}&limit=${limit}&filter=posts_with_replies`;
  return {
    platform: 'bluesky',
    url: cursor === null ? url : `${url}&cursor=${encodeURIComponent(cursor)}`,
  };
};

/** Detail for an empty feed of an unknown account. */
export const EMPTY_FEED = 'The feed is empty and names no account';

const isRepost = (item: Json): boolean => (textAt(item, 'reason', '$type') ?? '').endsWith('#reasonRepost');

/** Listed first, whenever it was written. */
const isPinned = (item: Json): boolean => (textAt(item, 'reason', '$type') ?? '').endsWith('#reasonPin');

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

const POST_URI = /^at:\/\/(did:[^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/;

/** The post that is embedded in another; null without one. Other records are feeds, lists, starter packs and labelers. */
const quotedIn = (post: Json): { readonly uri: string; readonly author: Json } | null => {
  if (!embedOf(post).includes('embed.record')) return null;
  // It is deeper if media are attached.
  const view = at(post, 'embed', 'record');
  const inner = textAt(view, 'uri') === null ? at(view, 'record') : view;
  const embedded = at(post, 'record', 'embed', 'record');
  const uri = textAt(inner, 'uri') ?? textAt(embedded, 'record', 'uri') ?? textAt(embedded, 'uri');
  return uri !== null && POST_URI.test(uri) ? { uri, author: at(inner, 'author') } : null;
};

const kindOf = (post: Json): Post['kind'] => {
  if (at(post, 'record', 'reply') !== undefined) return 'reply';
  return quotedIn(post) === null ? 'original' : 'quote';
};

/** A post that another one answers or cites. Its author is known by the handle, or by the DID in the URI. */
const referenceTo = (uri: string | null, author: Json): PostReference | null => {
  const did = POST_URI.exec(uri ?? '')?.[1] ?? textAt(author, 'did');
  const account = actorHandle(author) ?? did ?? null;
  return uri === null && account === null ? null : { post: uri, account };
};

const answeredBy = (post: Json, item: Json): PostReference | null => {
  const parent = at(item, 'reply', 'parent');
  return referenceTo(
    textAt(parent, 'uri') ?? textAt(post, 'record', 'reply', 'parent', 'uri'),
    at(parent, 'author'),
  );
};

const citedBy = (post: Json): PostReference | null => {
  const quoted = quotedIn(post);
  return quoted === null ? null : referenceTo(quoted.uri, quoted.author);
};

/** No handle is longer: many facets may point to all of a long text. */
const MAX_NAME_BYTES = 260;

/** Facets point into the text's bytes; a mention's target is a DID, its name is in the text. */
const tagsIn = (record: Json): PostTags => {
  const text = textAt(record, 'text');
  if (text === null) return { hashtags: null, links: null, mentions: null };
  const bytes = Buffer.from(text, 'utf8');
  const features = listAt(record, 'facets').flatMap((facet) =>
    listAt(facet, 'features').map((feature) => ({ facet, feature })),
  );
  const named = ({ facet, feature }: (typeof features)[number]): string | null => {
    const [start, end] = [at(facet, 'index', 'byteStart'), at(facet, 'index', 'byteEnd')];
    const shown =
      typeof start === 'number' && typeof end === 'number'
        ? bytes.subarray(start, Math.min(end, start + MAX_NAME_BYTES)).toString('utf8')
        : '';
    return parseHandle(shown) ?? textAt(feature, 'did');
  };
  const of = (kind: string) =>
    features.filter(({ feature }) => textAt(feature, '$type')?.endsWith(`#${kind}`) === true);
  return tagsOf(
    [
      ...of('tag').map(({ feature }) => textAt(feature, 'tag')),
      ...listAt(record, 'tags').map((tag) => textAt(tag)),
    ],
    of('link').map(({ feature }) => textAt(feature, 'uri')),
    of('mention').map(named),
  );
};

const postOf = (item: Json, fields: Fields): Post | null => {
  const post = at(item, 'post');
  const uri = textAt(post, 'uri');
  const parts = POST_URI.exec(uri ?? '');
  if (uri === null || parts === null) return null;
  const count = (name: string, field: string) => fields.count(`post ${name}`, at(post, field));
  const kind = kindOf(post);
  return {
    id: uri,
    url: `https://bsky.app/profile/${parts[1]}/post/${parts[2]}`,
    at:
      fields.instant('post at', at(post, 'record', 'createdAt')) ??
      fields.instant('post at', at(post, 'indexedAt')),
    kind,
    media: mediaOf(post),
    text: textAt(post, 'record', 'text'),
    lang: textAt(post, 'record', 'langs', 0),
    ...tagsIn(at(post, 'record')),
    reply_to: kind === 'reply' ? answeredBy(post, item) : null,
    target: citedBy(post),
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
  const own = items.filter((item) => !isRepost(item));
  const authors = [
    ...own.map((item) => at(item, 'post', 'author')),
    ...items.filter(isRepost).map((item) => at(item, 'reason', 'by')),
  ];
  const author = authors.find((actor) => isAsked(actor, address));
  // A page may be empty although others follow, since hidden posts are left out.
  if (items.length === 0 && textAt(answer.reply, 'cursor') === null) return layoutChanged(EMPTY_FEED);
  if (author === undefined) {
    const nothing = `The feed shows nothing of ${nameOf(address)}`;
    // Posts show no name that their author has lost.
    return authors.some(isNameless) ? unknown('unconfirmed', nothing) : layoutChanged(nothing);
  }
  if (optsOut(author)) return existenceOnly(author, address);
  const fields = new Fields();
  const handle = actorHandle(author) ?? nameOf(address);
  // Threads contain other accounts' posts.
  const posts = own
    .filter((item) => isAsked(at(item, 'post', 'author'), address))
    .flatMap((item): Post[] => {
      const read = postOf(item, fields);
      return read === null ? [] : [read];
    });
  const profile = basicProfile(author, handle, fields);
  // Authors of posts are partial profiles: without a verification state the badge is unknown.
  const badge = at(author, 'verification') === undefined ? { verified: null } : {};
  const pinned = new Set(items.filter(isPinned).flatMap((item) => textAt(item, 'post', 'uri') ?? []));
  const listing = inOrder({ posts, pinned, cursor: textAt(answer.reply, 'cursor') });
  const measured = ['private', 'display_name', 'avatar_url'] as const;
  return present({ ...profile, ...badge }, posts, fields, measured, false, listing);
};

export const feed = surfaceOf(
  'bluesky',
  'feed',
  'json',
  (url) => url.pathname.endsWith('/xrpc/app.bsky.feed.getAuthorFeed'),
  (address) => feedRequest(nameOf(address), FEW),
  parse,
);
