import type { Address, PlatformDescriptor, Subject } from './descriptor.ts';

/** Names of four characters are sold at auction. */
const HANDLE = /^[A-Za-z][A-Za-z0-9_]{3,31}$/;

const RESERVED = new Set(
  'joinchat addstickers addemoji addtheme addlist share proxy socks login confirmphone setlanguage iv boost invoice contact giftcode'.split(
    ' ',
  ),
);

export const profileUrl = (handle: string): string => `https://t.me/${handle}`;

export const parseHandle = (input: string): string | null => {
  const bare = input.startsWith('@') ? input.slice(1) : input;
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
};

export const addressOf = (url: URL): Address | null => {
  const named = /^(?!www\.)([a-z0-9_-]+)\.t\.me$/.exec(url.hostname)?.[1];
  if (named === undefined && !/^(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)$/.test(url.hostname))
    return null;
  const [, first = '', second = ''] = url.pathname.split('/');
  const name = named ?? (first === 's' ? second : first);
  const handle = RESERVED.has(name.toLowerCase()) ? null : parseHandle(name);
  return handle === null ? null : { kind: 'handle', handle };
};

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  const depth = /^(?!www\.)[a-z0-9_-]+\.t\.me$/.test(url.hostname) ? 0 : 1;
  return parts.length === depth + (parts[0] === 's' ? 1 : 0) ? addressOf(url) : null;
};

export const telegram: PlatformDescriptor = {
  platform: 'telegram',
  name: 'Telegram',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://t.me/{handle}',
  parseHandle,
  // Public pages show no native IDs.
  parseId: () => null,
  isBareId: () => false,
  profileUrl,
  addressOf,
  subjectOf,
  registrable: /^[a-z]\w{4,31}$/,
  postUrls: { path: /^\/(?:s\/)?[^/]+\/(\d{1,15})(?:\/|$)/ },
  // No half-life is published. The value is between those of X and Instagram.
  ripeHours: 168,
  hasMentions: true,
  isInDirectory: true,
};
