import { DID } from '../handle.ts';
import type { AccountGrammar, Address } from './grammar.ts';

/** The protocol's grammar: labels of letters, digits and inner hyphens, the last one starting with a letter. */
const HANDLE =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

const isBareId = (input: string): boolean => DID.test(input);

const parseId = (input: string): string | null => (DID.test(input) ? input : null);

/** An account whose handle no longer resolves is named by its DID. */
export const parseHandle = (input: string): string | null => {
  if (DID.test(input)) return input;
  const bare = input.startsWith('@') ? input.slice(1) : input;
  return bare.length <= 253 && HANDLE.test(bare) ? bare.toLowerCase() : null;
};

const asAddress = (name: string): Address | null => {
  const id = parseId(name);
  if (id !== null) return { kind: 'id', id };
  const handle = parseHandle(name);
  return handle === null ? null : { kind: 'handle', handle };
};

const addressOf = (url: URL): Address | null => {
  if (url.hostname === 'bsky.app' || url.hostname === 'staging.bsky.app') {
    const [, first, name = ''] = url.pathname.split('/');
    return first === 'profile' ? asAddress(decoded(name)) : null;
  }
  const isCall = /(^|\.)bsky\.app$/.test(url.hostname) && url.pathname.startsWith('/xrpc/');
  const actor = isCall ? url.searchParams.get('actor') : null;
  return actor === null ? null : asAddress(actor);
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const bluesky: AccountGrammar = {
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://bsky.app/profile/{handle}',
  parseHandle,
  parseId,
  isBareId,
  profileUrl: (handle) => `https://bsky.app/profile/${handle}`,
  addressOf,
};
