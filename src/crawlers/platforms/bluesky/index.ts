import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { readStep, supplemented } from '../shared/read.ts';
import { nameOf } from '../shared/surface.ts';
import { feed, feedRequest } from './feed.ts';
import { addressOf, HANDLE, isBareId, parseHandle, parseId } from './handle.ts';
import { profile, profileRequest } from './profile.ts';

const read = async (address: Address, { http, posts }: ReadOptions): Promise<Reading> => {
  const actor = nameOf(address);
  const reading = await readStep(http, { surface: profile, request: profileRequest(actor) }, address);
  // Who opts out of being shown has no id here either, and is asked for nothing more.
  if (!posts || reading.status !== 'present' || reading.profile.id === null) return reading;
  return supplemented(reading, await readStep(http, { surface: feed, request: feedRequest(actor) }, address));
};

export const bluesky: PlatformAdapter = {
  platform: 'bluesky',
  name: 'Bluesky',
  inDirectory: true,
  hosts: ['public.api.bsky.app', 'api.bsky.app'],
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://bsky.app/profile/{handle}',
  probes: ['bsky.app', 'atproto.com', 'jay.bsky.team'],
  parseHandle,
  parseId,
  isBareId,
  profileUrl: (handle) => `https://bsky.app/profile/${handle}`,
  addressOf,
  surfaces: [profile, feed],
  read,
};
