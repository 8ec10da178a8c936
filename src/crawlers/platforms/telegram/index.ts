import { contains } from 'cheerio/slim';
import { addressOf, telegram as grammar, parseHandle } from '../../../platforms/telegram.ts';
import type { Post, PostReference } from '../../../write/accounts/post.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { attributeOf, type Element, MOST, type Scope, type Tree, textOf, treeOf } from '../shared/html.ts';
import { linksOf } from '../shared/links.ts';
import { linkCount, tagsInText } from '../shared/post-tags.ts';
import {
  firstConclusive,
  readStep,
  type Step,
  stepsOf,
  supplemented,
  unknownReading,
} from '../shared/read-surfaces.ts';
import {
  isChallenge,
  layoutChanged,
  otherStatus,
  type Parsed,
  present,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import { inOrder, pagedBack } from '../shared/timeline.ts';
import { AVATAR, addressesIn, BADGE, landing, parseLanding, SHOWN } from './landing.ts';

const read = async (address: Address, { http, posts, window }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'landing',
      'not_configured',
      'No public surface of Telegram shows an account by its id',
    );
  }
  const reading = await firstConclusive(http, stepsOf([landing, preview], address), address);
  const [feed] = stepsOf([preview], address);
  const wanted = posts && reading.status === 'present' && reading.surface === landing.name;
  const whole =
    wanted && feed !== undefined ? supplemented(reading, await readStep(http, feed, address)) : reading;
  if (!posts || window === undefined) return whole;
  return pagedBack(http, whole, address, window, (cursor) => previewStep(address.handle, cursor));
};

const BADGES = `.tgme_channel_info_header_title .${BADGE}, .tgme_channel_info_header_labels .${BADGE}`;

const FOLLOWERS = /^(?:subscriber|member)s?$/i;

const OTHER_COUNTS = /^(?:photo|video|file|link|gif|voice message|music file|audio file)s?$/i;

const followersOf = (tree: Tree, info: Scope, fields: Fields): number | null => {
  let value: string | null = null;
  for (const counter of info.select('.tgme_channel_info_counter').slice(0, MOST)) {
    const { select } = tree.within(counter);
    const type = textOf(select('.counter_type')[0]) ?? '';
    if (FOLLOWERS.test(type)) value ??= textOf(select('.counter_value')[0]);
    else if (!OTHER_COUNTS.test(type)) fields.unknownLabel(type);
  }
  return value === null ? null : fields.count('followers', value);
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  if (address.kind === 'id') return layoutChanged('The page shows no native id');
  // Accounts without a public feed redirect to the landing page, which is parsed as such.
  if (!page.body.includes('tgme_channel_info') && page.body.includes('tgme_page_'))
    return parseLanding(page, address);
  const tree = treeOf(page.body);
  if (tree === null) return layoutChanged('The page is nested too deep');
  const [channel] = tree.select('.tgme_channel_info');
  const info = channel === undefined ? undefined : tree.within(channel);
  const [title] = info?.select('.tgme_channel_info_header_title') ?? [];
  if (info === undefined || title === undefined) {
    if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
    return layoutChanged('The page has no channel header');
  }
  const fields = new Fields();
  const messages = messagesOf(tree, address.handle, fields);
  if (messages === null) return layoutChanged('The page has a message within another');
  const named =
    parseHandle(textOf(info.select('.tgme_channel_info_header_username')[0]) ?? '') ?? messages.channel;
  if (named !== address.handle) {
    return layoutChanged(`The page is about ${named}, not about ${nameOf(address)}`);
  }
  if (!tree.isComplete) return layoutChanged('The page is broken off');
  const [description] = info.select('.tgme_channel_info_description');
  // The page lists the oldest message first.
  const posts = messages.posts.toReversed();
  return present(
    {
      ...emptyProfile(address.handle),
      display_name: textOf(title, BADGE),
      followers: followersOf(tree, info, fields),
      verified: info.select(BADGES).length > 0,
      created_at: messages.createdAt,
      bio: textOf(description),
      avatar_url: fields.url('avatar_url', attributeOf(info.select(AVATAR)[0], 'src')),
      links: linksOf(addressesIn(tree, description)),
    },
    posts,
    fields,
    SHOWN,
    false,
    inOrder({ posts, cursor: messages.createdAt === null ? olderThan(posts) : null }),
  );
};

/** Messages are numbered: where those before the oldest one begin; null after the first. */
const olderThan = (posts: readonly Post[]): string | null => {
  const oldest = posts.at(-1);
  return oldest === undefined || Number(oldest.id) <= 1 ? null : oldest.id;
};

/** The page of messages before a cursor. */
const previewStep = (handle: string, cursor: string): Step => ({
  surface: preview,
  request: { platform: 'telegram', url: `https://t.me/s/${handle}?before=${cursor}` },
});

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

/** The messages of a channel's page; null if one is nested in another. */
const messagesOf = (tree: Tree, handle: string, fields: Fields): Messages | null => {
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
    const at = fields.instant('post at', attributeOf(scope.select('time[datetime]').at(-1), 'datetime'));
    if (!isServiceMessage(message))
      posts.push({ id: number, url: `https://t.me/${handle}/${number}`, at, ...contentOf(tree, of, fields) });
    else if (number === '1' && /channel created/i.test(textOf(message) ?? '')) createdAt = at;
  }
  return { posts, createdAt, channel };
};

/** Whether a message is no post, as the first one of a channel, which tells when it was created. */
const isServiceMessage = (message: Element): boolean =>
  /(?:^|\s)service_message(?:\s|$)/.test(message.attribs.class ?? '');

/** The fields of a post that its message shows. */
const contentOf = (tree: Tree, of: Parts, fields: Fields): Omit<Post, 'id' | 'url' | 'at'> => {
  const isRepost = of('tgme_widget_message_forwarded_from').length > 0;
  const [reply] = of('tgme_widget_message_reply');
  const body = of('tgme_widget_message_text').find((each) => reply === undefined || !contains(reply, each));
  const text = textOf(body);
  return {
    kind: isRepost ? 'repost' : reply === undefined ? 'original' : 'reply',
    media: mediaOf(of, text !== null),
    text,
    lang: null,
    ...tagsInText(text, parseHandle),
    ...(text === null ? {} : { links: linkCount(addressesIn(tree, body)) }),
    reply_to: referenceOf(reply),
    target: referenceOf(of('tgme_widget_message_forwarded_from_name')[0]),
    likes: likesOf(of('tgme_reaction').slice(0, MOST), fields),
    replies: null,
    reposts: null,
    quotes: null,
    views: fields.count('post views', textOf(of('tgme_widget_message_views')[0])),
  };
};

const preview = surfaceOf(
  'telegram',
  'preview',
  'html',
  (url) => addressOf(url) !== null && url.pathname.startsWith('/s/'),
  pageRequest('telegram', (handle) => `https://t.me/s/${handle}`),
  parse,
);

export const telegram: PlatformAdapter = {
  hosts: ['t.me', 'telegram.me'],
  ...grammar,
  probes: ['telegram', 'durov', 'bloomberg'],
  surfaces: [landing, preview],
  read,
};

interface Messages {
  readonly posts: readonly Post[];
  /** Creation time of the channel, if its first message is among these. */
  readonly createdAt: string | null;
  /** The channel of the messages; null if there are none. */
  readonly channel: string | null;
}

/** A message's elements of a class, in order. */
type Parts = (name: string) => readonly Element[];
