import { type Address, isHost, named, type PlatformDescriptor, type Subject } from './descriptor.ts';

/** New names have at least two characters; some old ones have one. */
const HANDLE = /^(?!\d+$)(?!\.)[A-Za-z0-9_.]{1,24}(?<!\.)$/;

/** The upper 32 bits of an ID are its seconds since 1970. */
const SECONDS_SHIFT = 32n;
const FIRST_ID_MS = Date.UTC(2014, 0, 1);

export const profileUrl = (handle: string): string => `https://www.tiktok.com/@${handle}`;

export const parseHandle = (input: string): string | null => {
  const bare = input.startsWith('@') ? input.slice(1) : input;
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
};

const parseId = (input: string): string | null => (/^[1-9]\d{0,19}$/.test(input) ? input : null);

export const addressOf = (url: URL): Address | null => {
  if (!/^(?:www\.|m\.)?tiktok\.com$/.test(url.hostname)) return null;
  const named = /^\/(?:embed\/)?(?:@|%40)([^/]+)/.exec(url.pathname)?.[1];
  const handle = named === undefined ? null : parseHandle(named);
  return handle === null ? null : { kind: 'handle', handle };
};

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  if (!isHost(url, 'tiktok.com')) return null;
  const name = url.searchParams.get('uniqueId');
  if (parts[0] === 'api') return name === null ? 'unsaid' : named(parseHandle, name);
  return parts.length === (parts[0] === 'embed' ? 2 : 1) ? addressOf(url) : null;
};

export const tiktok: PlatformDescriptor = {
  platform: 'tiktok',
  name: 'TikTok',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.tiktok.com/@{handle}',
  parseHandle,
  parseId,
  isBareId: () => false,
  profileUrl,
  addressOf,
  subjectOf,
  registrable: /^.{2,24}$/,
  postUrls: { path: /^\/(?:@|%40)[^/]+\/(?:video|photo)\/([1-9]\d{0,19})(?:\/|$)/ },
  // No half-life is published. Instagram's is used.
  ripeHours: 336,
  msOfId: (id) => {
    const ms = Number(id >> SECONDS_SHIFT) * 1_000;
    return ms < FIRST_ID_MS ? null : ms;
  },
  hasMentions: true,
  isInDirectory: true,
};
