import { instagram as grammar } from '../../../platforms/instagram.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import {
  failureOf,
  firstConclusive,
  readStep,
  stepsOf,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read-surfaces.ts';
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
  const steps = stepsOf(order, address);
  const reading = await firstConclusive(http, steps, address);
  const [, next] = steps;
  // Meta tags alone have rounded figures, and few: the other surface may have more.
  return isMetaOnly(reading) && next !== undefined && order[0] === page
    ? completed(reading, await readStep(http, next, address))
    : reading;
};

const isMetaOnly = (reading: Reading): boolean =>
  reading.status === 'present' && reading.surface === page.name && !reading.measured.includes('private');

/** Prefers the figures of the second surface, which are exact. */
const completed = (reading: Reading, second: Reading): Reading =>
  second.status === 'present' || second.status === 'private'
    ? supplemented(second, reading)
    : withWarnings(reading, [failureOf(second)]);

/** Instagram. The creation time of an account is not public. */
export const instagram: PlatformAdapter = {
  hosts: ['instagram.com', 'www.instagram.com', 'i.instagram.com'],
  ...grammar,
  probes: ['instagram', 'natgeo', 'nasa'],
  surfaces: [page, webProfileInfo],
  read,
};
