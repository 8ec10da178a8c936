import {
  accountKey,
  type Candidate,
  candidateOf,
  identityFacts,
  isId,
  type Links,
  linkPageIn,
  nameMeant,
  type Pointer,
  type Target,
  targetsListed,
} from '../../../src/write/people/account.ts';
import { SITES } from '../../simulator/platforms/registry.ts';
import { PLATFORMS } from '../../simulator/simulated-platforms.ts';
import { listedOn } from '../../simulator/sites/link-pages.ts';
import type { Account } from '../../simulator/world/account.ts';
import { unit } from '../../simulator/world/hash.ts';
import type { Parameters } from '../../simulator/world/parameters.ts';
import type { AccountRef } from '../../simulator/world/people.ts';
import { takerNumber } from '../../simulator/world/takers.ts';
import { createWorld, type World } from '../../simulator/world/world.ts';

/** Of whom an account is, and what it is there for. */
export interface Labelled {
  readonly candidate: Candidate;
  /** Handles that it had before. */
  readonly former: readonly string[];
  /** The account; null of one that took a name over. */
  readonly ref: AccountRef | null;
  /** The account that it copies, if it shows itself as another one. */
  readonly copied: AccountRef | null;
  /** Number of the person; accounts of no other account have negative ones of their own. */
  readonly person: number;
  readonly kind: string;
}

export interface Population {
  readonly accounts: readonly Labelled[];
  readonly byKey: ReadonlyMap<string, Labelled>;
  readonly links: Links;
  /** Accounts that show a link. */
  linkingTo(target: Target): readonly string[];
  readonly world: World;
}

/** Who has a handle that its victim had before anybody read it, and to which the victim's accounts still link. */
export const OLDER_TAKER = 'older_taker';

/** Numbers of owners of rings are below this, apart from those of other strangers. */
const RING = 1e9;

export const AT = Date.UTC(2026, 9, 1);

/** What a crawler has of an account: the first of its surfaces that shows one. */
export const profileOf = (account: Account) =>
  SITES[account.platform]
    .visible(account)
    .find(({ profile }) => profile !== null && profile.display_name !== null)?.profile ?? null;

const shownBy = (account: Account): Pick<Labelled, 'candidate' | 'former'> | null => {
  const shown = profileOf(account);
  if (!shown) return null;
  const { platform } = account;
  const key = accountKey(platform, shown.handle, shown.id);
  const candidate = candidateOf({ key, platform, handle: shown.handle }, identityFacts(platform, shown));
  return { candidate, former: account.previousHandles };
};

/** Which accounts of a world were read: all of them, half, or those with a thousand followers. */
export const READ = {
  all: () => true,
  half: ({ key }: Account) => unit(key, 999) < 0.5,
  large: ({ followers }: Account) => followers >= 1_000,
} as const;
export type Read = keyof typeof READ;

/** Residents of a world, and who took their names over, as a crawler knows them that has read them, each for the first time. */
export const populationOf = (
  parameters: Parameters,
  seed: number,
  size: number,
  read: Read = 'all',
): Population => {
  const world = createWorld({ seed, size, parameters, clock: { now: () => AT } });
  const accounts: Labelled[] = [];
  let stranger = -1;
  const add = (account: Account, person: number | null, about: Pick<Labelled, 'kind' | 'ref' | 'copied'>) => {
    const shown = READ[read](account) ? shownBy(account) : null;
    if (shown) accounts.push({ ...shown, ...about, person: person ?? stranger-- });
  };
  for (const platform of PLATFORMS) {
    for (let index = 0; index < world.count(platform); index++) {
      const isCompany = index >= size;
      const traits = world.hidden.traits(platform, index);
      const tactic = traits.role === 'adaptive' ? world.hidden.people.tacticOf(platform, index) : null;
      const isOlder = tactic === 'former';
      const role = isOlder ? OLDER_TAKER : traits.role;
      const kind = isCompany ? 'company' : (role ?? (traits.member ? 'person' : 'stranger'));
      const ref = { platform, index };
      const copied =
        kind === 'impersonator' || tactic === 'copy' || tactic === 'ring'
          ? world.hidden.subject(platform, index)
          : null;
      // A ring around a victim is one adversary's.
      const person = !isCompany && traits.member ? index : tactic === 'ring' ? -RING - index : null;
      add(world.account(platform, index, AT), person, { kind, ref, copied });
      if (!isCompany)
        for (const { generation, takenAt, impersonates } of world.hidden.naming.takeovers(
          platform,
          index,
          Infinity,
        )) {
          if (takenAt > AT) continue;
          const taker = world.account(platform, world.count(platform) + takerNumber(index, generation), AT);
          if (world.current(platform, taker.handle, AT)?.id === taker.id)
            add(taker, null, { kind: 'taker', ref: null, copied: impersonates ? ref : null });
        }
    }
  }
  return { ...connected(accounts, world), accounts, world };
};

const connected = (accounts: readonly Labelled[], world: World) => {
  const byKey = new Map(accounts.map((one) => [one.candidate.key, one]));
  const named = new Map<Target, string>();
  const linking = new Map<Target, string[]>();
  for (const { candidate } of accounts) {
    const { key, platform, handle, targets } = candidate;
    if (handle !== null) named.set(accountKey(platform, handle, null), key);
    named.set(key, key);
    for (const target of targets) linking.set(target, [...(linking.get(target) ?? []), key]);
  }
  const meant = (target: Target): string | undefined =>
    named.get(isId(target) ? target : (nameMeant(target) ?? ''));
  const pages = new Map<Target, readonly string[]>();
  /** Keys of those that a page lists. */
  const listed = (target: Target): readonly string[] => {
    const known = pages.get(target);
    if (known !== undefined) return known;
    const page = linkPageIn(target);
    const links = page === null ? null : listedOn(world, page.slice(page.indexOf('/') + 1), AT);
    const keys = targetsListed(links ?? []).flatMap((each) => meant(each) ?? []);
    pages.set(target, keys);
    return keys;
  };
  const out = new Map<string, ReadonlyMap<string, Pointer>>();
  for (const { candidate } of accounts) {
    const { key, targets } = candidate;
    const found = new Map<string, Pointer>();
    for (const target of targets) {
      const keys = listed(target);
      if (keys.includes(key)) for (const other of keys) if (!found.has(other)) found.set(other, 'page');
      const to = meant(target);
      // All are read for the first time: a handle may have been another account's when the link was made.
      if (to !== undefined) found.set(to, isId(target) ? 'dated' : 'undated');
    }
    found.delete(key);
    out.set(key, found);
  }
  const none: ReadonlyMap<string, Pointer> = new Map();
  return {
    byKey,
    links: { out: (key: string) => out.get(key) ?? none },
    linkingTo: (target: Target): readonly string[] => linking.get(target) ?? [],
  };
};
