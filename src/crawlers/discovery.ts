import type { Platform } from '../kernel/platform.ts';
import type { PlatformAdapter, Reading } from './platforms/adapter.ts';
import type { Registry } from './platforms/registry.ts';
import { urlsIn } from './platforms/shared/links.ts';
import { handlesIn } from './platforms/shared/mentions.ts';

/** Another account named by a reading. */
export interface Mention {
  readonly platform: Platform;
  /** Normalized; a native ID if the platform's URLs use it. */
  readonly handle: string;
  readonly via: 'mention' | 'link';
}

/**
 * Accounts that a profile and its posts mention: by handle on the same platform, or by profile URL on any.
 * Deduplicated by first occurrence; never the account itself.
 */
export const mentionsOf = (
  reading: Reading,
  platform: Platform,
  registry: Pick<Registry, 'adapters'>,
): Mention[] => {
  if (reading.status !== 'present' && reading.status !== 'private') return [];
  const { profile, posts } = reading;
  const adapter = registry.adapters.find((each) => each.platform === platform);
  const texts = [profile.bio, ...(posts ?? []).map(({ text }) => text)].filter((text) => text !== null);
  const found = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const self = mention.platform === platform && [profile.handle, profile.id].includes(mention.handle);
    const key = `${mention.platform}:${mention.handle}`;
    if (!self && !found.has(key)) found.set(key, mention);
  };
  for (const text of texts) {
    // LinkedIn's mentions are people's names, not slugs.
    if (adapter === undefined || platform === 'linkedin') continue;
    for (const handle of handlesIn(text, adapter.parseHandle)) add({ platform, handle, via: 'mention' });
  }
  for (const link of [...profile.links, ...texts.flatMap(urlsIn)]) {
    for (const mention of linkedAccount(link, registry.adapters)) add(mention);
  }
  return [...found.values()];
};

const linkedAccount = (link: string, adapters: readonly PlatformAdapter[]): Mention[] => {
  if (!URL.canParse(link)) return [];
  const url = new URL(link);
  return adapters.flatMap((adapter): Mention[] => {
    const address = adapter.addressOf(url);
    if (address === null) return [];
    if (address.kind === 'handle')
      return [{ platform: adapter.platform, handle: address.handle, via: 'link' }];
    // Digits may be a handle: only an unambiguous ID names an account.
    return adapter.isBareId(address.id)
      ? [{ platform: adapter.platform, handle: address.id, via: 'link' }]
      : [];
  });
};
