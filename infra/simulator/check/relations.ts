import { PLATFORMS } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import { nameOf } from './accounts.ts';
import { distinct, everyOf, type Law, shareOf } from './law.ts';
import type { AccountRow, TruthReader } from './reader.ts';

/** Lists of followers, of some accounts. */
export const followLaws = (reader: TruthReader, rows: readonly AccountRow[], each: number): Law[] => {
  const lists = (['x', 'bluesky'] as const).flatMap((platform) =>
    rows
      .filter((row) => row.platform === platform && row.status === 'active')
      .filter(({ followers }) => followers > 0 && followers < 3_000)
      .slice(0, each)
      .flatMap((account) =>
        (['followers', 'following'] as const).map((list) => ({
          account,
          list,
          members: reader.read(list as 'followers', [platform, account.index]),
        })),
      ),
  );
  const members = lists.flatMap((one) => one.members.map((member) => ({ ...one, member })));
  const followed = new Map(
    (['x', 'bluesky'] as const).map((platform) => [
      platform as string,
      new Map(reader.read('follows', [platform]).map((row) => [row.index, row.follows])),
    ]),
  );
  return [
    everyOf(
      'a list has as many members as its account says',
      lists,
      ({ account, list, members }) => members.length === account[list],
    ),
    distinct(
      'a member is listed once',
      members.map(({ account, list, member }) => `${list} of ${nameOf(account)}: ${member.id}`),
    ),
    everyOf(
      'members are older than their list',
      members,
      ({ member }) => Date.parse(member.created_at) <= reader.at,
    ),
    everyOf(
      'bought followers are suspicious',
      members.filter(({ member }) => member.campaign !== null),
      ({ member }) => member.kind === 'suspicious',
    ),
    everyOf(
      'a resident who is listed follows',
      members.filter(({ list, member }) => list === 'followers' && member.resident),
      ({ account, member }) =>
        followed.get(account.platform)?.get(member.index)?.includes(account.index) ?? false,
    ),
  ];
};

/** No account was created later, but newcomers and young ones that pose as others. */
const LAST_JOIN = '2025-01-01';

/** Accounts of one person, and those about another. */
export const personLaws = (reader: TruthReader, rows: readonly AccountRow[]): Law[] => {
  const byName = new Map(rows.map((row) => [nameOf(row), row]));
  const people = reader.read('people', []);
  const accounts = people.flatMap((person) => person.accounts.map((account) => ({ person, account })));
  const persons = rows.filter(({ kind }) => kind !== 'company');
  const { share, adaptive, oldPosers, tied } = reader.parameters.adversaries;
  const posers = persons.filter(({ role }) => role === 'impersonator' || role === 'adaptive');
  const byPerson = new Map(people.map((one) => [one.person, one]));
  return [
    everyOf(
      'a person has an account or a stranger on each platform',
      people,
      ({ accounts: own, strangers }) => own.length + strangers.length === PLATFORMS.length,
    ),
    everyOf('accounts of a person are so listed', accounts, ({ person, account }) => {
      const row = byName.get(nameOf(account));
      return row?.person === person.person && row.id === account.id && row.handle === account.handle;
    }),
    everyOf(
      'strangers of a number are nobody’s',
      people.flatMap(({ strangers }) => strangers),
      (stranger) => byName.get(nameOf(stranger))?.person === null,
    ),
    everyOf('links of a person lead to its accounts', accounts, ({ person, account }) =>
      account.links_to.every((platform) => person.accounts.some((other) => other.platform === platform)),
    ),
    everyOf(
      'an account is about one that exists',
      rows.filter(({ subject }) => subject !== null),
      ({ subject }) => subject !== null && byName.get(nameOf(subject))?.handle === subject.handle,
    ),
    // Clients of one agency are drawn at once.
    shareOf('misleading accounts', persons, ({ role }) => role !== null, share + adaptive, rows.length / 10),
    // All accounts around a victim are drawn at once.
    shareOf(
      'adversaries who know methods',
      persons,
      ({ role }) => role === 'adaptive',
      adaptive,
      people.length / 4,
    ),
    shareOf(
      'those who pose with an old account',
      posers,
      ({ created_at }) => created_at < LAST_JOIN,
      oldPosers,
    ),
    // Both of a pair are drawn at once.
    shareOf('tied persons', people, ({ tied_to }) => tied_to !== null, tied, people.length / 2),
    everyOf(
      'who is tied is tied back',
      people.filter(({ tied_to }) => tied_to !== null),
      ({ person, tied_to }) => {
        const other = byPerson.get(tied_to?.index ?? -1);
        return other === undefined || (other.tied_to?.index === person && other.tied_to.tie === tied_to?.tie);
      },
    ),
  ];
};

/** Communities, purges and the market. */
export const marketLaws = (reader: TruthReader): Law[] => {
  // Long after the last offer every listing is known and has ended.
  const at = reader.at + 3_000 * DAY;
  const { market, communities: law } = reader.parameters;
  const listings = reader.read('listings', [], { at });
  const placements = reader.read('placements', [], { at });
  const communities = reader.read('communities', []);
  const byNumber = new Map(listings.map((listing) => [listing.number, listing]));
  const again = new Set(listings.map(({ relisted_from }) => relisted_from));
  return [
    everyOf(
      'communities have all persons',
      [communities],
      (all) => all.reduce((sum, { size }) => sum + size, 0) === reader.size,
    ),
    shareOf('dead communities', communities, ({ state }) => state === 'dead', law.dead),
    everyOf('a purge takes a part', reader.read('purges', []), ({ loss }) => loss > 0 && loss < 0.5),
    everyOf(
      'a listing is sold after it is offered, for at most its price',
      listings.filter(({ sold_at }) => sold_at !== null),
      (one) =>
        (one.sold_at ?? '') > one.listed_at &&
        (one.sold_micro_usd ?? 0) <= (one.prices.at(-1)?.price_micro_usd ?? 0),
    ),
    everyOf(
      'an account that is offered again was offered',
      listings.filter(({ relisted_from }) => relisted_from !== null),
      (one) => {
        const before = byNumber.get(one.relisted_from ?? -1);
        return before !== undefined && nameOf(before) === nameOf(one) && before.listed_at < one.listed_at;
      },
    ),
    everyOf(
      'a placement costs its price by view',
      placements,
      (one) =>
        Math.abs(one.cpm_usd * 1_000 * one.views - one.price_micro_usd) <= 1 + one.price_micro_usd * 1e-6,
    ),
    shareOf('listings that are never sold', listings, ({ sells }) => !sells, market.unsold),
    shareOf(
      'listings that are offered again',
      listings.filter(({ relisted_from }) => relisted_from === null),
      ({ number }) => again.has(number),
      market.relisted,
    ),
  ];
};
