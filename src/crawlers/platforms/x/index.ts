import { z } from 'zod';
import { x as grammar } from '../../../platforms/x.ts';
import type { Page } from '../../http/port.ts';
import type { PlatformAdapter, PostsOptions, PostsReading, Reading, SessionGrammar } from '../adapter.ts';
import { agreedAnswer } from '../shared/agreed-answer.ts';
import { at, listAt, parseJson } from '../shared/json-access.ts';
import { readStep, unknownReading } from '../shared/read-surfaces.ts';
import { createReadFollows } from './followers.ts';
import { EMPTY_TIMELINE, graphql, graphqlWith } from './graphql.ts';
import { tweetsRequest, userRequest, type XOperations } from './operations.ts';
import { page } from './page.ts';
import { createRead } from './read-surfaces.ts';
import { registration } from './registration.ts';
import { createReadPost } from './single-tweet.ts';
import { syndication } from './syndication.ts';
import { createVisibility } from './visibility.ts';

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

/** How X's sessions are sent, and what its answers say of them. */
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
