import type { Platform } from '../kernel/platform.ts';
import type { PlatformAdapter, Reading } from './platforms/adapter.ts';
import type { Registry } from './platforms/registry.ts';
import { urlsIn } from './platforms/shared/links.ts';

/** Another account that a reading points to. */
export interface Mention {
  readonly platform: Platform;
  /** Normal form; a native id where the platform's addresses name accounts by it. */
  readonly handle: string;
  readonly via: 'mention' | 'link';
}

// An @ that no letter, digit or dot stands before: mail addresses are none. Dots and hyphens may be inside only.
const MENTION =
  /(?<![\p{L}\p{N}_.@/+-])@([\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.·-]{0,252}[\p{L}\p{N}\p{M}_])?)/gu;

/** Names in a text that are handles by the platform's grammar, in normal form. */
const mentionsIn = (text: string, adapter: PlatformAdapter): string[] =>
  [...text.matchAll(MENTION)].flatMap(([, name = '']) => {
    // LinkedIn's mentions are names of people, which are no slugs.
    if (adapter.platform === 'linkedin') return [];
    // Where dots can't be in a handle, one ends it.
    const handle =
      adapter.parseHandle(name) ?? adapter.parseHandle(name.split(/[^\p{L}\p{N}\p{M}_]/u)[0] ?? '');
    return handle === null ? [] : [handle];
  });

/**
 * The accounts that a profile and its posts point to: mentions in its own platform's grammar, and addresses of
 * profiles on any platform. Each once, by what it was found by first; never the account itself.
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
    // What stands in an address is no mention: `https://medium.com/@name` is nobody's handle here.
    const bare = text.replace(/\bhttps?:\/\/\S+/gi, ' ');
    if (adapter !== undefined) {
      for (const handle of mentionsIn(bare, adapter)) add({ platform, handle, via: 'mention' });
    }
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
    // A row of digits might be somebody else's handle: only an id that can be nothing else names an account.
    return adapter.isBareId(address.id)
      ? [{ platform: adapter.platform, handle: address.id, via: 'link' }]
      : [];
  });
};
