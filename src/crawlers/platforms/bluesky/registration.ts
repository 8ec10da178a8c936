import { parseHandle } from '../../../write/accounts/grammar/bluesky.ts';
import type { Http } from '../../http/port.ts';
import type { ListingReading, RegistrationAnswer, RegistrationForm } from '../adapter.ts';
import { at, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { unknown } from '../shared/reading-outcomes.ts';

/** Handles that Bluesky registers itself; all others are domains of their holders. */
const OWN = /^[a-z0-9-]+\.bsky\.social$/;
const LEXICON = 'com.atproto.temp.checkHandleAvailability';

/** What Bluesky's form of registration says of a name. */
const read = async (handle: string, http: Http): Promise<ListingReading<RegistrationAnswer>> => {
  if (!OWN.test(handle))
    return {
      status: 'unknown',
      reason: 'not_configured',
      detail: 'The name is a domain: only its holder can use it',
    };
  const url = new URL(`https://bsky.social/xrpc/${LEXICON}`);
  url.searchParams.set('handle', handle);
  return readListing<RegistrationAnswer>(
    http,
    { platform: 'bluesky', url: url.href },
    {
      refusal: (reply) => {
        const error = textAt(reply, 'error');
        return error === null || error === 'InvalidHandle'
          ? null
          : unknown('http_error', `Bluesky answered ${error}`);
      },
      parse: (reply) => {
        if (textAt(reply, 'error') === 'InvalidHandle') return { state: 'reserved' };
        const type = textAt(at(reply, 'result'), '$type');
        if (type === `${LEXICON}#resultAvailable`) return { state: 'available' };
        return type === `${LEXICON}#resultUnavailable` ? { state: 'taken' } : null;
      },
    },
  );
};

/** Names without a domain are below Bluesky's own. */
export const registration: RegistrationForm = {
  parseHandle: (text) => parseHandle(text.includes('.') ? text : `${text}.bsky.social`),
  read,
};
