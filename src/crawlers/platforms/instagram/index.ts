import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, readStep, stepsOf, supplemented, unknownReading } from '../shared/read-surfaces.ts';
import { addressOf, HANDLE, parseHandle, parseId, profileUrl } from './handle.ts';
import { page } from './page.ts';
import { webProfileInfo } from './web-profile-info.ts';

const read = async (address: Address, { http, posts }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'page',
      'not_configured',
      'No public surface of Instagram shows an account by its id',
    );
  }
  const steps = stepsOf([page, webProfileInfo], address);
  const reading = await firstConclusive(http, steps, address);
  const lacksPosts = reading.status === 'present' && reading.surface === page.name && reading.posts === null;
  if (!posts || !lacksPosts) return reading;
  const [second] = stepsOf([webProfileInfo], address);
  return second === undefined ? reading : supplemented(reading, await readStep(http, second, address));
};

/** Instagram. The creation time of an account is not public. */
export const instagram: PlatformAdapter = {
  platform: 'instagram',
  name: 'Instagram',
  inDirectory: true,
  hosts: ['instagram.com', 'www.instagram.com', 'i.instagram.com'],
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.instagram.com/{handle}/',
  probes: ['instagram', 'natgeo', 'nasa'],
  parseHandle,
  parseId,
  isBareId: () => false,
  profileUrl,
  addressOf,
  surfaces: [page, webProfileInfo],
  read,
};
