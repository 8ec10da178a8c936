import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { firstConclusive, unknownReading } from '../shared/read.ts';
import { embed } from './embed.ts';
import { addressOf, HANDLE, parseHandle, parseId } from './handle.ts';
import { page } from './page.ts';

const profileUrl = (handle: string): string => `https://www.tiktok.com/@${handle}`;

const read = async (address: Address, { http }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading('page', 'not_configured', 'No public surface of TikTok shows an account by its id');
  }
  const { handle } = address;
  return firstConclusive(
    http,
    [
      { surface: page, request: { platform: 'tiktok', url: profileUrl(handle) } },
      { surface: embed, request: { platform: 'tiktok', url: `https://www.tiktok.com/embed/@${handle}` } },
    ],
    address,
  );
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
