import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, stepsOf, unknownReading } from '../shared/read-surfaces.ts';
import { embed } from './embed.ts';
import { addressOf, HANDLE, parseHandle, parseId, profileUrl } from './handle.ts';
import { page } from './page.ts';

const read = async (address: Address, { http }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading('page', 'not_configured', 'No public surface of TikTok shows an account by its id');
  }
  return firstConclusive(http, stepsOf([page, embed], address), address);
};

export const tiktok: PlatformAdapter = {
  platform: 'tiktok',
  name: 'TikTok',
  inDirectory: true,
  hosts: ['www.tiktok.com', 'tiktok.com', 'm.tiktok.com'],
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.tiktok.com/@{handle}',
  probes: ['tiktok', 'nba', 'bbcnews'],
  parseHandle,
  parseId,
  isBareId: () => false,
  profileUrl,
  addressOf,
  surfaces: [page, embed],
  read,
};
