import { telegram as grammar } from '../../../platforms/telegram.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, readStep, stepsOf, supplemented, unknownReading } from '../shared/read-surfaces.ts';
import { pagedBack } from '../shared/timeline.ts';
import { landing } from './landing.ts';
import { preview, previewStep } from './preview.ts';

const read = async (address: Address, { http, posts, window }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'landing',
      'not_configured',
      'No public surface of Telegram shows an account by its id',
    );
  }
  const reading = await firstConclusive(http, stepsOf([landing, preview], address), address);
  const [feed] = stepsOf([preview], address);
  const wanted = posts && reading.status === 'present' && reading.surface === landing.name;
  const whole =
    wanted && feed !== undefined ? supplemented(reading, await readStep(http, feed, address)) : reading;
  if (!posts || window === undefined) return whole;
  return pagedBack(http, whole, address, window, (cursor) => previewStep(address.handle, cursor));
};

export const telegram: PlatformAdapter = {
  hosts: ['t.me', 'telegram.me'],
  ...grammar,
  probes: ['telegram', 'durov', 'bloomberg'],
  surfaces: [landing, preview],
  read,
};
