import { parseHandle } from '../../../platforms/x.ts';
import type { Http } from '../../http/port.ts';
import type { ListingReading, RegistrationAnswer, RegistrationForm } from '../adapter.ts';
import { at, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { errorOf } from './graphql.ts';

/** What its reasons say of a name; others are inconclusive. */
const REFUSALS: Readonly<Record<string, RegistrationAnswer['state']>> = {
  taken: 'taken',
  is_banned_word: 'reserved',
  improper_format: 'invalid',
  invalid_username: 'invalid',
};

/** What X's form of registration says of a name. It needs no session. */
const read = (handle: string, http: Http): Promise<ListingReading<RegistrationAnswer>> => {
  const url = new URL('https://api.x.com/i/users/username_available.json');
  url.searchParams.set('username', handle);
  return readListing<RegistrationAnswer>(
    http,
    { platform: 'x', url: url.href },
    {
      refusal: errorOf,
      parse: (reply) => {
        const valid = at(reply, 'valid');
        const reason = textAt(reply, 'reason');
        if (valid === true && reason === 'available') return { state: 'available' };
        if (valid !== false || reason === null) return null;
        const state = REFUSALS[reason];
        return state === undefined ? null : { state };
      },
    },
  );
};

export const registration: RegistrationForm = { parseHandle, read };
