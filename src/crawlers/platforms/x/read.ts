import type { Address, Reading, ReadOptions } from '../adapter.ts';
import {
  failureOf,
  mostTelling,
  readStep,
  type Step,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read.ts';
import { graphql } from './graphql.ts';
import { NO_PROFILE, page } from './page.ts';
import { graphqlRequest, hasSession, type XSettings } from './session.ts';
import { syndication, syndicationRequest } from './syndication.ts';

const NOT_CONFIGURED =
  'Only the GraphQL surface could tell, and it has no session: set X_BEARER_TOKEN (and X_GUEST_TOKEN)';

const isKnown = ({ status }: Reading): boolean => status !== 'unknown';

/** A page without a profile and a 404 of the embed: X answered, and proved nothing. */
const provesNothing = (reading: Reading): boolean =>
  reading.status === 'unknown' && (reading.detail === NO_PROFILE || reading.detail.startsWith('HTTP 404'));

/** Reads an account of X through its surfaces in order. */
export const createRead = (settings: XSettings) => {
  const viaGraphql = async (address: Address, { http, posts }: ReadOptions): Promise<Reading> => {
    if (!hasSession(settings)) return unknownReading('graphql', 'not_configured', NOT_CONFIGURED);
    const request =
      address.kind === 'handle'
        ? graphqlRequest(settings, 'UserByScreenName', { screen_name: address.handle })
        : graphqlRequest(settings, 'UserByRestId', { userId: address.id });
    const reading = await readStep(http, { surface: graphql, request }, address);
    if (!posts || reading.status !== 'present' || reading.profile.id === null) return reading;
    const tweets = graphqlRequest(settings, 'UserTweets', {
      userId: reading.profile.id,
      count: 40,
      includePromotedContent: false,
      withVoice: true,
    });
    return supplemented(reading, await readStep(http, { surface: graphql, request: tweets }, address));
  };

  const byHandle = async (handle: string, address: Address, options: ReadOptions): Promise<Reading> => {
    const pageStep: Step = { surface: page, request: { platform: 'x', url: `https://x.com/${handle}` } };
    const first = await readStep(options.http, pageStep, address);
    const second = await readStep(
      options.http,
      { surface: syndication, request: syndicationRequest(handle) },
      address,
    );
    // The page shows neither the badge nor posts: what the embed adds is worth its request.
    if (isKnown(first)) return supplemented(first, second);
    if (isKnown(second)) return withWarnings(second, provesNothing(first) ? [] : [failureOf(first)]);
    const third = await viaGraphql(address, options);
    if (isKnown(third)) {
      return withWarnings(third, [first, second].filter((reading) => !provesNothing(reading)).map(failureOf));
    }
    const telling = [first, second].filter((reading) => !provesNothing(reading));
    return mostTelling([...telling, third]);
  };

  return (address: Address, options: ReadOptions): Promise<Reading> =>
    address.kind === 'handle' ? byHandle(address.handle, address, options) : viaGraphql(address, options);
};
