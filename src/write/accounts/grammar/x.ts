import type { AccountGrammar, Address } from './grammar.ts';

/** Names from before 2007 may be longer than new ones. */
const HANDLE = /^[A-Za-z0-9_]{1,20}$/;

/** First path segments of the site's own pages. */
const RESERVED = new Set(
  'i home search explore settings intent share hashtag login logout signup tos privacy about compose messages notifications jobs download account oauth who_to_follow'.split(
    ' ',
  ),
);

const HOSTS = new Set([
  'x.com',
  'www.x.com',
  'mobile.x.com',
  'twitter.com',
  'www.twitter.com',
  'mobile.twitter.com',
]);

export const profileUrl = (handle: string): string => `https://x.com/${handle}`;

export const parseHandle = (input: string): string | null => {
  const bare = input.startsWith('@') ? input.slice(1) : input;
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
};

const parseId = (input: string): string | null => (/^[1-9]\d{0,19}$/.test(input) ? input : null);

export const addressOf = (url: URL): Address | null => {
  if (!HOSTS.has(url.hostname)) return null;
  const [, first = '', second = '', third = ''] = url.pathname.split('/');
  if (first === 'i' && second === 'user') {
    const id = parseId(third);
    return id === null ? null : { kind: 'id', id };
  }
  const handle = RESERVED.has(first.toLowerCase()) ? null : parseHandle(first);
  return handle === null ? null : { kind: 'handle', handle };
};

export const x: AccountGrammar = {
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://x.com/{handle}',
  parseHandle,
  parseId,
  // Digits can be a handle: only an explicit ID is an ID.
  isBareId: () => false,
  profileUrl,
  addressOf,
};
