import { addressOf, parseHandle } from '../../../platforms/telegram.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge, otherStatus, statusReason } from '../shared/block-detection.ts';
import { Fields } from '../shared/field-reader.ts';
import { type Found, findElements } from '../shared/html-elements.ts';
import type { Step } from '../shared/read-surfaces.ts';
import { layoutChanged, type Parsed, present, unknown } from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { BADGE, linksWithin, parseLanding, SHOWN } from './landing.ts';
import { MESSAGE_CLASSES, messagesOf } from './message.ts';

const WANTED = new Set([
  ...MESSAGE_CLASSES,
  'tgme_channel_info',
  'tgme_channel_info_header_title',
  'tgme_channel_info_header_labels',
  'tgme_channel_info_header_username',
  'tgme_channel_info_counter',
  'tgme_channel_info_description',
  'tgme_page_photo_image',
  'counter_value',
  'counter_type',
  'verified-icon',
  '<img',
  '<a',
]);

const FOLLOWERS = /^(?:subscriber|member)s?$/i;

const OTHER_COUNTS = /^(?:photo|video|file|link|gif|voice message|music file|audio file)s?$/i;

const followersOf = (found: readonly Found[], fields: Fields): number | null => {
  for (const { as, text } of found)
    if (as === 'counter_type' && !FOLLOWERS.test(text) && !OTHER_COUNTS.test(text)) fields.unknownLabel(text);
  const counter = found.find(({ as, text }) => as === 'counter_type' && FOLLOWERS.test(text))?.parent;
  const value = found.find(
    ({ as, parent }) => as === 'counter_value' && parent !== null && parent === counter,
  );
  return value === undefined ? null : fields.count('followers', value.text);
};

const avatarOf = (found: readonly Found[]): string | undefined =>
  found.find(
    ({ tag, as, parent }) =>
      tag === 'img' && (as === 'tgme_page_photo_image' || parent?.as === 'tgme_page_photo_image'),
  )?.attributes.src;

const parse = (page: Page, address: Address): Parsed => {
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  if (address.kind === 'id') return layoutChanged('The page shows no native id');
  // Accounts without a public feed redirect to the landing page, which is parsed as such.
  if (!page.body.includes('tgme_channel_info') && page.body.includes('tgme_page_'))
    return parseLanding(page, address);
  const { found, complete } = findElements(page.body, WANTED, BADGE);
  const of = (name: string) => found.filter((each) => each.as === name);
  const title = of('tgme_channel_info_header_title')[0];
  if (title === undefined) {
    if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
    return layoutChanged('The page has no channel header');
  }
  const fields = new Fields();
  const messages = messagesOf(found, address.handle, fields);
  const named = parseHandle(of('tgme_channel_info_header_username')[0]?.text ?? '') ?? messages.channel;
  if (named !== address.handle) {
    return layoutChanged(`The page is about ${named}, not about ${nameOf(address)}`);
  }
  if (!complete) return layoutChanged('The page is broken off');
  const description = of('tgme_channel_info_description')[0];
  // The page lists the oldest message first.
  const posts = messages.posts.toReversed();
  return present(
    {
      ...emptyProfile(address.handle),
      display_name: title.text,
      followers: followersOf(found, fields),
      verified: of('verified-icon').some(
        ({ parent }) => parent?.as.startsWith('tgme_channel_info_header') === true,
      ),
      created_at: messages.createdAt,
      bio: description?.text ?? null,
      avatar_url: fields.url('avatar_url', avatarOf(found)),
      links: linksWithin(found, description),
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
export const previewStep = (handle: string, cursor: string): Step => ({
  surface: preview,
  request: { platform: 'telegram', url: `https://t.me/s/${handle}?before=${cursor}` },
});

export const preview = surfaceOf(
  'telegram',
  'preview',
  'html',
  (url) => addressOf(url) !== null && url.pathname.startsWith('/s/'),
  pageRequest('telegram', (handle) => `https://t.me/s/${handle}`),
  parse,
);
