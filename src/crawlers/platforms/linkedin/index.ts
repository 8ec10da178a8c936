import { linkedin as grammar } from '../../../platforms/linkedin.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, stepsOf, unknownReading } from '../shared/read-surfaces.ts';
import { company } from './company.ts';
import { person } from './person.ts';

const read = async (address: Address, { http }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'person',
      'not_configured',
      'No public surface of LinkedIn shows an account by its id',
    );
  }
  return firstConclusive(http, stepsOf([person, company], address), address);
};

/** LinkedIn, people and companies. Badges and creation times are not public. */
export const linkedin: PlatformAdapter = {
  hosts: ['linkedin.com', '.linkedin.com'],
  ...grammar,
  probes: ['williamhgates', 'company:linkedin', 'company:microsoft'],
  surfaces: [person, company],
  read,
};
