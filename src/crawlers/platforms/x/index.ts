import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { x as grammar } from '../../../write/accounts/grammar/x.ts';
import type { PlatformAdapter } from '../adapter.ts';
import { createLocalSessionRests, type SessionRests } from '../session-rests.ts';
import { createReadFollows } from './followers.ts';
import { graphqlWith } from './graphql.ts';
import { page } from './page.ts';
import { createRead } from './read-surfaces.ts';
import type { XSettings } from './session.ts';
import { createSessionLimits } from './session-limits.ts';
import { syndication } from './syndication.ts';

export type { XSettings } from './session.ts';

/** X. The GraphQL surface is only tried with a session, and then first for posts. */
export const createX = (
  settings: XSettings = {},
  clock: Clock = systemClock,
  rests: SessionRests = createLocalSessionRests(),
): PlatformAdapter => {
  const limits = createSessionLimits(settings, rests, clock);
  return {
    platform: 'x',
    name: 'X',
    inDirectory: true,
    hosts: ['x.com', 'www.x.com', 'api.x.com', 'twitter.com', 'www.twitter.com', 'syndication.twitter.com'],
    ...grammar,
    probes: ['x', 'nasa', 'wikipedia'],
    surfaces: [page, syndication, graphqlWith(settings)],
    read: createRead(settings, limits),
    readFollows: createReadFollows(settings, limits),
  };
};
