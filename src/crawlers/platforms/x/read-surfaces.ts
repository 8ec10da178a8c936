import { type Address, isOfThisInstallation, type Reading, type ReadOptions } from '../adapter.ts';
import {
  failureOf,
  mostInformative,
  readStep,
  showsNoProfile,
  stepsOf,
  supplemented,
  withWarnings,
} from '../shared/read-surfaces.ts';
import { pagedBack, pageSize } from '../shared/timeline.ts';
import { EMPTY_TIMELINE, graphql } from './graphql.ts';
import { tweetsRequest, userRequest, type XOperations } from './operations.ts';
import { NO_PROFILE, page } from './page.ts';
import { REFUSED, syndication } from './syndication.ts';

const isKnown = ({ status }: Reading): boolean => status !== 'unknown';

const says = (reading: Reading, test: (detail: string) => boolean): boolean =>
  reading.status === 'unknown' && test(reading.detail);

/** A page without a profile, or a 404 of the embed: inconclusive. */
const isInconclusive = (reading: Reading): boolean =>
  says(reading, (detail) => detail === NO_PROFILE || detail.startsWith('HTTP 404'));

const isEmptyTimeline = (reading: Reading): boolean => says(reading, (detail) => detail === EMPTY_TIMELINE);

/** Whether no session was accepted or could be asked: that says nothing of the account. */
const wasNotAsked = (reading: Reading): boolean =>
  reading.status === 'unknown' && isOfThisInstallation(reading.reason);

/** Adds a user's timeline. An empty one belongs to the user, since it was requested by the user's ID. */
const withTimeline = (reading: Reading, timeline: Reading): Reading => {
  if (wasNotAsked(timeline)) return reading;
  return reading.status === 'present' && isEmptyTimeline(timeline)
    ? { ...reading, posts: reading.posts ?? [], postOrder: 'time', postsSince: null }
    : supplemented(reading, timeline);
};

const nativeIdOf = (reading: Reading): string | null =>
  reading.status === 'present' ? reading.profile.id : null;

/** Reads an account of X through its surfaces in order. */
export const createRead = (operations: XOperations) => {
  /** The user's posts, newest first, as far back as the window reaches. */
  const timelineOf = async (
    userId: string,
    address: Address,
    { http, window }: ReadOptions,
  ): Promise<Reading> => {
    const stepOf = (cursor: string | null) => ({
      surface: graphql,
      request: tweetsRequest(operations, userId, pageSize(window, 20, 40), cursor),
    });
    const first = await readStep(http, stepOf(null), address);
    return window === undefined ? first : pagedBack(http, first, address, window, stepOf, EMPTY_TIMELINE);
  };

  const viaGraphql = async (address: Address, options: ReadOptions): Promise<Reading> => {
    const request = userRequest(operations, address);
    const reading = await readStep(options.http, { surface: graphql, request }, address);
    const userId = nativeIdOf(reading);
    if (!options.posts || userId === null) return reading;
    return withTimeline(reading, await timelineOf(userId, address, options));
  };

  /**
   * The page shows protected accounts like any other, and an empty timeline may be a protected one: only the
   * user's own data can tell them apart.
   */
  const withPrivacy = async (reading: Reading, address: Address, options: ReadOptions): Promise<Reading> => {
    const user = await viaGraphql(address, { ...options, posts: false });
    return wasNotAsked(user) ? reading : supplemented(reading, user);
  };

  /** The account of the page, with its timeline of a session; null if no session shows one. */
  const withSessionTimeline = async (
    shown: Reading,
    address: Address,
    options: ReadOptions,
  ): Promise<Reading | null> => {
    const userId = nativeIdOf(shown);
    if (!options.posts || userId === null) return null;
    const timeline = await timelineOf(userId, address, options);
    if (isEmptyTimeline(timeline)) {
      const reading = await withPrivacy(shown, address, options);
      return reading.status === 'private' ? reading : withTimeline(reading, timeline);
    }
    // What the account became since its page was cached: the user's own data decides.
    if (timeline.status === 'suspended' || timeline.status === 'deactivated') return timeline;
    return isKnown(timeline) ? supplemented(shown, timeline) : null;
  };

  /** @param asked what a session has answered already; undefined if none was asked. */
  const byHandle = async (address: Address, options: ReadOptions, asked?: Reading): Promise<Reading> => {
    const [pageStep, embedStep] = stepsOf([page, syndication], address);
    if (pageStep === undefined || embedStep === undefined) return viaGraphql(address, options);
    const shown = await readStep(options.http, pageStep, address);
    // The session's timeline is in order and has views; the embed's is a selection without.
    const whole = await withSessionTimeline(shown, address, options);
    if (whole !== null) return whole;
    const embed = await readStep(options.http, embedStep, address);
    // The page has neither badge nor posts: worth the embed's request.
    if (isKnown(shown)) {
      const reading = supplemented(shown, embed);
      const refused = says(embed, (detail) => detail.includes(REFUSED));
      return shown.status === 'present' && refused ? withPrivacy(reading, address, options) : reading;
    }
    if (isKnown(embed)) {
      const reading = withWarnings(embed, isInconclusive(shown) ? [] : [failureOf(shown)]);
      // A header without a profile may outlive its account.
      return showsNoProfile(embed) ? withPrivacy(reading, address, options) : reading;
    }
    const third = asked ?? (await viaGraphql(address, options));
    const informative = [shown, embed].filter((reading) => !isInconclusive(reading));
    return isKnown(third)
      ? withWarnings(third, informative.map(failureOf))
      : mostInformative([...informative, third]);
  };

  return async (address: Address, options: ReadOptions): Promise<Reading> => {
    if (address.kind === 'id') return viaGraphql(address, options);
    if (options.preferSession === true) {
      // What a session can't tell, the public surfaces may.
      const reading = await viaGraphql(address, options);
      if (!isKnown(reading)) return byHandle(address, options, reading);
      const isWithoutPosts = reading.status === 'present' && reading.posts === null;
      const [embedStep] = stepsOf([syndication], address);
      return options.posts && isWithoutPosts && embedStep !== undefined
        ? supplemented(reading, await readStep(options.http, embedStep, address))
        : reading;
    }
    return byHandle(address, options);
  };
};
