import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { type Account, DAY, type SimPost } from './account.ts';
import { createdAtOf, generationAt, statusAt, verifiedAt } from './account-lifecycle.ts';
import { createCompanies, MAX_COMPANIES } from './companies.ts';
import { companyOf } from './company.ts';
import { createGraph } from './graph.ts';
import { followersAt, followingAt, sizeOf } from './growth.ts';
import { createHandles, MAX_SIZE } from './handles.ts';
import { bell, scramble, unit } from './hash.ts';
import { isMember, keyOf, kindOf, membershipsOf, personKey, quirksOf, whoIs } from './identity.ts';
import { addressOf, mentionOf } from './links.ts';
import { createNativeIds } from './native-ids.ts';
import { type PostText, postOf, postsAt } from './posts.ts';
import { bioOf, displayNameOf, languageOf, locationOf } from './profile.ts';

export interface World {
  readonly seed: number;
  /** Personal accounts per platform. */
  readonly size: number;
  readonly clock: Clock;
  /** Number of accounts; LinkedIn's companies come after its persons. */
  count(platform: Platform): number;
  /** @throws {RangeError} if the index is not in [0, count). */
  account(platform: Platform, index: number, at?: number): Account;
  /** The handle (lower case) at a time. */
  handleOf(platform: Platform, index: number, at?: number): string;
  /** Account that has, had or will have this handle (case-insensitive); null if none. */
  find(platform: Platform, handle: string): number | null;
  findById(platform: Platform, id: string): number | null;
  /** The account that has this handle at the time and is not absent; null otherwise. */
  current(platform: Platform, handle: string, at?: number): Account | null;
  /** Newest first, starting at post number `before` - 1. */
  posts(account: Account, at: number, limit: number, before?: number): readonly SimPost[];
}

export interface WorldOptions {
  readonly seed: number;
  readonly size: number;
  readonly clock?: Clock;
}

/**
 * A computed population without storage: everything is a function of seed, platform, index and time.
 * @throws {RangeError} unless the size is a whole number from 1 to 2^24 - 2^20.
 */
