import { parseHandle } from '../../../platforms/bluesky.ts';
import type { Http } from '../../http/port.ts';
import type { ListingReading, RegistrationAnswer, RegistrationForm } from '../adapter.ts';
import { at, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { unknown } from '../shared/reading-outcomes.ts';

/** Handles that Bluesky registers itself; all others are domains of their holders. */
const OWN = /^[a-z0-9-]+\.bsky\.social$/;
/** The error for a name that breaks the rules. */
const INVALID = 'InvalidHandle';
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
        return error === null || error === INVALID
          ? null
          : unknown('http_error', `Bluesky answered ${error}`);
      },
      // Its status is 400.
      isAnswer: (reply) => textAt(reply, 'error') === INVALID,
      parse: (reply) => {
        if (textAt(reply, 'error') === INVALID) return { state: 'invalid' };
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
