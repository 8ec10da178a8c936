import type { Address, Reading, ReadOptions } from '../adapter.ts';
import {
  failureOf,
  mostInformative,
  readStep,
  stepsOf,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read-surfaces.ts';
import { EMPTY_TIMELINE, graphql } from './graphql.ts';
import { NO_PROFILE, page } from './page.ts';
import { graphqlRequest, hasSession, userRequest, type XSettings } from './session.ts';
import { REFUSED, syndication } from './syndication.ts';

const NOT_CONFIGURED =
  'Only the GraphQL surface could tell, and it has no session: set X_BEARER_TOKEN (and X_GUEST_TOKEN)';

const isKnown = ({ status }: Reading): boolean => status !== 'unknown';

const says = (reading: Reading, test: (detail: string) => boolean): boolean =>
  reading.status === 'unknown' && test(reading.detail);

/** A page without a profile, or a 404 of the embed: inconclusive. */
const isInconclusive = (reading: Reading): boolean =>
  says(reading, (detail) => detail === NO_PROFILE || detail.startsWith('HTTP 404'));

/** Adds a user's timeline. An empty one belongs to the user, since it was requested by the user's ID. */
const withTimeline = (reading: Reading, timeline: Reading): Reading =>
  reading.status === 'present' && says(timeline, (detail) => detail === EMPTY_TIMELINE)
    ? { ...reading, posts: reading.posts ?? [] }
    : supplemented(reading, timeline);

/** Reads an account of X through its surfaces in order. */
export const createRead = (settings: XSettings) => {
  const viaGraphql = async (address: Address, { http, posts }: ReadOptions): Promise<Reading> => {
    if (!hasSession(settings)) return unknownReading('graphql', 'not_configured', NOT_CONFIGURED);
    const request = userRequest(settings, address);
    const reading = await readStep(http, { surface: graphql, request }, address);
    if (!posts || reading.status !== 'present' || reading.profile.id === null) return reading;
    const tweets = graphqlRequest(settings, 'UserTweets', {
      userId: reading.profile.id,
      count: 40,
      includePromotedContent: false,
      withVoice: true,
    });
    return withTimeline(reading, await readStep(http, { surface: graphql, request: tweets }, address));
  };

  /**
   * The page shows protected accounts like any other, and the embed rejects them: only a session can tell them
   * apart.
   */
  const withSession = async (shown: Reading, embed: Reading, address: Address, options: ReadOptions) => {
    const reading = supplemented(shown, embed);
    const refused = says(embed, (detail) => detail.includes(REFUSED));
    return shown.status === 'present' && refused && hasSession(settings)
      ? supplemented(reading, await viaGraphql(address, { ...options, posts: false }))
      : reading;
  };

  const byHandle = async (address: Address, options: ReadOptions): Promise<Reading> => {
    const readings: Reading[] = [];
    for (const step of stepsOf([page, syndication], address))
      readings.push(await readStep(options.http, step, address));
    const [first, second] = readings as [Reading, Reading];
    // The page has neither badge nor posts: worth the embed's request.
    if (isKnown(first)) return withSession(first, second, address, options);
    if (isKnown(second)) return withWarnings(second, isInconclusive(first) ? [] : [failureOf(first)]);
    const third = await viaGraphql(address, options);
    const informative = readings.filter((reading) => !isInconclusive(reading));
    return isKnown(third)
      ? withWarnings(third, informative.map(failureOf))
      : mostInformative([...informative, third]);
  };

  return (address: Address, options: ReadOptions): Promise<Reading> =>
    address.kind === 'handle' ? byHandle(address, options) : viaGraphql(address, options);
};