export const createWorld = ({ seed, size, clock = systemClock }: WorldOptions): World => {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE - MAX_COMPANIES) {
    throw new RangeError(`size is ${size}; allowed: whole numbers from 1 to ${MAX_SIZE - MAX_COMPANIES}`);
  }
  const handles = createHandles(seed);
  const ids = createNativeIds(seed);
  const companies = createCompanies(seed);
  const graph = createGraph(seed, size);
  const companyCount = Math.min(MAX_COMPANIES, Math.ceil(size / 8));

  const handleAt = (platform: Platform, index: number, generation: number): string => {
    if (index >= size) return `company:${companies.slug(index - size)}`;
    const handle = handles.encode(platform, { who: whoIs(seed, platform, index), generation });
    return kindOf(platform, keyOf(seed, platform, index)) === 'bot' ? `${handle}bot` : handle;
  };
  const handleOf: World['handleOf'] = (platform, index, at = clock.now()) =>
    handleAt(platform, index, index >= size ? 0 : generationAt(keyOf(seed, platform, index), at));

  const scale = (platform: Platform, index: number): number =>
    sizeOf(isMember(seed, platform, index) ? personKey(seed, index) : keyOf(seed, platform, index)) *
    Math.exp(bell(keyOf(seed, platform, index), 140) * 0.6);

  /** A person's accounts link to each other in a ring, with some chords. */
  const linksOf = (platform: Platform, index: number, key: number, at: number): string[] => {
    if (!isMember(seed, platform, index)) return [];
    const ring = membershipsOf(seed, index);
    const here = ring.indexOf(platform);
    const steps = unit(key, 141) < 0.4 ? [1, 3] : [1];
    const targets = new Set(steps.map((step) => ring[(here + step) % ring.length] as Platform));
    targets.delete(platform);
    return [...targets].map((target) => addressOf(target, handleOf(target, index, at)));
  };

  const count = (platform: Platform) => (platform === 'linkedin' ? size + companyCount : size);

  const account: World['account'] = (platform, index, at = clock.now()) => {
    if (!Number.isInteger(index) || index < 0 || index >= count(platform)) {
      throw new RangeError(`${platform} has no account ${index}`);
    }
    const key = keyOf(seed, platform, index);
    if (index >= size) return companyOf(index, key, companies.slug(index - size), at);
    const createdAt = createdAtOf(platform, key);
    const generation = generationAt(key, at);
    const handle = handleAt(platform, index, generation);
    const shown = handles.shown(platform, handle);
    const audience = scale(platform, index);
    const followers = followersAt(key, audience, createdAt, at);
    const language = languageOf(isMember(seed, platform, index) ? personKey(seed, index) : key);
    const kind = kindOf(platform, key);
    const mentions = graph.inBio(platform, index, key);
    const links = linksOf(platform, index, key, at);
    const posts = kind === 'person' || kind === 'channel' ? postsAt(key, createdAt, at) : 0;
    const who = whoIs(seed, platform, index);
    return {
      platform,
      index,
      key,
      kind,
      status: statusAt(platform, key, createdAt, at),
      quirks: quirksOf(platform, key),
      id: ids.encode(platform, index, key, createdAt),
      handle,
      shown,
      previousHandles: Array.from({ length: generation }, (_, n) => handleAt(platform, index, n)),
      displayName: displayNameOf(who, key, language, handles.namesOf(who), at),
      followers,
      following: kind === 'person' || kind === 'channel' ? followingAt(key, at) : 0,
      posts,
      hearts: Math.min(4_200_000_000, Math.floor(followers * (5 + 45 * unit(key, 142)))),
      verified: verifiedAt(key, createdAt, audience, at),
      createdAt,
      bio: bioOf(
        platform,
        key,
        language,
        mentions.map((other) => mentionOf(platform, handleOf(platform, other, at))),
        links,
        at,
      ),
      location: locationOf(platform, key, language),
      language,
      links,
      mentions,
      // The picture's URL changes once or twice a year.
      avatar: scramble('abcdefghijklmnopqrstuvwxyz0123456789', 20, key, 143 + Math.floor(at / (270 * DAY))),
    };
  };

  const find: World['find'] = (platform, written) => {
    const handle = written.toLowerCase();
    if (platform === 'linkedin' && handle.startsWith('company:')) {
      const number = companies.numberOf(handle.slice(8));
      return number !== null && number < companyCount ? size + number : null;
    }
    const plain = platform === 'telegram' && handle.endsWith('bot') ? handle.slice(0, -3) : handle;
    const parts = handles.decode(platform, plain);
    if (!parts) return null;
    const index = parts.who >>> 3;
    // Encoding the result again verifies number, tail and kind.
    return index < size && handleAt(platform, index, parts.generation) === handle ? index : null;
  };

  const text: PostText = {
    mentions: (of, postKey) => {
      if (of.index >= size) return [];
      const known = graph.inPost(of.platform, of.index, postKey);
      if (known.length > 0 || unit(postKey, 144) > 0.1) return known;
      const hub = graph.hub(postKey, (index) => scale(of.platform, index));
      return hub === of.index ? [] : [hub];
    },
    name: (platform, index, at) => mentionOf(platform, handleOf(platform, index, at)),
  };

  return {
    seed,
    size,
    clock,
    count,
    account,
    handleOf,
    find,
    findById: (platform, id) => {
      const index = ids.decode(platform, id);
      if (index === null || index >= size) return null;
      const key = keyOf(seed, platform, index);
      return ids.encode(platform, index, key, createdAtOf(platform, key)) === id ? index : null;
    },
    current: (platform, handle, at = clock.now()) => {
      const index = find(platform, handle);
      if (index === null) return null;
      const found = account(platform, index, at);
      return found.handle === handle.toLowerCase() && found.status !== 'absent' ? found : null;
    },
    posts: (of, at, limit, before = of.posts) => {
      const from = Math.min(before, of.posts);
      return Array.from({ length: Math.max(0, Math.min(limit, from)) }, (_, n) =>
        postOf(of, from - 1 - n, at, text),
      );
    },
  };
};
