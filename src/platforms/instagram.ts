import {
  type Address,
  isHost,
  isProfile,
  named,
  type PlatformDescriptor,
  type Subject,
  tabs,
} from './descriptor.ts';

const HANDLE = /^[A-Za-z0-9._]{1,30}$/;

const RESERVED = new Set(
  'p reel reels tv explore accounts stories direct about legal developer web api challenge emails oauth ar static'.split(
    ' ',
  ),
);

const HOSTS = new Set(['instagram.com', 'www.instagram.com', 'm.instagram.com', 'instagr.am']);

export const profileUrl = (handle: string): string => `https://www.instagram.com/${handle}/`;

export const parseHandle = (input: string): string | null => {
  const bare = input.startsWith('@') ? input.slice(1) : input;
  return HANDLE.test(bare) && !/^\.+$/.test(bare) ? bare.toLowerCase() : null;
};

const parseId = (input: string): string | null => (/^[1-9]\d{0,19}$/.test(input) ? input : null);

export const addressOf = (url: URL): Address | null => {
  if (!HOSTS.has(url.hostname)) return null;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (parts.join('/').toLowerCase() === 'api/v1/users/web_profile_info') {
    const asked = parseHandle(url.searchParams.get('username') ?? '');
    return asked === null ? null : { kind: 'handle', handle: asked };
  }
  const first = (parts[0] === 'stories' ? parts[1] : parts[0]) ?? '';
  const handle = RESERVED.has(first.toLowerCase()) ? null : parseHandle(first);
  return handle === null ? null : { kind: 'handle', handle };
};

const TABS = tabs('reels tagged channel guides feed');

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  if (!isHost(url, 'instagram.com') && url.hostname !== 'instagr.am') return null;
  const name = url.searchParams.get('username');
  if (parts[0] === 'api' || parts[0] === 'graphql')
    return name === null ? 'unsaid' : named(parseHandle, name);
  return isProfile(parts, 1, TABS) ? addressOf(url) : null;
};

export const instagram: PlatformDescriptor = {
  platform: 'instagram',
  name: 'Instagram',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.instagram.com/{handle}/',
  parseHandle,
  parseId,
  isBareId: () => false,
  profileUrl,
  addressOf,
  subjectOf,
  registrable: /^(?!\.)(?!.*\.\.)[\w.]{1,30}(?<!\.)$/,
  // More than ten half-lives of 20 hours (Graffius, "Lifespan (half-life) of social media posts", 2018 to 2022).
  ripeHours: 336,
  hasMentions: true,
  isInDirectory: true,
};
