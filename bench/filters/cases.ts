import type { EntryFilters, EntrySort } from '../../src/read/directory/list.ts';
import { EVERYBODY, NOBODY } from './fill.ts';

export const SORTS: readonly EntrySort[] = ['followers', 'recent', 'handle', 'growth_30d', 'growth_7d'];

/** A filter with a value that many entries have, some, few or none. */
interface Choice {
  readonly name: string;
  readonly filters: EntryFilters;
}

/** Searches, from a word that everybody has to one that nobody has. */
export const SEARCHES = [
  { name: 'q=everybody', q: EVERYBODY },
  { name: 'q=first name', q: 'lave' },
  { name: 'q=last name', q: 'gorlimi' },
  { name: 'q=two words', q: 'lavemi bel' },
  { name: 'q=letter', q: 'l' },
  { name: 'q=nobody', q: NOBODY },
] as const;

/** Values of each filter, from common to rare. */
const CHOICES: Readonly<Record<string, readonly Choice[]>> = {
  q: SEARCHES.map(({ name, q }) => ({ name, filters: { q } })),
  platform: [{ name: 'platform', filters: { platform: 'x' } }],
  verified: [
    { name: 'verified=false', filters: { verified: false } },
    { name: 'verified=true', filters: { verified: true } },
  ],
  status: [
    { name: 'active', filters: { status: 'active' } },
    { name: 'private', filters: { status: 'private' } },
    { name: 'suspended', filters: { status: 'suspended' } },
  ],
  followers: [
    { name: 'followers≥100', filters: { min_followers: 100 } },
    { name: 'followers≥40m', filters: { min_followers: 40_000_000 } },
    { name: 'followers≥49.9m', filters: { min_followers: 49_900_000 } },
    { name: 'followers≤0', filters: { max_followers: 0 } },
    { name: 'followers≥60m', filters: { min_followers: 60_000_000 } },
  ],
  created: [
    { name: 'created≥2012', filters: { created_since: '2012-01-01T00:00:00Z' } },
    { name: 'created≥October', filters: { created_since: '2026-10-10T00:00:00Z' } },
    { name: 'created≥last day', filters: { created_since: '2026-10-27T00:00:00Z' } },
  ],
  seen: [
    { name: 'seen≥month', filters: { seen_since: '2026-10-25T00:00:00Z' } },
    { name: 'seen≥minute', filters: { seen_since: '2026-11-20T23:59:30Z' } },
  ],
};

export interface Case extends Choice {
  readonly sort: EntrySort;
}

const together = (a: Choice, b: Choice): Choice => ({
  name: `${a.name} ${b.name}`,
  filters: { ...a.filters, ...b.filters },
});

/** Every sort with every filter, alone and in pairs. */
export const cases = (): readonly Case[] => {
  const kinds = Object.values(CHOICES);
  const alone = kinds.flat();
  const pairs = kinds.flatMap((some, i) =>
    kinds
      .slice(i + 1)
      .flat()
      .flatMap((b) => some.map((a) => together(a, b))),
  );
  return SORTS.flatMap((sort) =>
    [{ name: 'none', filters: {} }, ...alone, ...pairs].map((choice) => ({ ...choice, sort })),
  );
};
