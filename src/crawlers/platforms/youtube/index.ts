import { youtube as grammar, isBareId } from '../../../platforms/youtube.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions, Surface } from '../adapter.ts';
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
import { browse, resolveIndirectUrl, resolveUrl } from './innertube-requests.ts';
import { page } from './page.ts';

const isShown = (reading: Reading): reading is Reading & { status: 'present' | 'private' } =>
  reading.status === 'present' || reading.status === 'private';

/** @param asked address for the surface, if it differs from the account's. */
const readOne = async (
  { http }: ReadOptions,
  surface: Surface,
  address: Address,
  asked: Address = address,
): Promise<Reading> => {
  const request = surface.request(asked);
  return request === null
    ? unknownReading(surface.name, 'layout_changed', 'The surface accepts channel IDs only')
    : readStep(http, { surface, request }, address);
};

/** Resolves a handle to its channel ID; the inconclusive reading on failure. */
const resolved = async (address: Address, options: ReadOptions): Promise<Reading | string> => {
  if (address.kind === 'id') return address.id;
  const reading = await readOne(options, resolveUrl, address);
  return isShown(reading) && reading.profile.id !== null ? reading.profile.id : reading;
};

/** A gate names no handle: the page's gate is the account's if its handle resolves to the gate's channel. */
const ungated = (gate: Reading, id: string): Reading =>
  isShown(gate) && gate.profile.id === id
    ? gate
    : unknownReading(
        gate.surface,
        'layout_changed',
        `The gate is not of ${id}, to which the handle resolves`,
      );

const channelOf = async (address: Address, options: ReadOptions): Promise<Reading> => {
  const first = await readOne(options, page, address);
  const gated = address.kind === 'handle' && isGated(first);
  if (first.status !== 'unknown' && !gated) return first;
  const id = await resolved(address, options);
  if (typeof id === 'string' && gated) return ungated(first, id);
  if (typeof id !== 'string') {
    if (id.status === 'unknown') return gated ? id : mostInformative([first, id]);
    return gated
      ? unknownReading(first.surface, 'layout_changed', 'A gate is shown for a handle that does not resolve')
      : withWarnings(id, [failureOf(first)]);
  }
  const second = await readOne(options, browse, address, { kind: 'id', id });
  // Only the page is requested by handle: otherwise the gate's owner is unproven.
  if (address.kind === 'handle' && isGated(second)) return mostInformative([first]);
  return second.status === 'unknown'
    ? mostInformative([first, second])
    : withWarnings(second, [failureOf(first)]);
};

/**
 * A handle that leads nowhere: closed and terminated channels lose theirs, and only their ID shows which it was.
 * @param absent the reading by the handle.
 */
const terminatedOr = async (absent: Reading, options: ReadOptions): Promise<Reading> => {
  const id = (await options.knownNames?.())?.id ?? null;
  if (id === null) return absent;
  const byId = await readOne(options, browse, { kind: 'id', id });
  return byId.status === 'suspended' ? byId : withWarnings(absent, [failureOf(byId)]);
};

/** A page without a handle does not prove that the channel has lost it, since the age gate never shows one. */
const withHandle = async (reading: Reading, id: string, options: ReadOptions): Promise<Reading> => {
  if (!isShown(reading) || reading.profile.handle !== id) return reading;
  const handle = (await options.knownNames?.())?.handle ?? id;
  return { ...reading, profile: { ...reading.profile, handle } };
};

/** Reads a channel. Only the feed shows its creation time and posts. */
const read = async (given: Address, options: ReadOptions): Promise<Reading> => {
  const address: Address =
    given.kind === 'handle' && isBareId(given.handle) ? { kind: 'id', id: given.handle } : given;
  const found = await channelOf(address, options);
  if (found.status === 'absent' && address.kind === 'handle') return terminatedOr(found, options);
  const reading = address.kind === 'id' ? await withHandle(found, address.id, options) : found;
  if (!isShown(reading) || reading.profile.id === null) return reading;
  // The feed is requested by ID, however the account was.
  return supplemented(reading, await readOne(options, feed, { kind: 'id', id: reading.profile.id }));
};

export const youtube: PlatformAdapter = {
  hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'consent.youtube.com'],
  ...grammar,
  probes: ['youtube', 'nasa', 'kurzgesagt'],
  surfaces: [page, browse, resolveUrl, feed],
  read,
  resolveUrl: resolveIndirectUrl,
};
