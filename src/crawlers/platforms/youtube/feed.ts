import { Parser } from 'htmlparser2';
import { parseHandle, parseId } from '../../../platforms/youtube.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { MAX_DEPTH } from '../shared/html-elements.ts';
import { clean } from '../shared/json-access.ts';
import { tagsInText } from '../shared/post-tags.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { blockOf } from './block-detection.ts';
import { idOf } from './innertube-requests.ts';

export const feedUrl = (id: string): string => `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`;

/** YouTube lists the newest videos, at most this many. */
const MAX_ENTRIES = 15;

interface Entry {
  readonly [field: string]: string;
}

interface Feed {
  readonly head: Entry;
  readonly entries: readonly Entry[];
  /** Whether the feed is complete; a truncated one may lack anything. */
  readonly complete: boolean;
}

const TEXTS = new Set(['yt:channelId', 'yt:videoId', 'title', 'published', 'name']);

const readFeed = (xml: string): Feed => {
  const head: Record<string, string> = {};
  const entries: Record<string, string>[] = [];
  let here = head;
  let field: string | null = null;
  let complete = false;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) parser.pause();
        if (name === 'entry') {
          here = {};
          entries.push(here);
        } else if (name === 'link' && attributes.rel === 'alternate') here.link ??= attributes.href ?? '';
        else if (name === 'media:statistics') here.views ??= attributes.views ?? '';
        else if (name === 'media:starRating') here.likes ??= attributes.count ?? '';
        else if (TEXTS.has(name) && !Object.hasOwn(here, name)) {
          field = name;
          here[name] = '';
        }
      },
      ontext(text) {
        if (field !== null) here[field] += text;
      },
      onclosetag(name, implied) {
        depth -= 1;
        if (name === field) field = null;
        if (name === 'entry') here = head;
        if (name === 'feed') complete = !implied;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { head, entries, complete };
};

const copied = (text: string | undefined): string | null =>
  text === undefined ? null : clean(Buffer.from(text, 'utf8').toString('utf8'));

const postOf = (entry: Entry, fields: Fields): Post[] => {
  const id = copied(entry['yt:videoId']);
  if (id === null || id === '') return [];
  const text = copied(entry.title);
  return [
    {
      id,
      url: copied(entry.link) ?? `https://www.youtube.com/watch?v=${id}`,
      at: fields.instant('post at', entry.published),
      kind: 'original',
      media: 'video',
      text,
      lang: null,
      ...tagsInText(text, parseHandle),
      reply_to: null,
      target: null,
      likes: fields.count('post likes', entry.likes),
      replies: null,
      reposts: null,
      quotes: null,
      views: fields.count('post views', entry.views),
    },
  ];
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  if (!page.body.includes('<feed')) return layoutChanged('The answer is no feed');
  const { head, entries, complete } = readFeed(page.body);
  if (!complete) return layoutChanged('The feed is broken off');
  // The ID lacks its UC prefix here; the link has it.
  const named = head['yt:channelId'] ?? '';
  const id =
    parseId(/\/channel\/([\w-]+)/.exec(head.link ?? '')?.[1] ?? '') ??
    parseId(named) ??
    parseId(`UC${named}`);
  if (id === null) return layoutChanged('The feed names no channel');
  if (address.kind === 'id' && id !== address.id) {
    return layoutChanged(`The feed is about ${id}, not about ${address.id}`);
  }
  const fields = new Fields();
  const posts = entries.flatMap((entry) => postOf(entry, fields));
  // A feed that is not full has all there is; older videos are in no feed.
  const cursor = entries.length < MAX_ENTRIES ? null : '';
  const { postsCursor: _, ...listing } = inOrder({ posts, cursor });
  return present(
    {
      ...emptyProfile(nameOf(address)),
      id,
      display_name: copied(head.name) ?? copied(head.title),
      created_at: fields.instant('created_at', head.published),
    },
    posts,
    fields,
    ['display_name'],
    false,
    listing,
  );
};

export const feed = surfaceOf(
  'youtube',
  'feed',
  'xml',
  (url) => url.hostname.endsWith('youtube.com') && url.pathname === '/feeds/videos.xml',
  (address) => {
    const id = idOf(address);
    return id === null ? null : { platform: 'youtube', url: feedUrl(id) };
  },
  parse,
);
