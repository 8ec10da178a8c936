import { contains } from 'cheerio/slim';
import { parseHandle } from '../../../platforms/telegram.ts';
import type { Post, PostReference } from '../../../write/accounts/post.ts';
import type { Fields } from '../shared/field-reader.ts';
import { attributeOf, type Element, MOST, type Scope, type Tree, textOf } from '../shared/html.ts';
import { linkCount, tagsInText } from '../shared/post-tags.ts';
import { addressesIn } from './landing.ts';

export interface Messages {
  readonly posts: readonly Post[];
  /** Creation time of the channel, if its first message is among these. */
  readonly createdAt: string | null;
  /** The channel of the messages; null if there are none. */
  readonly channel: string | null;
}

/** A message's elements of a class, in order. */
type Parts = (name: string) => readonly Element[];

/** One selector, and not one for each part: those of all messages would take longer than their tree. */
const partsOf = ({ select }: Scope): Parts => {
  const parts = new Map<string, Element[]>();
  for (const element of select('[class]'))
    for (const name of element.attribs.class?.split(/\s+/) ?? []) {
      const others = parts.get(name);
      if (others === undefined) parts.set(name, [element]);
      else others.push(element);
    }
  return (name) => parts.get(name) ?? [];
};

/** @param isText whether the message shows a text: without, it has media, though the preview may not show them. */
const mediaOf = (parts: Parts, isText: boolean): Post['media'] => {
  const has = (name: string) => parts(name).length > 0;
  if (has('tgme_widget_message_video_player') || has('tgme_widget_message_roundvideo_player')) return 'video';
  if (has('tgme_widget_message_photo_wrap')) return 'photo';
  const others = ['voice_player', 'document_wrap', 'poll', 'sticker_wrap', 'location_wrap'];
  if (others.some((name) => has(`tgme_widget_message_${name}`))) return 'other';
  if (has('message_media_not_supported')) return null;
  if (has('tgme_widget_message_link_preview')) return 'link';
  return isText ? 'none' : null;
};

/** The message behind a link such as `https://t.me/name/42`; null if it names none. */
const referenceOf = (link: Element | undefined): PostReference | null => {
  const [, name = '', post] =
    /^https?:\/\/(?:t|telegram)\.me\/(?:s\/)?(\w+)(?:\/(\d{1,15}))?/i.exec(attributeOf(link, 'href') ?? '') ??
    [];
  const account = parseHandle(name);
  return account === null ? null : { post: post ?? null, account };
};

/** Sum of reactions; null if there are none or one is unreadable. */
const likesOf = (reactions: readonly Element[], fields: Fields): number | null => {
  if (reactions.length === 0) return null;
  const counts = reactions.map((reaction) => {
    // Emoji can contain digits: the count is last.
    const text = textOf(reaction) ?? '';
    // oxlint-disable-next-line regexp/no-super-linear-move -- 40 characters.
    return fields.count('post reactions', /\d[\d.,\s]*[KMB]?$/i.exec(text.slice(-40))?.[0].trim() ?? text);
  });
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
};

/** The messages of a channel's page; null where one is within another. */
export const messagesOf = (tree: Tree, handle: string, fields: Fields): Messages | null => {
  const posts: Post[] = [];
  let createdAt: string | null = null;
  let channel: string | null = null;
  for (const message of tree.select('.tgme_widget_message')) {
    const scope = tree.within(message);
    const of = partsOf(scope);
    if (of('tgme_widget_message').length > 0) return null;
    const [owner = '', number = ''] = (attributeOf(message, 'data-post') ?? '').split('/');
    const named = parseHandle(owner);
    if (named === null || !/^\d{1,15}$/.test(number)) continue;
    channel = named === handle ? handle : (channel ?? named);
    if (named !== handle) continue;
    const time = scope.select('time[datetime]').at(-1);
    const at = fields.instant('post at', attributeOf(time, 'datetime'));
    if (/(?:^|\s)service_message(?:\s|$)/.test(message.attribs.class ?? '')) {
      // Service messages are not posts; the first one is the channel's creation.
      if (number === '1' && /channel created/i.test(textOf(message) ?? '')) createdAt = at;
      continue;
    }
    const isRepost = of('tgme_widget_message_forwarded_from').length > 0;
    const [reply] = of('tgme_widget_message_reply');
    const shown = of('tgme_widget_message_text').find(
      (each) => reply === undefined || !contains(reply, each),
    );
    const text = textOf(shown);
    posts.push({
      id: number,
      url: `https://t.me/${handle}/${number}`,
      at,
      kind: isRepost ? 'repost' : reply === undefined ? 'original' : 'reply',
      media: mediaOf(of, text !== null),
      text,
      lang: null,
      ...tagsInText(text, parseHandle),
      ...(text === null ? {} : { links: linkCount(addressesIn(tree, shown)) }),
      reply_to: referenceOf(reply),
      target: referenceOf(of('tgme_widget_message_forwarded_from_name')[0]),
      likes: likesOf(of('tgme_reaction').slice(0, MOST), fields),
      replies: null,
      reposts: null,
      quotes: null,
      views: fields.count('post views', textOf(of('tgme_widget_message_views')[0])),
    });
  }
  return { posts, createdAt, channel };
};
