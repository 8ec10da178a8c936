import type { Platform } from '../../src/kernel/platform.ts';
import type { AccountEvent } from '../../src/write/accounts/account.ts';
import { UNTAGGED } from '../../src/write/accounts/post.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';

/** One event of the workload with where it goes. */
export interface Happening {
  readonly platform: Platform;
  readonly handle: string;
  readonly event: AccountEvent;
}

export const WORKLOAD_PLATFORMS: readonly Platform[] = [
  'x',
  'instagram',
  'tiktok',
  'youtube',
  'telegram',
  'bluesky',
];
const READINGS = 20;
const STEP_MS = 1.6 * 86_400_000;
const BEGIN = Date.UTC(2026, 8, 1);
/** About this many events come of an account: a reading each, and posts with some. */
export const EVENTS_AN_ACCOUNT = 25;

/** A number in [0, 1) that is the same in every run. */
const chance = (account: number, reading: number, salt: number): number => {
  let h =
    Math.imul(account + 1, 0x9e3779b1) ^
    Math.imul(reading + 17, 0x85ebca6b) ^
    Math.imul(salt + 3, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 4_294_967_296;
};

const followersOf = (account: number, reading: number): number => {
  const base = Math.floor(50 + chance(account, 0, 1) ** 4 * 2_000_000);
  const jump = chance(account, 0, 2) < 0.02 && reading >= 10 ? base + 5_000 : 0;
  return base + jump + reading * (1 + Math.floor(chance(account, 0, 3) * 40));
};

const isSuspended = (account: number, reading: number): boolean =>
  reading > 0 && chance(account, reading, 4) < 0.01;

/** Whether the reading is a whole one: the first, one after a suspension, and where something changed. */
const isWhole = (account: number, reading: number): boolean =>
  reading === 0 || isSuspended(account, reading - 1) || chance(account, reading, 5) < 0.05;

const profileOf = (account: number, reading: number, handle: string) => ({
  ...emptyProfile(handle),
  id: String(500_000_000 + account),
  display_name: `Display name ${account}${chance(account, reading, 6) < 0.3 ? ' ✦' : ''}`,
  followers: followersOf(account, reading),
  following: 100 + (account % 900),
  posts: 40 + reading,
  verified: chance(account, reading, 7) < 0.1,
  created_at: new Date(Date.UTC(2015, 0, 1) + account * 60_000).toISOString(),
  bio: `The biography of account ${account}, which says what people say of themselves, and a little more than that.`,
  avatar_url: `https://cdn.example.net/avatars/${account}_400x400.jpg`,
  location: account % 3 === 0 ? 'Lisbon' : null,
  links: account % 2 === 0 ? [`https://www.example.org/people/${account}/`] : [],
});

const postOf = (account: number, n: number, reading: number) => ({
  id: `${account}-${n}`,
  url: `https://social.example.net/${account}/status/${n}`,
  at: new Date(BEGIN + n * 3_600_000).toISOString(),
  kind: 'original' as const,
  media: 'none' as const,
  text: `Post ${n} of account ${account}: about as long as a post is, with a few words more to say something of it.`,
  ...UNTAGGED,
  likes: 10 + reading * 3 + n,
  replies: n % 7,
  reposts: n % 5,
  quotes: null,
  views: 1_000 + reading * 50,
});

const readingOf = (account: number, reading: number, handle: string): AccountEvent[] => {
  const at = BEGIN + reading * STEP_MS + (account % 86_400) * 1_000;
  const read = { observed_at: new Date(at).toISOString(), source: 'crawler' as const, surface: 'page' };
  if (isSuspended(account, reading)) {
    return [{ type: 'AccountUnavailable', data: { ...read, status: 'suspended' } }];
  }
  const posts =
    reading % 4 === 0
      ? [postOf(account, reading, reading), postOf(account, Math.max(0, reading - 4), reading)]
      : [];
  const seen: AccountEvent = isWhole(account, reading)
    ? {
        type: 'AccountSighted',
        data: { ...read, status: 'active', profile: profileOf(account, reading, handle) },
      }
    : {
        type: 'AccountUnchanged',
        data: {
          ...read,
          moved: {
            followers: followersOf(account, reading),
            ...(reading % 3 === 0 ? { posts: 40 + reading } : {}),
          },
        },
      };
  const distinct = posts.filter((post, i) => posts.findIndex(({ id }) => id === post.id) === i);
  return distinct.length === 0
    ? [seen]
    : [
        seen,
        { type: 'PostsSighted', data: { ...read, posts: distinct, moved: [], order: 'unknown', span: null } },
      ];
};

/** The events of one account, oldest first. */
export const accountHappenings = (account: number, reading?: number): Happening[] => {
  const platform = WORKLOAD_PLATFORMS[account % WORKLOAD_PLATFORMS.length] as Platform;
  const handle = `user${account}`;
  const readings = reading === undefined ? Array.from({ length: READINGS }, (_, r) => r) : [reading];
  return readings.flatMap((r) => readingOf(account, r, handle).map((event) => ({ platform, handle, event })));
};

/** Everything that happened, in the order of time: all accounts' first readings, then their second ones … */
export function* happenings(accounts: number): Generator<Happening> {
  for (let reading = 0; reading < READINGS; reading++) {
    for (let account = 0; account < accounts; account++) yield* accountHappenings(account, reading);
  }
}
