import type { Platform } from '../kernel/platform.ts';
import { urlsIn } from '../kernel/text.ts';
import { accountOfUrl, descriptorOf } from '../platforms/index.ts';
import type { Reading } from './platforms/adapter.ts';
import { handlesIn } from './platforms/shared/mentions.ts';

/** Another account named by a reading. */
export interface Mention {
  readonly platform: Platform;
  /** Normalized; a native ID if the platform's URLs use it. */
  readonly handle: string;
  readonly via: 'mention' | 'link';
  /** Whether it is the account that was read, under the handle that the reading showed. */
  readonly isRenamed?: boolean;
}

/**
 * Accounts that a profile and its posts mention: by handle on the same platform, or by profile URL on any; and the
 * company that a person works for.
 * Deduplicated by first occurrence; never the account itself.
 */
export const mentionsOf = (reading: Reading, platform: Platform): Mention[] => {
  if (reading.status !== 'present' && reading.status !== 'private') return [];
  const { profile, posts } = reading;
  const { parseHandle } = descriptorOf(platform);
  const texts = [profile.bio, ...(posts ?? []).map(({ text }) => text)].filter((text) => text !== null);
  const found = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const self = mention.platform === platform && [profile.handle, profile.id].includes(mention.handle);
    const key = `${mention.platform}:${mention.handle}`;
    if (!self && !found.has(key)) found.set(key, mention);
  };
  for (const text of texts) {
    if (!descriptorOf(platform).hasMentions) continue;
    for (const handle of handlesIn(text, parseHandle)) add({ platform, handle, via: 'mention' });
  }
  for (const link of [...profile.links, ...texts.flatMap(urlsIn)]) {
    const linked = linkedAccount(link);
    if (linked !== null) add(linked);
  }
  const employer = reading.facts?.kind === 'person' ? (reading.facts.facts.company?.slug ?? null) : null;
  if (employer !== null) add({ platform, handle: `company:${employer}`, via: 'link' });
  return [...found.values()];
};

const linkedAccount = (link: string): Mention | null => {
  const found = URL.canParse(link) ? accountOfUrl(new URL(link)) : null;
  if (found === null) return null;
  const { platform, address } = found;
  if (address.kind === 'handle') return { platform, handle: address.handle, via: 'link' };
  // Digits may be a handle: only an unambiguous ID names an account.
  return descriptorOf(platform).isBareId(address.id) ? { platform, handle: address.id, via: 'link' } : null;
};
