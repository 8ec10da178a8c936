import { isoOf } from '../../src/kernel/clock.ts';
import { SITES } from './platforms/registry.ts';
import type { Visible } from './platforms/site.ts';
import type { Platform } from './simulated-platforms.ts';
import type { PastReading } from './thread-messages.ts';
import type { Account, Kind, Quirk, Status } from './world/account.ts';
import type { World } from './world/world.ts';

/** Ground truth of an account, and what each surface reveals of it. */
export interface Truth {
  readonly platform: Platform;
  readonly at: string;
  readonly asked: string;
  readonly status: Status;
  readonly index: number;
  readonly id: string;
  readonly handle: string;
  readonly handle_shown: string;
  readonly previous_handles: readonly string[];
  readonly kind: Kind;
  readonly quirks: readonly Quirk[];
  readonly display_name: string;
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
  readonly verified: boolean;
  readonly created_at: string;
  readonly bio: string;
  readonly location: string;
  readonly language: string;
  readonly links: readonly string[];
  /** Current handles named in the bio. */
  readonly mentions: readonly string[];
  /** The same person's accounts on other platforms. */
  readonly elsewhere: Readonly<Partial<Record<Platform, string>>>;
  readonly visible: readonly Visible[];
}

const elsewhere = (world: World, account: Account, at: number): Truth['elsewhere'] => {
  if (account.index >= world.count(account.platform))
    return Object.fromEntries(
      world.hidden
        .elsewhere(account.platform, account.index)
        .map((other) => [other.platform, world.handleOf(other.platform, other.index, at)]),
    );
  if (account.index >= world.size || !world.hidden.people.isMember(account.platform, account.index))
    return {};
  return Object.fromEntries(
    world.hidden.people
      .membershipsOf(account.index)
      .filter((platform) => platform !== account.platform)
      .map((platform) => [platform, world.handleOf(platform, account.index, at)]),
  );
};

export const truthOf = (
  world: World,
  platform: Platform,
  index: number,
  at: number,
  asked?: string,
): Truth => {
  const account = world.account(platform, index, at);
  const askedHandle = (asked ?? account.handle).toLowerCase();
  // A former or future handle is unused now: the truth about its owner is included.
  const owns = askedHandle === account.handle;
  return {
    platform,
    at: isoOf(at),
    asked: askedHandle,
    status: owns ? account.status : 'absent',
    index,
    id: account.id,
    handle: account.handle,
    handle_shown: account.shown,
    previous_handles: account.previousHandles,
    kind: account.kind,
    quirks: [...account.quirks],
    display_name: account.displayName,
    followers: account.followers,
    following: account.following,
    posts: account.posts,
    verified: account.verified,
    created_at: isoOf(account.createdAt),
    bio: account.bio,
    location: account.location,
    language: account.language,
    links: account.links,
    mentions: account.mentions.map((other) => world.handleOf(platform, other, at)),
    elsewhere: elsewhere(world, account, at),
    visible: owns ? SITES[platform].visible(account) : SITES[platform].unused,
  };
};

/** Ground truth of a handle: of its owner at the time, else of a former or future one; only `status: 'absent'` without one. */
export const truthOfHandle = (
  world: World,
  platform: Platform,
  handle: string,
  at: number,
):
  | Truth
  | {
      readonly platform: Platform;
      readonly at: string;
      readonly asked: string;
      readonly status: 'absent';
      readonly visible: readonly Visible[];
    } => {
  const index = world.current(platform, handle, at)?.index ?? world.find(platform, handle);
  return index === null
    ? {
        platform,
        at: isoOf(at),
        asked: handle.toLowerCase(),
        status: 'absent',
        visible: SITES[platform].unused,
      }
    : truthOf(world, platform, index, at, handle);
};

/** Handles of active accounts as seeds: the largest of a spread sample, persons only. */
export const seedsOf = (world: World, platform: Platform, n: number, at: number): readonly string[] => {
  const step = Math.max(1, Math.floor(world.size / Math.max(1, n * 4)));
  const sample: Account[] = [];
  for (let index = 0; index < world.size && sample.length < n * 4; index += step) {
    const account = world.account(platform, index, at);
    const visible = SITES[platform].visible(account)[0];
    if (account.status === 'active' && visible?.status === 'present') sample.push(account);
  }
  return sample
    .sort((a, b) => b.followers - a.followers)
    .slice(0, n)
    .map((account) => account.handle);
};

const WEEK_MS = 7 * 86_400_000;
/** As far back as growth is usually looked at. */
const WEEKS = 13;

/** What the first surfaces of accounts showed every week before, the oldest first, as far as they had the same handles. */
export const pastOf = (
  world: World,
  platform: Platform,
  handles: readonly string[],
  nowMs: number,
): readonly PastReading[] =>
  handles.flatMap((handle) => {
    const index = world.current(platform, handle, nowMs)?.index;
    if (index === undefined) return [];
    return Array.from({ length: WEEKS }, (_, n) => nowMs - (WEEKS - n) * WEEK_MS).flatMap((at) => {
      const account = world.account(platform, index, at);
      const visible = SITES[platform].visible(account)[0];
      if (account.handle !== handle || account.createdAt > at) return [];
      return visible?.status === 'present' && visible.profile !== null
        ? [{ at: isoOf(at), surface: visible.surface, profile: visible.profile }]
        : [];
    });
  });
