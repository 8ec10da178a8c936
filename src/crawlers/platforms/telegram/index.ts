import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, readStep, type Step, supplemented, unknownReading } from '../shared/read.ts';
import { addressOf, HANDLE, parseHandle } from './handle.ts';
import { landing } from './landing.ts';
import { preview } from './preview.ts';

const profileUrl = (handle: string): string => `https://t.me/${handle}`;

const read = async (address: Address, { http, posts }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'landing',
      'not_configured',
      'No public surface of Telegram shows an account by its id',
    );
  }
  const { handle } = address;
  const feed: Step = { surface: preview, request: { platform: 'telegram', url: `https://t.me/s/${handle}` } };
  const first: Step = { surface: landing, request: { platform: 'telegram', url: profileUrl(handle) } };
  const reading = await firstConclusive(http, [first, feed], address);
  if (!posts || reading.status !== 'present' || reading.surface !== landing.name) return reading;
  return supplemented(reading, await readStep(http, feed, address));
};

export const telegram: PlatformAdapter = {
  platform: 'telegram',
  name: 'Telegram',
  inDirectory: true,
  hosts: ['t.me', 'telegram.me'],
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://t.me/{handle}',
  probes: ['telegram', 'durov', 'bloomberg'],
  parseHandle,
  // Public pages show no native ids.
  parseId: () => null,
  isBareId: () => false,
  profileUrl,
  addressOf,
  surfaces: [landing, preview],
  read,
};
