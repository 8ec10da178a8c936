import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, readStep, supplemented, unknownReading } from '../shared/read.ts';
import { addressOf, HANDLE, parseHandle, parseId } from './handle.ts';
import { page } from './page.ts';
import { webProfileInfo, webProfileInfoRequest } from './web-profile-info.ts';

const profileUrl = (handle: string): string => `https://www.instagram.com/${handle}/`;

const read = async (address: Address, { http, posts }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'page',
      'not_configured',
      'No public surface of Instagram shows an account by its id',
    );
  }
  const { handle } = address;
  const second = { surface: webProfileInfo, request: webProfileInfoRequest(handle) };
  const steps = [
    { surface: page, request: { platform: 'instagram', url: profileUrl(handle) } } as const,
    second,
  ];
  const reading = await firstConclusive(http, steps, address);
  const lacksPosts = reading.status === 'present' && reading.surface === page.name && reading.posts === null;
  return posts && lacksPosts ? supplemented(reading, await readStep(http, second, address)) : reading;
};

/** Instagram. When an account was made is not public. */
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
