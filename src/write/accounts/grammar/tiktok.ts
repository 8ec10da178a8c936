import type { AccountGrammar, Address } from './grammar.ts';

/** New names have at least two characters; some old ones have one. */
const HANDLE = /^(?!\d+$)(?!\.)[A-Za-z0-9_.]{1,24}(?<!\.)$/;

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

export const tiktok: AccountGrammar = {
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.tiktok.com/@{handle}',
  parseHandle,
  parseId,
  isBareId: () => false,
  profileUrl,
  addressOf,
};
