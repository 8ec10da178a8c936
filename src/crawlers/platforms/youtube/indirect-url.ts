import { addressOf, parseId } from '../../../write/accounts/grammar/youtube.ts';
import type { Http } from '../../http/port.ts';
import type { Address, ListingReading } from '../adapter.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { resolveUrlRequest } from './innertube-requests.ts';

const isMissing = (reply: Json): boolean =>
  at(reply, 'error', 'code') === 404 && textAt(reply, 'error', 'status') === 'NOT_FOUND';

/** A channel's page by its ID, or one that YouTube leads to. */
const targetOf = (reply: Json): Address | null => {
  const id = parseId(textAt(reply, 'endpoint', 'browseEndpoint', 'browseId') ?? '');
  if (id !== null) return { kind: 'id', id };
  const url = textAt(reply, 'endpoint', 'urlEndpoint', 'url') ?? '';
  return URL.canParse(url) ? addressOf(new URL(url)) : null;
};

/** Which channel a former name stands for: YouTube resolves it. */
export const resolveIndirectUrl = (
  profileUrl: string,
  http: Http,
): Promise<ListingReading<{ readonly address: Address | null }>> =>
  readListing(http, resolveUrlRequest(profileUrl), {
    refusal: () => null,
    isAnswer: isMissing,
    parse: (reply) => {
      if (isMissing(reply)) return { address: null };
      const address = targetOf(reply);
      return address === null ? null : { address };
    },
  });
