import {
  accountKey,
  type Candidate,
  candidateOf,
  identityFacts,
  isPage,
  type Links,
  type Target,
} from '../../../src/write/people/account.ts';
import { SITES } from '../../simulator/platforms/registry.ts';
import { PLATFORMS } from '../../simulator/simulated-platforms.ts';
import type { Account } from '../../simulator/world/account.ts';
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
  /** Accounts that name the target of a link. */
  linkedFrom(key: string): readonly string[];
  sharersOf(page: Target): readonly string[];
  /** Accounts that show a link. */
  linkingTo(target: Target): readonly string[];
  readonly world: World;
}

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

/** Residents of a world, and who took their names over, as a crawler that has read them all knows them. */
export const populationOf = (parameters: Parameters, seed: number, size: number): Population => {
  const world = createWorld({ seed, size, parameters, clock: { now: () => AT } });
  const accounts: Labelled[] = [];
  let stranger = -1;
  const add = (account: Account, person: number | null, about: Pick<Labelled, 'kind' | 'ref' | 'copied'>) => {
    const shown = shownBy(account);
    if (shown) accounts.push({ ...shown, ...about, person: person ?? stranger-- });
  };
  for (const platform of PLATFORMS) {
    for (let index = 0; index < world.count(platform); index++) {
      const isCompany = index >= size;
      const traits = world.hidden.traits(platform, index);
      const kind = isCompany ? 'company' : (traits.role ?? (traits.member ? 'person' : 'stranger'));
      const ref = { platform, index };
      const copied = kind === 'impersonator' ? world.hidden.subject(platform, index) : null;
      const person = !isCompany && traits.member ? index : null;
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
  return { ...connected(accounts), accounts, world };
};

const connected = (accounts: readonly Labelled[]) => {
  const byKey = new Map(accounts.map((one) => [one.candidate.key, one]));
  const named = new Map<Target, string>();
  const [sharers, linking] = [new Map<Target, string[]>(), new Map<Target, string[]>()];
  for (const { candidate } of accounts) {
    const { key, platform, handle, targets } = candidate;
    if (handle !== null) named.set(accountKey(platform, handle, null), key);
    named.set(key, key);
    for (const target of targets) {
      linking.set(target, [...(linking.get(target) ?? []), key]);
      if (isPage(target)) sharers.set(target, [...(sharers.get(target) ?? []), key]);
    }
  }
  const bearers = new Map<string, number>();
  for (const { candidate } of accounts) {
    const key = candidate.nameKey;
    if (key !== null) bearers.set(key, (bearers.get(key) ?? 0) + 1);
  }
  const out = new Map<string, Set<string>>();
  const into = new Map<string, string[]>();
  for (const { candidate } of accounts) {
    const found = new Set(candidate.targets.flatMap((target) => named.get(target) ?? []));
    out.set(candidate.key, found);
    for (const key of found) into.set(key, [...(into.get(key) ?? []), candidate.key]);
  }
  const none: ReadonlySet<string> = new Set();
  return {
    byKey,
    links: {
      out: (key: string) => out.get(key) ?? none,
      sharers: (page: Target) => sharers.get(page)?.length ?? 0,
      bearers: (key: string) => bearers.get(key) ?? 0,
    },
    linkedFrom: (key: string): readonly string[] => into.get(key) ?? [],
    sharersOf: (page: Target): readonly string[] => sharers.get(page) ?? [],
    linkingTo: (target: Target): readonly string[] => linking.get(target) ?? [],
  };
};
