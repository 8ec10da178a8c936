import { urlsIn } from '../../../kernel/urls-in-text.ts';
import { addressOf, parseHandle, profileUrl } from '../../../platforms/telegram.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { isChallenge, otherStatus, statusReason } from '../shared/block-detection.ts';
import { Fields } from '../shared/field-reader.ts';
import { type Found, findElements } from '../shared/html-elements.ts';
import { linksOf } from '../shared/links.ts';
import {
  layoutChanged,
  type Parsed,
  present,
  proven,
  provenByName,
  unknown,
} from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';

const WANTED = new Set([
  'tgme_page',
  'tgme_page_wrap',
  'tgme_page_title',
  'tgme_page_extra',
  'tgme_page_description',
  'tgme_page_photo_image',
  'verified-icon',
  '<meta',
  '<a',
]);

/** The badge beside a title is not part of it. */
export const BADGE: ReadonlySet<string> = new Set(['verified-icon']);

/** Fields that both of Telegram's pages omit if empty. */
export const SHOWN = ['private', 'display_name', 'bio', 'avatar_url', 'links'] as const;

const FOLLOWERS = /(?:subscriber|member)s?\b/i;

/** What Telegram counts besides: the users of a bot, and who of a group is there. */
const OTHER_COUNTS = /\b(?:users?|online)\b/i;

/** Whether a link is only what Telegram makes of a name or a hashtag in a text. */
export const isTag = ({ text, attributes: { href = '' } }: Found): boolean =>
  /^@\w+$/.test(text) ? handleAt(href) === text.slice(1).toLowerCase() : !/^https?:\/\//i.test(href);

const handleAt = (href: string): string | null => {
  const address = URL.canParse(href) ? addressOf(new URL(href)) : null;
  return address?.kind === 'handle' ? address.handle : null;
};

/** Links in a description, without mentions. */
export const linksWithin = (found: readonly Found[], description: Found | undefined): string[] => {
  if (description === undefined) return [];
  const anchors = found.filter((each) => each.tag === 'a' && each.parent === description);
  return linksOf([
    ...anchors.filter((each) => !isTag(each)).map((each) => each.attributes.href),
    ...urlsIn(description.text),
  ]);
};

/** Target of the page's app links: a name, something else (an invitation, stickers), or nothing. */
const openedBy = (found: readonly Found[]): { readonly name: string } | 'other' | null => {
  let other = false;
  for (const { tag, attributes } of found) {
    const address = (tag === 'meta' ? attributes.content : attributes.href) ?? '';
    const name = /^tg:\/\/resolve\?(?:.*&)?domain=([A-Za-z0-9_]+)/.exec(address)?.[1];
    if (name !== undefined) return { name: name.toLowerCase() };
    other ||= address.startsWith('tg://');
  }
  return other ? 'other' : null;
};

/** A count such as "N members, M online": the first part. */
const followersOf = (extras: readonly string[], fields: Fields): number | null => {
  const text = extras.find((extra) => FOLLOWERS.test(extra));
  for (const extra of extras)
    if (extra !== text && /^\d/.test(extra) && !OTHER_COUNTS.test(extra)) fields.unknownLabel(extra);
  if (text === undefined) return null;
  return /^no\b/i.test(text) ? 0 : fields.count('followers', text.split(/,(?=[^,]*\bonline)/i)[0]);
};

export const parseLanding = (page: Page, address: Address): Parsed => {
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  if (address.kind === 'id') return layoutChanged('The page shows no native id');
  const { found, complete } = findElements(page.body, WANTED, BADGE);
  const of = (name: string) => found.filter((each) => each.as === name);
  const opened = openedBy(found);
  const title = of('tgme_page_title')[0];
  const extras = of('tgme_page_extra').map(({ text }) => text);
  const shown = extras
    .map((text) => (text.startsWith('@') ? parseHandle(text) : null))
    .find((name) => name !== null);
  const about = shown ?? (opened === null || opened === 'other' ? null : opened.name);
  if (about !== null && about !== address.handle) {
    return layoutChanged(`The page is about ${about}, not about ${nameOf(address)}`);
  }
  if (opened === 'other' && about === null) return layoutChanged('The page is of no name');
  if (title === undefined && extras.length === 0) return untitled(found, complete, page.body, about !== null);
  if (title === undefined) return layoutChanged('The page has no title');
  // A truncated page may end within a number, and lacks what would follow.
  if (!complete) return layoutChanged('The page is broken off');
  const fields = new Fields();
  const description = of('tgme_page_description')[0];
  return present(
    {
      ...emptyProfile(address.handle),
      display_name: title.text,
      followers: followersOf(extras, fields),
      verified: of('verified-icon').some(({ parent }) => parent === title),
      bio: description?.text ?? null,
      avatar_url: fields.url('avatar_url', of('tgme_page_photo_image')[0]?.attributes.src),
      links: linksWithin(found, description),
    },
    null,
    fields,
    SHOWN,
  );
};

/** A page without an account: a proof only if it is complete, Telegram's own, and marked noindex. */
const untitled = (found: readonly Found[], complete: boolean, body: string, isNamed: boolean): Parsed => {
  const noindex = found.some(
    ({ tag, attributes }) =>
      tag === 'meta' &&
      attributes.name?.toLowerCase() === 'robots' &&
      /(?:^|[\s,])(?:noindex|none)\b/i.test(attributes.content ?? ''),
  );
  const ours = found.some(({ as }) => as === 'tgme_page' || as === 'tgme_page_wrap');
  // The title element exists but was not found: an unknown layout.
  const untouched = !/tgme_page_(?:title|extra|photo)|tgme_channel_info/.test(body);
  if (noindex && complete && ours && untouched) return isNamed ? provenByName('absent') : proven('absent');
  return isChallenge(body)
    ? unknown('challenge', 'The page is a challenge')
    : layoutChanged('The page has neither a title nor the marks of an unused name');
};

export const landing = surfaceOf(
  'telegram',
  'landing',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/s/'),
  pageRequest('telegram', profileUrl),
  parseLanding,
);
