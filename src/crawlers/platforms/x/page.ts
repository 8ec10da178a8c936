import { urlsIn } from '../../../kernel/text.ts';
import { addressOf, parseHandle, profileUrl } from '../../../platforms/x.ts';
import { emptyProfile, type Measurable } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { followCounts, hasType, imageOf, linkedData } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { metaTags } from '../shared/html.ts';
import { at, idAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import {
  isChallenge,
  layoutChanged,
  locationReason,
  otherStatus,
  type Parsed,
  present,
  silent,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';
import { nameOf, pageRequest, surfaceOf } from '../shared/surface.ts';
import { isShortened, pictureOf } from './user.ts';

/** Detail for a page without a profile: X shows no more for an unused name. */
export const NO_PROFILE = 'The page has no ProfilePage: the name is unused, or not shown to guests';

/**
 * `NASA (@NASA) on X`, in any language, and so on Twitter; `/ X` in titles. A post's title has its author's name and no
 * handle.
 */
const TITLE = /^(.{0,200}?)\s*\(@([A-Za-z0-9_]{1,20})\)(?:[^(:]{0,20}(?:[\s/]X|Twitter)\b.*|\s*)$/su;

/** A prefix that X once put in front of a bio. */
const LEAD = /^The latest (?:posts|tweets) from .{0,200}?\(@\w{1,20}\)\.?\s*/isu;

const PICTURE = /^https:\/\/pbs\.twimg\.com\/profile_images\//;

/** The account as meta tags show it, for pages whose data is loaded later; null if they show none. */
const parseMeta = (html: string, address: Address): Parsed | null => {
  if (!/og:title|twitter:title/i.test(html.slice(0, 300_000))) return null;
  const tags = metaTags(html);
  const [, name, handleText] = TITLE.exec(tags.get('og:title') ?? tags.get('twitter:title') ?? '') ?? [];
  const handle = parseHandle(handleText ?? '');
  if (handle === null || /\/status\//.test(tags.get('og:url') ?? '')) return null;
  if (address.kind !== 'handle' || handle !== address.handle)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const bio = tags.get('og:description') ?? tags.get('twitter:description') ?? tags.get('description');
  const picture = tags.get('og:image') ?? tags.get('twitter:image') ?? '';
  const avatar = PICTURE.test(picture) ? picture : null;
  const measured: Measurable[] = ['display_name', ...(bio === null ? [] : (['bio'] as const))];
  return present(
    {
      ...emptyProfile(handle),
      display_name: name?.trim() || null,
      bio: bio?.replace(LEAD, '').trim() || null,
      avatar_url: pictureOf(avatar),
    },
    null,
    new Fields(),
    avatar === null ? measured : [...measured, 'avatar_url'],
  );
};

/** X's own application, in which it shows nothing. */
const OWN_APP = /id=["']?react-root\b/;

const parse = (page: Page, address: Address): Parsed => {
  const blocked =
    locationReason(page, [
      [/\/(?:i\/flow\/)?(?:login|signup)\b/, 'login_wall'],
      [/\/account\/access\b/, 'challenge'],
    ]) ??
    statusReason(page) ??
    otherStatus(page);
  if (blocked !== null) return blocked;
  const node = linkedData(page.body).find((each) => hasType(each, 'ProfilePage'));
  if (node === undefined) {
    if (isChallenge(page.body)) return unknown('challenge', 'The page is a challenge');
    const described = parseMeta(page.body, address);
    if (described !== null) return described;
    const nothing = layoutChanged(NO_PROFILE);
    return OWN_APP.test(page.body) ? silent(nothing) : nothing;
  }
  const entity = at(node, 'mainEntity');
  const handle = parseHandle(textAt(entity, 'additionalName') ?? textAt(entity, 'alternateName') ?? '');
  if (handle === null) return layoutChanged('The ProfilePage names no handle');
  const id = idAt(entity, 'identifier');
  const same = address.kind === 'handle' ? handle === address.handle : id === address.id;
  if (!same) return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const fields = new Fields();
  const counts = followCounts(node, entity);
  const bio = textAt(entity, 'description');
  const [shortened, written] = [
    urlsIn(bio).filter(isShortened),
    urlsIn(bio).filter((url) => !isShortened(url)),
  ];
  const related = [at(node, 'relatedLink'), at(entity, 'relatedLink')].flat().map((link) => textAt(link));
  return present(
    {
      ...emptyProfile(handle),
      id,
      display_name: textAt(entity, 'name') ?? textAt(entity, 'givenName'),
      followers: fields.count('followers', counts.follow),
      following: fields.count('following', counts.subscribe),
      posts: fields.count('posts', counts.write),
      created_at: fields.instant('created_at', at(node, 'dateCreated') ?? at(entity, 'dateCreated')),
      bio,
      avatar_url: pictureOf(fields.url('avatar_url', imageOf(entity))),
      location: textAt(entity, 'homeLocation', 'name') ?? textAt(entity, 'homeLocation'),
      links: linksOf([...related, ...written]),
    },
    null,
    fields,
    // Protection is not shown here, nor where shortened links lead.
    [
      'display_name',
      'bio',
      'avatar_url',
      'location',
      ...(shortened.length === 0 ? (['links'] as const) : []),
    ],
  );
};

export const page = surfaceOf(
  'x',
  'page',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/i/'),
  pageRequest('x', profileUrl),
  parse,
);
