import type { Address, Reading, ReadOptions, Surface } from '../adapter.ts';
import {
  failureOf,
  mostInformative,
  readStep,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read-surfaces.ts';
import { isGated } from './channel.ts';
import { feed } from './feed.ts';
import { isBareId } from './handle.ts';
import { browse, resolveUrl } from './innertube-requests.ts';
import { page } from './page.ts';

const isShown = (reading: Reading): reading is Reading & { status: 'present' | 'private' } =>
  reading.status === 'present' || reading.status === 'private';

/** @param asked whom the surface is asked for, where that is not how the account is named. */
const readOne = async (
  { http }: ReadOptions,
  surface: Surface,
  address: Address,
  asked: Address = address,
): Promise<Reading> => {
  const request = surface.request(asked);
  return request === null
    ? unknownReading(surface.name, 'layout_changed', 'It can only be asked for a channel id')
    : readStep(http, { surface, request }, address);
};

/** The channel's id, asked for by its handle's address; or the reading that says why there is none. */
const resolved = async (address: Address, options: ReadOptions): Promise<Reading | string> => {
  if (address.kind === 'id') return address.id;
  const reading = await readOne(options, resolveUrl, address);
  return isShown(reading) && reading.profile.id !== null ? reading.profile.id : reading;
};

/** A gate names no handle: the page's is the account's where the handle's own address leads to the channel it names. */
const ungated = (gate: Reading, id: string): Reading =>
  isShown(gate) && gate.profile.id === id
    ? gate
    : unknownReading(gate.surface, 'layout_changed', `The gate is not of ${id}, where the handle leads`);

const channelOf = async (address: Address, options: ReadOptions): Promise<Reading> => {
  const first = await readOne(options, page, address);
  const gated = address.kind === 'handle' && isGated(first);
  if (first.status !== 'unknown' && !gated) return first;
  const id = await resolved(address, options);
  if (typeof id === 'string' && gated) return ungated(first, id);
  if (typeof id !== 'string') {
    if (id.status === 'unknown') return gated ? id : mostInformative([first, id]);
    return gated
      ? unknownReading(first.surface, 'layout_changed', 'A gate is shown of a handle that leads nowhere')
      : withWarnings(id, [failureOf(first)]);
  }
  const second = await readOne(options, browse, address, { kind: 'id', id });
  // Only the page is asked for by the handle: without it nothing but the resolved id would say whose gate this is.
  if (address.kind === 'handle' && isGated(second)) return mostInformative([first]);
  return second.status === 'unknown'
    ? mostInformative([first, second])
    : withWarnings(second, [failureOf(first)]);
};

/** Reads a channel. Only the feed tells when it was made and what it published. */
export const read = async (given: Address, options: ReadOptions): Promise<Reading> => {
  const address: Address =
    given.kind === 'handle' && isBareId(given.handle) ? { kind: 'id', id: given.handle } : given;
  const reading = await channelOf(address, options);
  if (!isShown(reading) || reading.profile.id === null) return reading;
  // The feed is asked for by id, whatever the account was asked for by.
  return supplemented(reading, await readOne(options, feed, { kind: 'id', id: reading.profile.id }));
};
