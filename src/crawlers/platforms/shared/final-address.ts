import type { Platform } from '../../../kernel/platform.ts';
import type { PlatformDescriptor } from '../../../platforms/descriptor.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { parseJson, textAt } from './json-access.ts';

/**
 * Whose page or answer a URL is: an account's; `unsaid` for calls that say it in their body, or by a key that is no
 * account's; null for anything else, as a log-in, a consent page, a post or another site.
 */
type Subject = Address | 'unsaid' | null;

type SubjectOf = (url: URL, parts: readonly string[], grammar: PlatformDescriptor) => Subject;

const named = (grammar: PlatformDescriptor, name: string | null): Subject => {
  const handle = name === null ? null : grammar.parseHandle(name);
  return handle === null ? null : { kind: 'handle', handle };
};

const identified = (grammar: PlatformDescriptor, text: string | null): Subject => {
  const id = text === null ? null : grammar.parseId(text);
  return id === null ? null : { kind: 'id', id };
};

/** Parts of a profile that platforms show at an address of their own, as `/videos`. */
const tabs = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const X_TABS = tabs('with_replies media highlights articles likes affiliates superfollows');
const INSTAGRAM_TABS = tabs('reels tagged channel guides feed');
const YOUTUBE_TABS = tabs(
  'featured videos shorts streams live releases podcasts courses playlists community posts store about channels search',
);
const LINKEDIN_KINDS = tabs('in company school showcase');
const LINKEDIN_TABS = /^(?:about|[a-z]{2}(?:[-_][a-z]{2})?)$/i;

/** Whether a path is a profile's, after `depth` parts that name it: bare, or with one of its tabs. */
const isProfile = (parts: readonly string[], depth: number, names: ReadonlySet<string>): boolean =>
  parts.length === depth || (parts.length === depth + 1 && names.has((parts[depth] ?? '').toLowerCase()));

const isHost = (url: URL, domain: string): boolean =>
  url.hostname === domain || url.hostname.endsWith(`.${domain}`);

/** The variables of a GraphQL call are in its address, or in its body. Only calls for a user are about one. */
const ofVariables = (url: URL, parts: readonly string[], grammar: PlatformDescriptor): Subject => {
  if (parts.at(-1)?.startsWith('User') !== true) return null;
  const variables = parseJson(url.searchParams.get('variables') ?? '');
  const name = textAt(variables, 'screen_name') ?? textAt(variables, 'screenName');
  if (name !== null) return named(grammar, name);
  const id = textAt(variables, 'userId') ?? textAt(variables, 'rest_id');
  return id === null ? 'unsaid' : identified(grammar, id);
};

const SUBJECTS: Readonly<Record<Platform, SubjectOf>> = {
  x: (url, parts, grammar) => {
    if (!isHost(url, 'x.com') && !isHost(url, 'twitter.com')) return null;
    if (url.hostname.startsWith('syndication.')) {
      const [, , by, name] = parts;
      return by === 'screen-name' && parts.length === 4 ? named(grammar, name ?? null) : null;
    }
    if (parts.includes('graphql')) return ofVariables(url, parts, grammar);
    if (parts[0] === 'i') return parts.length === 3 ? grammar.addressOf(url) : null;
    return isProfile(parts, 1, X_TABS) ? grammar.addressOf(url) : null;
  },
  instagram: (url, parts, grammar) => {
    if (!isHost(url, 'instagram.com') && url.hostname !== 'instagr.am') return null;
    const name = url.searchParams.get('username');
    if (parts[0] === 'api' || parts[0] === 'graphql') return name === null ? 'unsaid' : named(grammar, name);
    return isProfile(parts, 1, INSTAGRAM_TABS) ? grammar.addressOf(url) : null;
  },
  tiktok: (url, parts, grammar) => {
    if (!isHost(url, 'tiktok.com')) return null;
    const name = url.searchParams.get('uniqueId');
    if (parts[0] === 'api') return name === null ? 'unsaid' : named(grammar, name);
    return parts.length === (parts[0] === 'embed' ? 2 : 1) ? grammar.addressOf(url) : null;
  },
  youtube: (url, parts, grammar) => {
    if (!isHost(url, 'youtube.com')) return null;
    if (parts[0] === 'youtubei') return 'unsaid';
    if (parts[0] === 'feeds') return grammar.addressOf(url);
    return isProfile(parts, parts[0] === 'channel' ? 2 : 1, YOUTUBE_TABS) ? grammar.addressOf(url) : null;
  },
  telegram: (url, parts, grammar) => {
    const depth = /^(?!www\.)[a-z0-9_-]+\.t\.me$/.test(url.hostname) ? 0 : 1;
    return parts.length === depth + (parts[0] === 's' ? 1 : 0) ? grammar.addressOf(url) : null;
  },
  bluesky: (url, parts, grammar) => {
    if (parts[0] !== 'xrpc') return parts.length === 2 ? grammar.addressOf(url) : null;
    return grammar.addressOf(url);
  },
  linkedin: (url, parts, grammar) => {
    const [kind = '', , tab] = parts;
    if (!LINKEDIN_KINDS.has(kind.toLowerCase()) || parts.length < 2 || parts.length > 3) return null;
    return tab === undefined || LINKEDIN_TABS.test(tab) ? grammar.addressOf(url) : null;
  },
};

/** The account whose page or answer an address is. */
export const subjectOf = (platform: Platform, text: string): Subject => {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  return SUBJECTS[platform](url, parts, descriptorOf(platform));
};

/** The names of an account: as it was asked for, and as the answer shows it. */
export interface Names {
  readonly handle: string | null;
  readonly id: string | null;
}

/** Whether a subject can be the account of these names: handle and ID can't be compared. */
export const isOf = (platform: Platform, subject: Subject, { handle, id }: Names): boolean => {
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
