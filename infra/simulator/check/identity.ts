import { type Measurement, near, nearShare } from './measurement.ts';
import type { AccountRow, PersonRow, TruthReader } from './reader.ts';
import { shareError } from './statistics.ts';

/** What of a handle is alike on all platforms. */
const plain = (handle: string): string =>
  handle.replace(/\.(bsky\.social|dev|com|blog)$/, '').replace(/bot$/, '');
const letters = (handle: string): string => plain(handle).replace(/[^a-z]/g, '');
const pairsOf = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, n) => text.slice(n, n + 2)));

/** Share of letter pairs that two handles have in common (Dice). */
const likeness = (a: string, b: string): number => {
  const [one, two] = [pairsOf(letters(a)), pairsOf(letters(b))];
  let common = 0;
  for (const pair of one) if (two.has(pair)) common++;
  return (2 * common) / Math.max(1, one.size + two.size);
};

type PersonAccount = PersonRow['accounts'][number];
const pairs = (person: PersonRow): (readonly [PersonAccount, PersonAccount])[] =>
  person.accounts.flatMap((one, n) => person.accounts.slice(n + 1).map((other) => [one, other] as const));

/** Handles, names and links of people on several platforms; those who mislead about them. */
export const measureIdentity = (reader: TruthReader, accounts: readonly AccountRow[]): Measurement[] => {
  const { handles, links, names, adversaries, renames } = reader.parameters;
  const people = reader.read('people', []);
  const kinds = { identical: 0, similar: 0, unlike: 0 };
  const linked = { oneWay: 0, bothWays: 0, page: 0, none: 0 };
  let [differ, all] = [0, 0];
  for (const person of people)
    for (const [one, other] of pairs(person)) {
      all++;
      if (plain(one.handle) === plain(other.handle)) kinds.identical++;
      else if (likeness(one.handle, other.handle) > 0.5) kinds.similar++;
      else kinds.unlike++;
      if (one.name !== other.name) differ++;
      const ways =
        Number(one.links_to.includes(other.platform)) + Number(other.links_to.includes(one.platform));
      if (ways > 0) linked[ways === 2 ? 'bothWays' : 'oneWay']++;
      else linked[one.links_page && other.links_page ? 'page' : 'none']++;
    }
  // Pairs of one person are not independent: count people for the error.
  const share = (name: string, count: number, parameter: number, tolerance: number) =>
    near(name, count / all, parameter, { tolerance, error: shareError(parameter, people.length), n: all });

  // Fans and twins have names of others for reasons of their own.
  const copying = new Set(
    accounts
      .filter((row) => row.role === 'fan' || row.role === 'twin')
      .map((row) => `${row.platform} ${row.index}`),
  );
  const isCopy = ({ platform, index }: Pick<PersonAccount, 'platform' | 'index'>) =>
    copying.has(`${platform} ${index}`);
  let [taken, cases] = [0, 0];
  const owners = new Map<string, Set<number>>();
  for (const person of people) {
    for (const { handle, name, ...one } of person.accounts) {
      cases += 6;
      taken += person.strangers.filter((stranger) => plain(stranger.handle) === plain(handle)).length;
      if (isCopy(one)) continue;
      const known = owners.get(name) ?? new Set();
      known.add(person.person);
      owners.set(name, known);
    }
  }
  // The whole name; shortened ones are many people's.
  const whole = (name: string) => name.split(' ').length === 3 && !/[.,_]/.test(name);
  const named = people.filter((person) => person.accounts.some(({ name }) => whole(name)));
  const namesakes = named.filter((person) =>
    person.accounts.some((one) => whole(one.name) && !isCopy(one) && (owners.get(one.name)?.size ?? 0) > 1),
  ).length;
  const persons = accounts.filter((row) => row.kind !== 'company');
  const misleading = persons.filter((row) => row.role !== null).length;
  const clients = persons.filter((row) => row.role === 'client').length;
  return [
    share('pairs with identical handles', kinds.identical, handles.identical, 0.04),
    share('pairs with similar handles', kinds.similar, handles.similar, 0.04),
    share('pairs with unlike handles', kinds.unlike, handles.unlike, 0.04),
    share('pairs with names written differently', differ, names.differ, 0.03),
    share('pairs with a link one way', linked.oneWay, links.oneWay, 0.02),
    share('pairs with links both ways', linked.bothWays, links.bothWays, 0.02),
    share('pairs through a link page', linked.page, links.page, 0.02),
    share('pairs without a link', linked.none, links.none, 0.02),
    near('handles that another person has on another platform', taken / cases, names.sameHandle, {
      // Either of the two may have changed its handle since.
      tolerance: names.sameHandle * (0.2 + 2 * renames.once),
      error: shareError(names.sameHandle, cases / 6),
      n: cases,
    }),
    nearShare('people with the name of another', namesakes, named.length, names.sameName),
    near('accounts that mislead about identity', misleading / persons.length, adversaries.share, {
      // Clients come by agencies, which are few in a small world.
      tolerance: 0.02 + Math.abs(clients / persons.length - 0.039),
      error: shareError(adversaries.share, persons.length),
      n: persons.length,
    }),
  ];
};
