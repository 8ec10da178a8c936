import { z } from 'zod';
import { x as grammar, parseHandle } from '../../../platforms/x.ts';
import type { Http, Page } from '../../http/port.ts';
import {
  type Address,
  isOfThisInstallation,
  type ListingReading,
  type PlatformAdapter,
  type PostsOptions,
  type PostsReading,
  type Reading,
  type ReadOptions,
  type RegistrationAnswer,
  type RegistrationForm,
  type SessionGrammar,
} from '../adapter.ts';
import { agreedAnswer } from '../shared/confirmation.ts';
import { at, listAt, parseJson, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import {
  failureOf,
  mostInformative,
  readStep,
  showsNoProfile,
  stepsOf,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read-surfaces.ts';
import { pagedBack, pageSize } from '../shared/timeline.ts';
import { createReadFollows } from './followers.ts';
import {
  EMPTY_TIMELINE,
  errorOf,
  graphql,
  graphqlWith,
  tweetsRequest,
  userRequest,
  type XOperations,
} from './graphql.ts';
import { NO_PROFILE, page } from './page.ts';
import { createReadPost } from './single-tweet.ts';
import { REFUSED, syndication } from './syndication.ts';
import { createVisibility } from './visibility.ts';

/** X. The GraphQL surface needs a session, and is tried first for posts. */
export const createX = (operations: XOperations = {}): PlatformAdapter => ({
  hosts: ['x.com', 'www.x.com', 'api.x.com', 'twitter.com', 'www.twitter.com', 'syndication.twitter.com'],
  ...grammar,
  probes: ['x', 'nasa', 'wikipedia'],
  surfaces: [page, syndication, graphqlWith(operations)],
  sessions: sessionsWith(operations),
  read: createRead(operations),
  readPosts: createReadPosts(operations),
  readPost: createReadPost(operations),
  readFollows: createReadFollows(operations),
  registration,
  visibility: createVisibility(operations),
});

const token = (max: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x3a\\x3c-\\x7e]{1,${max}}$`), 'without spaces and semicolons');

/** A bearer token with a guest token, or with the cookies of a logged-in account. */
const credentials = z
  .strictObject({
    bearer_token: token(1_000),
    guest_token: token(200).optional(),
    auth_token: token(200).optional(),
    /** The CSRF token, which is a cookie as well. */
    ct0: token(500).optional(),
  })
  .refine(({ guest_token, auth_token }) => (guest_token === undefined) !== (auth_token === undefined), {
    error: 'either guest_token, or auth_token and ct0 of a logged-in account',
  })
  .refine(({ auth_token, ct0 }) => (auth_token === undefined) === (ct0 === undefined), {
    error: 'auth_token and ct0 belong together',
  });

/** Error codes of X that reject the session itself. */
const REJECTED: ReadonlySet<number> = new Set([32, 37, 64, 89, 215, 239, 326, 353]);

const isRejected = (page: Page): boolean => {
  if (page.status === 401) return true;
  if (page.status !== 403 && page.status !== 200) return false;
  const error = listAt(parseJson(page.body), 'errors')[0];
  const code = Number(at(error, 'code') ?? at(error, 'extensions', 'code'));
  return REJECTED.has(code);
};

/** How sessions of X are sent, and how its answers about them are read. */
const sessionsWith = (operations: XOperations): SessionGrammar => ({
  credentials,
  headersOf: (secret) => {
    const { bearer_token, guest_token, auth_token, ct0 } = credentials.parse(secret);
    return {
      authorization: `Bearer ${bearer_token}`,
      ...(guest_token === undefined ? {} : { 'x-guest-token': guest_token }),
      ...(auth_token === undefined || ct0 === undefined
        ? {}
        : { cookie: `auth_token=${auth_token}; ct0=${ct0}`, 'x-csrf-token': ct0 }),
    };
  },
  isRejected,
  probe: userRequest(operations, { kind: 'handle', handle: 'x' }),
});

const surface = graphql.name;

/** Reads one page of a user's posts. Needs a session. A refusal names no user. */
const createReadPosts =
  (operations: XOperations) =>
  async (owner: string, { http, cursor, limit, session = null }: PostsOptions): Promise<PostsReading> => {
    const reading = await agreedAnswer<Reading>({
      request: tweetsRequest(operations, owner, limit, cursor, session),
      ask: (request) => readStep(http, { surface: graphql, request }, { kind: 'id', id: owner }),
      isVerdict: ({ status }) => status !== 'present' && status !== 'private' && status !== 'unknown',
      unconfirmed: (first, other) =>
        unknownReading(
          surface,
          'unconfirmed',
          `X says ${first.status} of the user, and then ${other.status}`,
        ),
    });
    return reading.status === 'unknown' && reading.detail === EMPTY_TIMELINE
      ? { status: 'empty', surface: reading.surface, warnings: reading.warnings }
      : reading;
  };

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
const createRead = (operations: XOperations) => {
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
    // The page may be cached: the user's own data decides what became of the account.
    if (timeline.status === 'suspended' || timeline.status === 'deactivated') return timeline;
    return isKnown(timeline) ? supplemented(shown, timeline) : null;
  };

  /** @param asked the answer that a session has given already; undefined if none was asked. */
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
      // The public surfaces may succeed where the session did not.
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

/** Meanings of the form's reasons; others are inconclusive. */
const REFUSALS: Readonly<Record<string, RegistrationAnswer['state']>> = {
  taken: 'taken',
  is_banned_word: 'reserved',
  improper_format: 'invalid',
  invalid_username: 'invalid',
};

/** Asks X's registration form about a name. It needs no session. */
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

const registration: RegistrationForm = { parseHandle, read };
