import { bluesky as grammar } from '../../../platforms/bluesky.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { readStep, supplemented } from '../shared/read-surfaces.ts';
import { nameOf } from '../shared/surface.ts';
import { pagedBack, pageSize } from '../shared/timeline.ts';
import { EMPTY_FEED, FEW, feed, feedRequest } from './feed.ts';
import { readFollows } from './follows.ts';
import { profile, profileRequest } from './profile.ts';
import { registration } from './registration.ts';

const read = async (address: Address, { http, posts, window }: ReadOptions): Promise<Reading> => {
  const request = profileRequest(nameOf(address));
  const reading = await readStep(http, { surface: profile, request }, address);
  // Accounts that opted out have no ID here and are not read further.
  if (!posts || reading.status !== 'present' || reading.profile.id === null) return reading;
  // Authors of posts don't show a name that the account has lost.
  const { id, handle } = reading.profile;
  const owner: Address = handle === id ? { kind: 'id', id } : address;
  const limit = pageSize(window, FEW, 100);
  const stepOf = (cursor: string | null) => ({
    surface: feed,
    request: feedRequest(nameOf(owner), limit, cursor),
  });
  const shown = await readStep(http, stepOf(null), owner);
  // An existing account with an empty feed has no posts.
  if (shown.status === 'unknown' && shown.detail === EMPTY_FEED) {
    return { ...reading, posts: [], postOrder: 'time', postsSince: null };
  }
  const whole =
    window === undefined ? shown : await pagedBack(http, shown, owner, window, stepOf, EMPTY_FEED);
  return supplemented(reading, whole);
};

export const bluesky: PlatformAdapter = {
  hosts: ['public.api.bsky.app', 'api.bsky.app', 'bsky.social'],
  ...grammar,
  probes: ['bsky.app', 'atproto.com', 'jay.bsky.team'],
  surfaces: [profile, feed],
  read,
  registration,
  readFollows,
};
