import { urlsIn } from '../../../kernel/urls-in-text.ts';
import { addressOf, parseHandle, profileUrl } from '../../../platforms/telegram.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { attributeOf, type Element, MOST, type Tree, textOf, treeOf } from '../shared/html.ts';
import { linksOf } from '../shared/links.ts';
import {
  isChallenge,
  layoutChanged,
  otherStatus,
  type Parsed,
  present,
  proven,
  provenByName,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';

/** The badge beside a title is not part of it. */
export const BADGE = 'verified-icon';

export const AVATAR = 'img.tgme_page_photo_image, .tgme_page_photo_image img';

/** Fields that both of Telegram's pages omit if empty. */
export const SHOWN = ['private', 'display_name', 'bio', 'avatar_url', 'links'] as const;

/** Addresses in a text, those it shows and those behind its words, without mentions. */
export const addressesIn = (tree: Tree, element: Element | undefined): readonly string[] => {
  if (element === undefined) return [];
  const behind = tree.within(element).select('a').slice(0, MOST);
  return [
    ...behind.flatMap((link) => {
      const href = attributeOf(link, 'href') ?? '';
      return isTag(link, href) ? [] : [href];
    }),
    ...urlsIn(textOf(element)),
  ];
};

export const parseLanding = (page: Page, address: Address): Parsed => {
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  if (address.kind === 'id') return layoutChanged('The page shows no native id');
  const tree = treeOf(page.body);
  if (tree === null) return layoutChanged('The page is nested too deep');
  const { select, isComplete } = tree;
  const opened = openedBy(tree);
  const [title] = select('.tgme_page_title');
  const extras = select('.tgme_page_extra')
    .slice(0, MOST)
    .map((extra) => textOf(extra) ?? '');
  const shown = extras
    .map((text) => (text.startsWith('@') ? parseHandle(text) : null))
    .find((name) => name !== null);
  const about = shown ?? (opened === null || opened === 'other' ? null : opened.name);
  if (about !== null && about !== address.handle) {
    return layoutChanged(`The page is about ${about}, not about ${nameOf(address)}`);
  }
  if (opened === 'other' && about === null) return layoutChanged('The page is of no name');
  if (title === undefined && extras.length === 0) return untitled(tree, page.body, about !== null);
  if (title === undefined) return layoutChanged('The page has no title');
  // A truncated page may end within a number, and lacks what would follow.
  if (!isComplete) return layoutChanged('The page is broken off');
  const fields = new Fields();
  const [description] = select('.tgme_page_description');
  return present(
    {
      ...emptyProfile(address.handle),
      display_name: textOf(title, BADGE),
      followers: followersOf(extras, fields),
      verified: tree.within(title).select(`.${BADGE}`).length > 0,
      bio: textOf(description),
      avatar_url: fields.url('avatar_url', attributeOf(select(AVATAR)[0], 'src')),
      links: linksOf(addressesIn(tree, description)),
    },
    null,
    fields,
    SHOWN,
  );
};

const FOLLOWERS = /(?:subscriber|member)s?\b/i;

/** What Telegram counts besides: the users of a bot, and who of a group is there. */
const OTHER_COUNTS = /\b(?:users?|online)\b/i;

/** Whether a link is only what Telegram makes of a name or a hashtag in a text. */
const isTag = (link: Element, href: string): boolean => {
  const text = textOf(link) ?? '';
  return /^@\w+$/.test(text) ? handleAt(href) === text.slice(1).toLowerCase() : !/^https?:\/\//i.test(href);
};

const handleAt = (href: string): string | null => {
  const address = URL.canParse(href) ? addressOf(new URL(href)) : null;
  return address?.kind === 'handle' ? address.handle : null;
};

/** Target of the page's app links: a name, something else (an invitation, stickers), or nothing. */
const openedBy = ({ select }: Tree): { readonly name: string } | 'other' | null => {
  const links = select('a[href^="tg://"], meta[content^="tg://"]');
  for (const { attribs } of links) {
    const address = attribs.content ?? attribs.href ?? '';
    const name = /^tg:\/\/resolve\?(?:.*&)?domain=([A-Za-z0-9_]+)/.exec(address)?.[1];
    if (name !== undefined) return { name: name.toLowerCase() };
  }
  return links.length > 0 ? 'other' : null;
};

/** A count such as "N members, M online": the first part. */
const followersOf = (extras: readonly string[], fields: Fields): number | null => {
  const text = extras.find((extra) => FOLLOWERS.test(extra));
  for (const extra of extras)
    if (extra !== text && /^\d/.test(extra) && !OTHER_COUNTS.test(extra)) fields.unknownLabel(extra);
  if (text === undefined) return null;
  return /^no\b/i.test(text) ? 0 : fields.count('followers', text.split(/,(?=[^,]*\bonline)/i)[0]);
};

/** A page without an account: a proof only if it is complete, Telegram's own, and marked noindex. */
const untitled = ({ select, isComplete }: Tree, body: string, isNamed: boolean): Parsed => {
  const noindex = select('meta[name="robots" i]').some(({ attribs }) =>
    /(?:^|[\s,])(?:noindex|none)\b/i.test(attribs.content ?? ''),
  );
  const ours = select('.tgme_page, .tgme_page_wrap').length > 0;
  // The title element exists but was not found: an unknown layout.
  const untouched = !/tgme_page_(?:title|extra|photo)|tgme_channel_info/.test(body);
  if (noindex && isComplete && ours && untouched) return isNamed ? provenByName('absent') : proven('absent');
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
