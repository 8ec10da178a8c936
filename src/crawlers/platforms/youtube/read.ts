import type { Address, Reading, ReadOptions } from '../adapter.ts';
import { failureOf, mostTelling, readStep, supplemented, withWarnings } from '../shared/read.ts';
import { browse, browseRequest, resolveUrl, resolveUrlRequest } from './calls.ts';
import { feed, feedUrl } from './feed.ts';
import { isBareId, profileUrl } from './handle.ts';
import { page } from './page.ts';

const isShown = (reading: Reading): reading is Reading & { status: 'present' | 'private' } =>
  reading.status === 'present' || reading.status === 'private';

/** The channel's id, asked for by its handle's address; or the reading that says why there is none. */
const resolved = async (address: Address, { http }: ReadOptions): Promise<Reading | string> => {
  if (address.kind === 'id') return address.id;
  const request = resolveUrlRequest(profileUrl(address.handle));
  const reading = await readStep(http, { surface: resolveUrl, request }, address);
  return isShown(reading) && reading.profile.id !== null ? reading.profile.id : reading;
};

const channelOf = async (address: Address, options: ReadOptions): Promise<Reading> => {
  const { http } = options;
  const url = address.kind === 'id' ? profileUrl(address.id) : profileUrl(address.handle);
  const first = await readStep(http, { surface: page, request: { platform: 'youtube', url } }, address);
  if (first.status !== 'unknown') return first;
  const id = await resolved(address, options);
  if (typeof id !== 'string') {
    return id.status === 'unknown' ? mostTelling([first, id]) : withWarnings(id, [failureOf(first)]);
  }
  const second = await readStep(http, { surface: browse, request: browseRequest(id) }, address);
  return second.status === 'unknown'
    ? mostTelling([first, second])
    : withWarnings(second, [failureOf(first)]);
};

/** Reads a channel. Only the feed tells when it was made and what it published. */
export const read = async (given: Address, options: ReadOptions): Promise<Reading> => {
  const address: Address =
    given.kind === 'handle' && isBareId(given.handle) ? { kind: 'id', id: given.handle } : given;
  const reading = await channelOf(address, options);
  if (!isShown(reading) || reading.profile.id === null) return reading;
  const { id } = reading.profile;
  const request = { platform: 'youtube', url: feedUrl(id) } as const;
  // The feed is asked for by id, whatever the account was asked for by.
  return supplemented(reading, await readStep(options.http, { surface: feed, request }, { kind: 'id', id }));
};
