import { errorMessage } from '../../../kernel/errors.ts';
import type { Platform } from '../../../kernel/platform.ts';
import { shownIn, storable, truncated } from '../../../kernel/text.ts';
import type { Subject } from '../../../platforms/descriptor.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import { boundedPosts } from '../../../write/accounts/post.ts';
import { boundedProfile, isEmpty } from '../../../write/accounts/profile.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address, Reading, Surface } from '../adapter.ts';
import { metaTags } from './html.ts';
import type { Parsed } from './reading-outcomes.ts';

/**
 * Creates a surface from its parser. The parser's result counts only for the account whose address answered. An
 * exception in a parser means an unknown layout: it becomes an outcome with the message.
 */
export const surfaceOf = (
  platform: Platform,
  name: string,
  format: Surface['format'],
  matches: (url: URL) => boolean,
  request: Surface['request'],
  parse: (page: Page, address: Address) => Parsed,
): Surface => ({
  name,
  format,
  matches,
  request,
  parse(page, address): Reading {
    try {
      return aboutAsked(platform, page, address, bounded({ ...parse(page, address), surface: name }));
    } catch (error) {
      const detail = remark(`The page could not be read: ${errorMessage(error)}`);
      return { status: 'unknown', reason: 'layout_changed', detail, surface: name, warnings: [] };
    }
  },
});

/** A page's URL with which it is asked for in English, where its platform has a parameter for that. */
export const inEnglish = (platform: Platform, url: string): string =>
  ENGLISH[platform] === undefined ? url : `${url}?${ENGLISH[platform]}`;

/** GET request for an account's page, for surfaces that accept handles. */
export const pageRequest =
  (platform: Platform, urlOf: (handle: string) => string) =>
  (address: Address): HttpRequest | null =>
    address.kind === 'handle' ? { platform, url: inEnglish(platform, urlOf(address.handle)) } : null;

/** An address as shown in messages. */
export const nameOf = (address: Address): string => (address.kind === 'handle' ? address.handle : address.id);

/** Whether an answer is to its own request: for lists and posts, which have one address each. */
export const isAnswerTo = (request: HttpRequest, page: Page): boolean => {
  if (!URL.canParse(page.url)) return false;
  const [asked, final] = [new URL(request.url), new URL(page.url)];
  return (
    bareHost(asked) === bareHost(final) &&
    barePath(asked) === barePath(final) &&
    [...asked.searchParams].every(([name, value]) => final.searchParams.get(name) === value)
  );
};

/** Maximum length of a warning or detail, which may quote a page. */
const MAX_REMARK = 300;

const remark = (text: string): string => truncated(storable(text), MAX_REMARK);

/** Bounds the texts of a page, which may be malformed or too long. */
const bounded = (reading: Reading): Reading => {
  const warnings = reading.warnings.map(remark);
  if (reading.status === 'unknown') return { ...reading, detail: remark(reading.detail), warnings };
  if (reading.status !== 'present' && reading.status !== 'private') return { ...reading, warnings };
  const posts = reading.posts === null ? null : boundedPosts(reading.posts);
  const facts = reading.facts === undefined ? {} : { facts: shownIn(reading.facts) };
  return { ...reading, profile: boundedProfile(reading.profile), posts, ...facts, warnings };
};

/** How a platform is asked for its pages in English, beside the header of every request. */
const ENGLISH: Readonly<Partial<Record<Platform, string>>> = {
  x: 'lang=en',
  instagram: 'hl=en',
  tiktok: 'lang=en',
  youtube: 'hl=en',
};

/** Whether a page presents itself as the account's; null if it names no account. */
const namesItself = (platform: Platform, body: string, names: Names): boolean | null => {
  if (!/canonical|og:url/i.test(body)) return null;
  const subjects = metaTags(body)
    .addresses.map((url) => subjectOf(platform, url))
    .filter((subject) => subject !== null && subject !== 'unsaid');
  return subjects.length === 0 ? null : subjects.every((subject) => isOf(platform, subject, names));
};

const namesOf = (address: Address, reading: Reading): Names => {
  const profile = 'profile' in reading ? reading.profile : null;
  return {
    handle: address.kind === 'handle' ? address.handle : (profile?.handle ?? null),
    id: address.kind === 'id' ? address.id : (profile?.id ?? null),
  };
};

const placeOf = (text: string): string => {
  if (!URL.canParse(text)) return 'nowhere';
  const { hostname, pathname } = new URL(text);
  return `${hostname}${pathname}`;
};

/** Whether a reading shows nothing but the requested name. An answer that merely repeats the name is no evidence. */
const onlyRepeats = (address: Address, reading: Reading): boolean => {
  if (reading.status !== 'present' || reading.stated === true) return false;
  const { profile, posts } = reading;
  const asked = address.kind === 'handle' ? address.handle : address.id;
  const names = [profile.id, profile.handle].some((name) => name !== null && name !== asked);
  return !names && isEmpty({ ...profile, id: null }) && (posts === null || posts.length === 0);
};

const withoutSilence = ({ silent: _, ...reading }: Extract<Reading, { status: 'unknown' }>): Reading =>
  reading;

/**
 * Decides whether a reading counts for the requested account: only if the account's address answered, after all redirects,
 * and the page does not present itself as another account's. This is decided here alone, for every platform and surface.
 */
const aboutAsked = (platform: Platform, page: Page, address: Address, reading: Reading): Reading => {
  const isClaim = reading.status !== 'unknown' || reading.silent === true;
  if (!isClaim) return reading;
  const names = namesOf(address, reading);
  const { surface, warnings } = reading;
  if (onlyRepeats(address, reading)) {
    const detail = 'The answer repeats the name that was asked for, and shows nothing else';
    return { status: 'unknown', reason: 'layout_changed', detail, surface, warnings };
  }
  const elsewhere = (detail: string): Reading =>
    reading.status === 'unknown'
      ? withoutSilence(reading)
      : { status: 'unknown', reason: 'other_address', detail, surface, warnings };
  if (!isOf(platform, subjectOf(platform, page.url), names))
    return elsewhere(`The answer came from ${placeOf(page.url)}, which is not the account’s address`);
  if (reading.status !== 'unknown' && reading.unnamed !== true) return reading;
  const own = namesItself(platform, page.body, names);
  if (own === false) return elsewhere('The page presents itself as another account’s');
  if (own === null || reading.status === 'unknown') return reading;
  const { unnamed: _, ...named } = reading;
  return named;
};

/** The account whose page or answer an address is. */
const subjectOf = (platform: Platform, text: string): Subject => {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  return descriptorOf(platform).subjectOf(url, parts);
};

/** The names of an account: as it was asked for, and as the answer shows it. */
interface Names {
  readonly handle: string | null;
  readonly id: string | null;
}

/** Whether a subject can be the account of these names: handle and ID can't be compared. */
const isOf = (platform: Platform, subject: Subject, { handle, id }: Names): boolean => {
  if (subject === null) return false;
  if (subject === 'unsaid') return true;
  // A channel ID or DID may stand where a handle is expected.
  const { isBareId } = descriptorOf(platform);
  const bare = handle !== null && isBareId(handle) ? handle : null;
  if (subject.kind === 'id') {
    const known = id ?? bare;
    return known === null || known === subject.id;
  }
  return handle === null || bare !== null || handle === subject.handle;
};

const PLAIN_HOST = /^(?:www|m|mobile)\./;

const bareHost = (url: URL): string => url.hostname.replace(PLAIN_HOST, '');
const barePath = (url: URL): string => url.pathname.replace(/\/$/, '');
