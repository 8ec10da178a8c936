import { instagram as grammar } from '../../../write/accounts/grammar/instagram.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, stepsOf, unknownReading } from '../shared/read-surfaces.ts';
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
  // The call shows posts with counts and times, the page without: only one of them is needed.
  const order = posts ? [webProfileInfo, page] : [page, webProfileInfo];
  return firstConclusive(http, stepsOf(order, address), address);
};

/** Instagram. The creation time of an account is not public. */
export const instagram: PlatformAdapter = {
  platform: 'instagram',
  name: 'Instagram',
  hosts: ['instagram.com', 'www.instagram.com', 'i.instagram.com'],
  ...grammar,
  probes: ['instagram', 'natgeo', 'nasa'],
  surfaces: [page, webProfileInfo],
  read,
};
