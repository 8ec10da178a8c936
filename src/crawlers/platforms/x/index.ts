import { x as grammar } from '../../../platforms/x.ts';
import type { PlatformAdapter } from '../adapter.ts';
import { createReadFollows } from './followers.ts';
import { graphqlWith } from './graphql.ts';
import type { XOperations } from './operations.ts';
import { page } from './page.ts';
import { createReadPosts } from './posts-page.ts';
import { createRead } from './read-surfaces.ts';
import { registration } from './registration.ts';
import { sessionsWith } from './sessions.ts';
import { createReadPost } from './single-tweet.ts';
import { syndication } from './syndication.ts';
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
