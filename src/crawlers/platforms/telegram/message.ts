import { urlsIn } from '../../../kernel/urls-in-text.ts';
import { parseHandle } from '../../../platforms/telegram.ts';
import type { Post, PostReference } from '../../../write/accounts/post.ts';
import type { Fields } from '../shared/field-reader.ts';
import type { Found } from '../shared/html-elements.ts';
import { linkCount, tagsInText } from '../shared/post-tags.ts';
import { isTag } from './landing.ts';

/** Classes of a message's parts, most specific first. */
export const MESSAGE_CLASSES: readonly string[] = [
  'tgme_widget_message',
  'tgme_widget_message_date',
  'tgme_widget_message_views',
  'tgme_widget_message_forwarded_from_name',
  'tgme_widget_message_forwarded_from',
  'tgme_widget_message_reply',
  'tgme_widget_message_text',
  'tgme_widget_message_photo_wrap',
  'tgme_widget_message_video_player',
  'tgme_widget_message_roundvideo_player',
  'tgme_widget_message_voice_player',
  'tgme_widget_message_document_wrap',
  'tgme_widget_message_poll',
  'tgme_widget_message_sticker_wrap',
  'tgme_widget_message_location_wrap',
  'tgme_widget_message_link_preview',
  'message_media_not_supported',
  'tgme_reaction',
  '<time',
];

export interface Messages {
  readonly posts: readonly Post[];
  /** Creation time of the channel, if its first message is among these. */
  readonly createdAt: string | null;
  /** The channel of the messages; null if there are none. */
  readonly channel: string | null;
}

/** Parts of each message, found through their ancestors. */
const partsByMessage = (found: readonly Found[]): Map<Found, Found[]> => {
  const parts = new Map<Found, Found[]>();
  const homes = new Map<Found, Found>();
  for (const element of found) {
    if (element.as === 'tgme_widget_message') {
      parts.set(element, []);
      homes.set(element, element);
      continue;
    }
    const home = element.parent === null ? undefined : homes.get(element.parent);
    if (home === undefined) continue;
    homes.set(element, home);
    parts.get(home)?.push(element);
  }
  return parts;
};

/** @param isText whether the message shows a text: without, it has media, though the preview may not show them. */
const mediaOf = (has: (name: string) => boolean, isText: boolean): Post['media'] => {
  if (has('tgme_widget_message_video_player') || has('tgme_widget_message_roundvideo_player')) return 'video';
  if (has('tgme_widget_message_photo_wrap')) return 'photo';
  const others = ['voice_player', 'document_wrap', 'poll', 'sticker_wrap', 'location_wrap'];
  if (others.some((name) => has(`tgme_widget_message_${name}`))) return 'other';
  if (has('message_media_not_supported')) return null;
  if (has('tgme_widget_message_link_preview')) return 'link';
  return isText ? 'none' : null;
};

/** The message behind a link such as `https://t.me/name/42`; null if it names none. */
const referenceOf = (link: Found | undefined): PostReference | null => {
  const [, name = '', post] =
    /^https?:\/\/(?:t|telegram)\.me\/(?:s\/)?(\w+)(?:\/(\d{1,15}))?/i.exec(link?.attributes.href ?? '') ?? [];
  const account = parseHandle(name);
  return account === null ? null : { post: post ?? null, account };
};

const isWithin = (element: Found, outer: Found): boolean => {
  for (let at = element.parent; at !== null; at = at.parent) if (at === outer) return true;
  return false;
};

/** Links of a text: those it shows, and those behind its words. A mention and a hashtag are none. */
const linksOf = (text: Found, parts: readonly Found[]): number => {
  const behind = parts
    .filter((part) => part.tag === 'a' && isWithin(part, text) && !isTag(part))
    .map(({ attributes }) => attributes.href ?? '');
  return linkCount([...urlsIn(text.text), ...behind]);
};

/** Sum of reactions; null if there are none or one is unreadable. */
const likesOf = (reactions: readonly Found[], fields: Fields): number | null => {
  if (reactions.length === 0) return null;
  // Emoji can contain digits: the count is last.
  const counts = reactions.map(({ text }) =>
    // oxlint-disable-next-line regexp/no-super-linear-move -- 40 characters.
    fields.count('post reactions', /\d[\d.,\s]*[KMB]?$/i.exec(text.slice(-40))?.[0].trim() ?? text),
  );
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
};

export const messagesOf = (found: readonly Found[], handle: string, fields: Fields): Messages => {
  const posts: Post[] = [];
  let createdAt: string | null = null;
  let channel: string | null = null;
  for (const [message, parts] of partsByMessage(found)) {
    const [owner = '', number = ''] = (message.attributes['data-post'] ?? '').split('/');
    const named = parseHandle(owner);
    if (named === null || !/^\d{1,15}$/.test(number)) continue;
    channel = named === handle ? handle : (channel ?? named);
    if (named !== handle) continue;
    const of = (name: string) => parts.filter(({ as }) => as === name);
    const has = (name: string) => of(name).length > 0;
    const time =
      of('<time').find(({ parent }) => parent?.as === 'tgme_widget_message_date') ?? of('<time').at(-1);
    const at = fields.instant('post at', time?.attributes.datetime);
    const text = of('tgme_widget_message_text').find(
      ({ classes, parent }) =>
        !classes.includes('js-message_reply_text') && parent?.as !== 'tgme_widget_message_reply',
    );
    if (message.classes.includes('service_message')) {
      // Service messages are not posts; the first one is the channel's creation.
      if (number === '1' && /channel created/i.test(message.text)) createdAt = at;
      continue;
    }
    posts.push({
      id: number,
      url: `https://t.me/${handle}/${number}`,
      at,
      kind: has('tgme_widget_message_forwarded_from')
        ? 'repost'
        : has('tgme_widget_message_reply')
          ? 'reply'
          : 'original',
      media: mediaOf(has, text !== undefined),
      text: text?.text ?? null,
      lang: null,
      ...tagsInText(text?.text ?? null, parseHandle),
      ...(text === undefined ? {} : { links: linksOf(text, parts) }),
      reply_to: referenceOf(of('tgme_widget_message_reply')[0]),
      target: referenceOf(of('tgme_widget_message_forwarded_from_name')[0]),
      likes: likesOf(of('tgme_reaction'), fields),
      replies: null,
      reposts: null,
      quotes: null,
      views: fields.count('post views', of('tgme_widget_message_views')[0]?.text),
    });
  }
  return { posts, createdAt, channel };
};
