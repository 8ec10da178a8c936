import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { descriptorOf } from '../../src/platforms/index.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { accountStream } from '../../src/write/accounts/events.ts';

/** Accounts of a person: each links to the next, and some back. */
const OF_ONE = 5;
const NAMES = 400;
const FIRST_MS = Date.UTC(2026, 0, 1);

export const platformOf = (account: number): Platform => PLATFORMS[account % OF_ONE] as Platform;
const personOf = (account: number): number => Math.floor(account / OF_ONE);

/** Fifteen characters at most, as X allows. */
export const handleOf = (account: number): string => {
  const name = `anna${personOf(account)}`;
  return platformOf(account) === 'bluesky' ? `${name}.bsky.social` : name;
};

const urlOf = (account: number): string => descriptorOf(platformOf(account)).profileUrl(handleOf(account));

const letters = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

/** Names are common: each has thousands of bearers at a million accounts. */
const nameOf = (account: number): string => {
  const person = personOf(account);
  return `Anna${letters(person % NAMES)} Berg${letters(Math.floor(person / NAMES) % NAMES)}`;
};

/** Links of an account: of a person in a ring, of every fifth both ways; `changed` makes another list of it. */
const linksOf = (account: number, changed: number): readonly string[] => {
  const first = personOf(account) * OF_ONE;
  const next = first + ((account - first + 1) % OF_ONE);
  const previous = first + ((account - first + OF_ONE - 1) % OF_ONE);
  return [
    ...(changed % 2 === 0 ? [urlOf(next)] : []),
    ...(account % OF_ONE === 0 ? [urlOf(previous)] : []),
    ...(changed > 0 ? [`https://site${account}-${changed}.example/`] : []),
  ];
};

let position = 0n;

const event = (account: number, type: string, at: number, data: object): AppliedEvent => {
  position += 1n;
  return {
    id: String(position),
    stream: accountStream(platformOf(account), handleOf(account)),
    revision: 0n,
    position,
    type,
    data: { observed_at: new Date(at).toISOString(), source: 'crawler', surface: 'page', ...data },
    metadata: {},
  } as unknown as AppliedEvent;
};

const followersOf = (account: number): number => 10 + ((account * 7919) % 90_000);

const profileOf = (account: number, links: readonly string[], followers: number) => ({
  id: platformOf(account) === 'linkedin' ? null : String(1_000_000 + account),
  handle: handleOf(account),
  display_name: nameOf(account),
  followers,
  following: 10,
  posts: 20,
  verified: false,
  created_at: null,
  bio: `Coach, runner, terrible dancer ${account}`,
  avatar_url: null,
  location: null,
  links: [...links],
});

/** The first reading of an account. */
export const discovered = (account: number): AppliedEvent =>
  event(account, 'AccountSighted', FIRST_MS, {
    status: 'active',
    profile: profileOf(account, linksOf(account, 0), followersOf(account)),
  });

/** Readings of known accounts: one of ten has changed a link, one of a hundred links to the hub now. */
export const readings = (accounts: number, count: number, round: number): readonly AppliedEvent[] => {
  const random = seededRandom(round);
  return Array.from({ length: count }, () => {
    const account = random.int(accounts);
    const at = FIRST_MS + (round + 1) * 86_400_000 + random.int(80_000_000);
    const followers = followersOf(account) + round;
    if (random.next() >= 0.1) return event(account, 'AccountUnchanged', at, { moved: { followers } });
    const links = [...linksOf(account, round + 1), ...(random.next() < 0.1 ? [urlOf(0)] : [])];
    return event(account, 'AccountSighted', at, {
      status: 'active',
      profile: profileOf(account, links, followers),
    });
  });
};

/** Readings by which so many accounts link to one, as the fans of a star do. */
export const fans = (count: number): readonly AppliedEvent[] =>
  Array.from({ length: count }, (_, n) => {
    const account = OF_ONE * (n + 1) + 1;
    const at = FIRST_MS + 43_200_000;
    return event(account, 'AccountSighted', at, {
      status: 'active',
      profile: profileOf(account, [...linksOf(account, 0), urlOf(0)], followersOf(account)),
    });
  });

const CLIQUE_LINKS = 20;

/** Accounts with one name that link each other, each to as many others as a profile may, around a ring and at random. */
export const clique = (from: number, count: number): readonly AppliedEvent[] => {
  const random = seededRandom(1);
  const member = (n: number) => from + OF_ONE * (n % count) + (n % 2);
  return Array.from({ length: count }, (_, n) => {
    const account = member(n);
    const linked = Array.from({ length: CLIQUE_LINKS }, (_, k) =>
      member(k < 10 ? n + k + 1 : random.int(count)),
    );
    const back = Array.from({ length: 5 }, (_, k) => member(n + count - k - 1));
    const profile = profileOf(account, [...linked.slice(0, 15), ...back].map(urlOf), 50);
    return event(account, 'AccountSighted', FIRST_MS, {
      status: 'active',
      profile: { ...profile, display_name: 'Hostile Clique' },
    });
  });
};
