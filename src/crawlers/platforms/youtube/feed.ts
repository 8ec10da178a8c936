import { parseHandle, parseId } from '../../../platforms/youtube.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { attributeOf, MOST, type Scope, treeOf, verbatimOf } from '../shared/html.ts';
import { tagsInText } from '../shared/post-tags.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { idOf } from './innertube-requests.ts';
import { blockOf } from './page.ts';

export const feedUrl = (id: string): string => `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`;

/** YouTube lists the newest videos, at most this many. */
const MAX_ENTRIES = 15;

const postOf = ({ select }: Scope, fields: Fields): Post[] => {
  const textIn = (selector: string) => verbatimOf(select(selector)[0]);
  const valueIn = (selector: string, name: string) => attributeOf(select(selector)[0], name);
  const id = textIn('yt\\:videoId');
  if (id === null || id === '') return [];
  const text = textIn('title');
  return [
    {
      id,
      url: valueIn('link[rel="alternate"]', 'href') ?? `https://www.youtube.com/watch?v=${id}`,
      at: fields.instant('post at', textIn('published')),
      kind: 'original',
      media: 'video',
      text,
      lang: null,
      ...tagsInText(text, parseHandle),
      reply_to: null,
      target: null,
      likes: fields.count('post likes', valueIn('media\\:starRating', 'count')),
      replies: null,
      reposts: null,
      quotes: null,
      views: fields.count('post views', valueIn('media\\:statistics', 'views')),
    },
  ];
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  if (!page.body.includes('<feed')) return layoutChanged('The answer is no feed');
  const tree = treeOf(page.body, { xmlMode: true });
  if (tree === null) return layoutChanged('The feed is nested too deep');
  if (!tree.isComplete) return layoutChanged('The feed is broken off');
  const textIn = (selector: string) => verbatimOf(tree.select(selector)[0]);
  const entries = tree.select('feed > entry').slice(0, MOST);
  const link = attributeOf(tree.select('feed > link[rel="alternate"]')[0], 'href') ?? '';
  // The ID lacks its UC prefix here; the link has it.
  const named = textIn('feed > yt\\:channelId') ?? '';
  const id = parseId(/\/channel\/([\w-]+)/.exec(link)?.[1] ?? '') ?? parseId(named) ?? parseId(`UC${named}`);
  if (id === null) return layoutChanged('The feed names no channel');
  if (address.kind === 'id' && id !== address.id) {
    return layoutChanged(`The feed is about ${id}, not about ${address.id}`);
  }
  const fields = new Fields();
  const posts = entries.flatMap((entry) => postOf(tree.within(entry), fields));
  // A feed that is not full has all there is; older videos are in no feed.
  const cursor = entries.length < MAX_ENTRIES ? null : '';
  const { postsCursor: _, ...listing } = inOrder({ posts, cursor });
  return present(
    {
      ...emptyProfile(nameOf(address)),
      id,
      display_name: textIn('feed > author > name') ?? textIn('feed > title'),
      created_at: fields.instant('created_at', textIn('feed > published')),
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
