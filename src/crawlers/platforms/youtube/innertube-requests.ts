import { addressOf, isBareId, parseId, profileUrl } from '../../../platforms/youtube.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Http, HttpRequest, Page } from '../../http/port.ts';
import type { Address, ListingReading } from '../adapter.ts';
import { agreedAnswer } from '../shared/confirmation.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, isObject, type Json, parseJson, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { layoutChanged, type Parsed, present, proven, unnamed } from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { parseChannel } from './channel.ts';
import { blockOf } from './page.ts';

export const browseRequest = (id: string): HttpRequest => call('browse', { browseId: id });

export const resolveUrlRequest = (profileUrl: string): HttpRequest =>
  call('navigation/resolve_url', { url: profileUrl });

/** The channel ID in an address; null if it has none. */
export const idOf = (address: Address): string | null =>
  address.kind === 'id' ? address.id : isBareId(address.handle) ? address.handle : null;

const parseBrowse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  const data = parseJson(page.body);
  return isObject(data) ? parseChannel(data, address) : layoutChanged('The reply is no JSON object');
};

const CLIENT = { clientName: 'WEB', clientVersion: '2.20260126.01.00', hl: 'en', gl: 'US' };

const call = (path: string, body: Readonly<Record<string, string>>): HttpRequest => ({
  platform: 'youtube',
  method: 'POST',
  url: `https://www.youtube.com/youtubei/v1/${path}?prettyPrint=false`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ context: { client: CLIENT }, ...body }),
});

export const browse = surfaceOf(
  'youtube',
  'browse',
  'json',
  (url) => url.hostname.endsWith('youtube.com') && url.pathname.startsWith('/youtubei/v1/browse'),
  (address) => {
    const id = idOf(address);
    return id === null ? null : browseRequest(id);
  },
  parseBrowse,
);

/** The response contains its own code, so that a recording without status gives the same result. */
const isMissing = (reply: Json): boolean =>
  at(reply, 'error', 'code') === 404 && textAt(reply, 'error', 'status') === 'NOT_FOUND';

const channelIn = (reply: Json): string | null =>
  parseId(textAt(reply, 'endpoint', 'browseEndpoint', 'browseId') ?? '');

const parseResolveUrl = (page: Page, address: Address): Parsed => {
  const reply = parseJson(page.body);
  if (isMissing(reply) && (page.status === 404 || page.status === 200)) return proven('absent');
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  const id = channelIn(reply);
  return id === null
    ? layoutChanged('The reply names no channel')
    : unnamed(present({ ...emptyProfile(nameOf(address)), id }, null, new Fields(), []));
};

export const resolveUrl = surfaceOf(
  'youtube',
  'resolve_url',
  'json',
  (url) =>
    url.hostname.endsWith('youtube.com') && url.pathname.startsWith('/youtubei/v1/navigation/resolve_url'),
  // It takes an ID for that of a channel without looking whether there is one.
  (address) => (idOf(address) === null ? resolveUrlRequest(profileUrl(nameOf(address))) : null),
  parseResolveUrl,
);

/**
 * Which channel a former name stands for: YouTube resolves it. That it stands for none takes as many answers as any
 * absence.
 */
export const resolveIndirectUrl = (profileUrl: string, http: Http): Promise<Target> =>
  agreedAnswer<Target>({
    request: resolveUrlRequest(profileUrl),
    ask: (request) =>
      readListing(http, request, {
        refusal: () => null,
        isAnswer: isMissing,
        parse: (reply) => {
          const address = isMissing(reply) ? null : targetOf(reply);
          return address === null && !isMissing(reply) ? null : { address };
        },
      }),
    isVerdict: (answer) => answer.status === 'present' && answer.address === null,
    unconfirmed: (first) => first,
  });

/** A channel by its ID, or by the page that YouTube leads to. */
const targetOf = (reply: Json): Address | null => {
  const id = channelIn(reply);
  if (id !== null) return { kind: 'id', id };
  const url = textAt(reply, 'endpoint', 'urlEndpoint', 'url') ?? '';
  return URL.canParse(url) ? addressOf(new URL(url)) : null;
};

type Target = ListingReading<{ readonly address: Address | null }>;
