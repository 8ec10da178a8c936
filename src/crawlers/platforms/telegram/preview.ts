import { addressOf, parseHandle } from '../../../platforms/telegram.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge, otherStatus, statusReason } from '../shared/block-detection.ts';
import { Fields } from '../shared/field-reader.ts';
import { attributeOf, MOST, type Scope, type Tree, textOf, treeOf } from '../shared/html.ts';
import { linksOf } from '../shared/links.ts';
import type { Step } from '../shared/read-surfaces.ts';
import { layoutChanged, type Parsed, present, unknown } from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { AVATAR, addressesIn, BADGE, parseLanding, SHOWN } from './landing.ts';
import { messagesOf } from './message.ts';

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
