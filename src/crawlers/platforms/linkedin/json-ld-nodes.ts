import { decodeHTML } from 'entities';
import { handleOfUrl } from '../../../platforms/linkedin.ts';
import type { Post } from '../../../write/accounts/post.ts';
import type { Page } from '../../http/port.ts';
import { hasType } from '../shared/embedded-json.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { tagsInText } from '../shared/post-tags.ts';
import {
  isChallenge,
  layoutChanged,
  locationReason,
  otherStatus,
  type Parsed,
  proven,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';

/** Fields that the page data shows if they are public; absent ones were hidden or removed. */
export const SHOWN = ['private', 'display_name', 'bio', 'avatar_url', 'location', 'links'] as const;

/**
 * The node that the page is about: the one with the requested URL. Articles name people and companies too, so a
 * node with another URL is not accepted; one without a URL is, if it is the only one.
 */
export const nodeFor = (nodes: readonly Json[], type: string, handle: string): Json | 'other' | null => {
  const ofType = nodes.filter((node) => hasType(node, type));
  const exact = ofType.find((node) => handleOfNode(node) === handle);
  if (exact !== undefined) return exact;
  const [only, ...more] = ofType;
  if (only === undefined) return null;
  return more.length === 0 && handleOfNode(only) === null && textAt(only, 'name') !== null ? only : 'other';
};

/** Whether a node says itself whose it is. */
export const namesHandle = (node: Json, handle: string): boolean => handleOfNode(node) === handle;

export const plain = (text: string | null): string | null =>
  text === null
    ? null
    : decodeHTML(text.replace(/<br\s*\/?>/gi, '\n').replace(/<\/?[a-z][^>]{0,200}>/gi, ''));

/** Country of a node's address: a code or a name. */
export const countryOf = (node: Json): string | null => {
  const country = at(node, 'address', 'addressCountry');
  return plain(textAt(country) ?? textAt(country, 'name'));
};

/** Posts in the page's data; null if there are none. */
export const postsOf = (nodes: readonly Json[], handle: string, fields: Fields): Post[] | null => {
  const shown = nodes.filter(isPosting);
  if (shown.length === 0) return null;
  return shown.flatMap((node): Post[] => {
    const author = handleOfNode(at(node, 'author'));
    const id = author === null || author === handle ? idOfPost(node) : null;
    if (id === null) return [];
    const text = plain(textAt(node, 'text') ?? textAt(node, 'articleBody') ?? textAt(node, 'headline'));
    return [
      {
        id,
        url: textAt(node, 'url'),
        at: fields.instant('post at', at(node, 'datePublished')),
        kind: isPosting(at(node, 'sharedContent')) ? 'repost' : 'original',
        media: mediaOf(node),
        text,
        lang: null,
        // Names in a text are not handles.
        ...tagsInText(text, () => null),
        mentions: null,
        reply_to: null,
        target: null,
        likes: null,
        replies: fields.count('post replies', at(node, 'commentCount')),
        reposts: null,
        quotes: null,
        views: null,
      },
    ];
  });
};

/** How LinkedIn blocks readers, and its one proof of absence; null if the page is worth parsing. */
export const blockOf = (page: Page): Parsed | null => {
  const located = locationReason(page, [
    [/^[^/]+\/(?:authwall|login|uas\/login|signup|start\/join)\b/, 'login_wall'],
    [/^[^/]+\/(?:checkpoint|challenge|consent)\b/, 'challenge'],
    [/^[a-z.]*linkedin\.com\/(?:home\/?|feed\/?)?$/, 'login_wall'],
  ]);
  if (located !== null) return located;
  if (page.status === 999) return unknown('challenge', 'HTTP 999: LinkedIn refuses the client');
  if (page.status === 404 && isMissing(page.body)) return proven('absent');
  return statusReason(page) ?? otherStatus(page);
};

/** A page without data: the guest home, a wall, or a redirecting script. */
export const walled = (body: string): Parsed => {
  if (isChallenge(body)) return unknown('challenge', 'The page is a challenge');
  const small = body.length < 20_000;
  if (small && /\/authwall|sessionRedirect|trk=guest_/i.test(body)) {
    return unknown('login_wall', 'The page only leads to a log-in');
  }
  if (
    /name="pageKey"\s+content="(?:d_)?(?:guest-home|auth_wall|uas-)/i.test(body) ||
    /class="[^"]*\bauthwall\b/.test(body)
  ) {
    return unknown('login_wall', 'The page is the one for guests');
  }
  if (small && /<script/i.test(body) && !/<(?:h1|h2|p|main|section|article)\b/i.test(body)) {
    return unknown('challenge', 'The page is a script and nothing else');
  }
  return layoutChanged('The page carries no data of the account');
};

/** The handle in a node's own URLs; null if there is none. */
const handleOfNode = (node: Json): string | null => {
  for (const value of [
    at(node, 'url'),
    at(node, '@id'),
    at(node, 'mainEntityOfPage'),
    at(node, 'sameAs'),
  ].flat()) {
    const handle = handleOfUrl(textAt(value) ?? textAt(value, '@id'));
    if (handle !== null) return handle;
  }
  return null;
};

const idOfPost = (node: Json): string | null => {
  const url = textAt(node, 'url') ?? textAt(node, '@id') ?? textAt(node, 'mainEntityOfPage') ?? '';
  return /(?:activity|ugcPost|share)(?:-|:|%3A)(\d{10,})/i.exec(url)?.[1] ?? (url || null);
};

const isPosting = (node: Json): boolean =>
  hasType(node, 'DiscussionForumPosting') || hasType(node, 'SocialMediaPosting');

/** A shared article, or a page of another site, counts as a link. */
const mediaOf = (node: Json): Post['media'] => {
  if (at(node, 'video') !== undefined) return 'video';
  if (at(node, 'image') !== undefined) return 'photo';
  const shared = at(node, 'sharedContent');
  return shared === undefined || isPosting(shared) ? null : 'link';
};

/** LinkedIn's own "not found" page: the words alone could be anybody's. */
const isMissing = (body: string): boolean =>
  !isChallenge(body) && /profile\s+not\s+found/i.test(body) && /linkedin/i.test(body);
