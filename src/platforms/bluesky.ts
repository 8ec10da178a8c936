import { type Address, decoded, type PlatformDescriptor, type Subject } from './descriptor.ts';

/** A decentralized identifier of one of the methods that accounts use. */
const DID = /^did:(?:plc:[a-z2-7]{24}|web:[a-zA-Z0-9.-]{1,253}(?:%3A\d{1,5})?)$/;

/** The grammar of the protocol: labels of letters, digits and inner hyphens; the last label starts with a letter. */
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

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  if (parts[0] !== 'xrpc') return parts.length === 2 ? addressOf(url) : null;
  return addressOf(url);
};

export const bluesky: PlatformDescriptor = {
  platform: 'bluesky',
  name: 'Bluesky',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://bsky.app/profile/{handle}',
  parseHandle,
  parseId,
  isBareId,
  profileUrl: (handle) => `https://bsky.app/profile/${handle}`,
  addressOf,
  subjectOf,
  streamId: DID,
  // The label `!no-unauthenticated`.
  hasOptOuts: true,
  // The first label of a domain.
  comparable: (handle) => handle.split('.')[0] ?? handle,
  sharedEnd: '.bsky.social',
  // IDs of posts begin with the account and a collection.
  postUrls: { path: /^\/profile\/[^/]+\/post\/([A-Za-z0-9._~-]{1,512})(?:\/|$)/, isEndOfId: true },
  // No half-life is published. X's is used.
  ripeHours: 72,
  follows: { hasNumericIds: false },
  hasMentions: true,
  isInDirectory: true,
};
