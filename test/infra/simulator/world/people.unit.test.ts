import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../../../infra/simulator/world/account.ts';
import { addressOf } from '../../../../infra/simulator/world/links.ts';
import type { AccountRef, Role } from '../../../../infra/simulator/world/people.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);
const world = createWorld({ seed: 7, size: 2000, clock: { now: () => NOW } });
const { hidden } = world;
const accountOf = (ref: AccountRef | null): Account => {
  if (!ref) throw new Error('the role has no subject');
  return world.account(ref.platform, ref.index, NOW);
};
const withRole = (role: Role): { account: Account; subject: Account }[] =>
  PLATFORMS.flatMap((platform) =>
    Array.from({ length: 2000 }, (_, index) => ({ platform, index }))
      .filter((ref) => hidden.traits(ref.platform, ref.index).role === role)
      .filter((ref) => hidden.subject(ref.platform, ref.index) !== null)
      .map((ref) => ({
        account: accountOf(ref),
        subject: accountOf(hidden.subject(ref.platform, ref.index)),
      })),
  );
const letters = (name: string) => name.replace(/[^\p{L} ]/gu, '').trim();

describe('misleading accounts', () => {
  it('impersonate a person of another platform: mostly with its name, picture and bio, always with its links', () => {
    const found = withRole('impersonator');
    expect(found.length).toBeGreaterThan(100);
    const { pictures, bios, names } = world.parameters.evidence;
    const share = (copies: (one: (typeof found)[number]) => boolean) =>
      found.filter(copies).length / found.length;
    const error = 3 * Math.sqrt(0.25 / found.length);
    const name = share(
      ({ account, subject }) => letters(account.displayName) === letters(subject.displayName),
    );
    expect(Math.abs(name - names.impersonator)).toBeLessThan(error);
    const picture = share(({ account, subject }) => account.avatar === subject.avatar);
    expect(Math.abs(picture - pictures.impersonator)).toBeLessThan(error);
    const crop = share(
      ({ account, subject }) =>
        account.avatar !== subject.avatar && account.avatar.slice(0, 8) === subject.avatar.slice(0, 8),
    );
    expect(Math.abs(crop - pictures.impersonatorSimilar)).toBeLessThan(error);
    const bio = share(({ account, subject }) => account.bio.split('\n')[0] === subject.bio.split('\n')[0]);
    expect(Math.abs(bio - bios.impersonator)).toBeLessThan(error);
    for (const { account, subject } of found) {
      expect(account.links).toEqual(subject.links);
      expect(account.id).not.toBe(subject.id);
      expect(hidden.people.isMember(account.platform, account.index)).toBe(false);
      expect(subject.links).not.toContain(addressOf(account.platform, account.handle));
    }
  });
  it('include fans, who link to a larger account that does not link back', () => {
    const found = withRole('fan').filter(({ subject }) => subject.status !== 'absent');
    expect(found.length).toBeGreaterThan(300);
    for (const { account, subject } of found) {
      expect(account.links).toContain(addressOf(subject.platform, subject.handle));
      expect(subject.links).not.toContain(addressOf(account.platform, account.handle));
    }
    const sizes = (of: 'account' | 'subject') =>
      found.map((one) => one[of].followers).sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0;
    expect(sizes('subject')).toBeGreaterThan(4 * sizes('account'));
  });
  it('include owners of a handle that a person has elsewhere', () => {
    const found = withRole('taken_name');
    expect(found.length).toBeGreaterThan(100);
    const same = found.filter(({ account }) => {
      const [plain] = account.handle.split('.bsky.social');
      return hidden.people
        .membershipsOf(account.index)
        .some((platform) => world.handleOf(platform, account.index, NOW).split('.bsky.social')[0] === plain);
    });
    expect(same.length / found.length).toBeGreaterThan(0.8);
  });
  it('include twins, mostly with one bio', () => {
    const found = withRole('twin');
    expect(found.length).toBeGreaterThan(50);
    const equal = found.filter(
      ({ account, subject }) => account.bio.split('\n')[0] === subject.bio.split('\n')[0],
    );
    expect(equal.length / found.length).toBeGreaterThan(world.parameters.evidence.bios.twin - 0.15);
    expect(equal.length).toBeLessThan(found.length);
    for (const { account, subject } of found) {
      expect(account.index ^ 1).toBe(subject.index);
    }
  });
  it('include staff, who name their employer and link to it', () => {
    for (const { account, subject } of withRole('staff').slice(0, 50)) {
      expect(subject.kind).toBe('company');
      expect(account.bio.toLowerCase()).toContain(subject.displayName.toLowerCase());
      expect(account.links).toContain(subject.links[0]);
    }
  });
});

describe('a person', () => {
  it('links only to its own accounts and page, and to whom it has a tie with, unless a role says otherwise', () => {
    for (let index = 0; index < 300; index++)
      for (const platform of hidden.people.membershipsOf(index)) {
        if (hidden.traits(platform, index).role !== null) continue;
        const own = new Set([
          hidden.personPage(index),
          ...hidden.people
            .membershipsOf(index)
            .map((other) => addressOf(other, world.handleOf(other, index, NOW))),
        ]);
        const tie = hidden.people.tieOf(index);
        const on = tie && hidden.people.tiedOn(tie.index);
        if (tie && on) own.add(addressOf(on, world.handleOf(on, tie.index, NOW)));
        for (const link of world.account(platform, index, NOW).links) expect(own).toContain(link);
      }
  });
});
