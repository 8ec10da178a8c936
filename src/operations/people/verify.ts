import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { Neighborhood } from '../../projections/views/people/neighborhood.ts';
import { LAST_TENURE } from '../../projections/views/people/tables.ts';
import { componentsAround, type Graph } from '../../write/people/components.ts';
import { peopleSchema } from './explain.ts';

/** Compares the persons of the active build with the owners that the simulator knows. */
export const verifyPeople = async (
  { db }: { readonly db: Db },
  truth: AsyncIterable<TrueOwner>,
): Promise<PeopleFigures> => {
  const schema = await peopleSchema(db);
  const found = await ownedAccounts(db, schema, truth);
  return figuresOf(found, await partsOf(db, schema, found));
};

/** A share with its 95 % interval; no interval if there is only one unit. */
export interface Share {
  readonly value: number;
  readonly from: number | null;
  readonly to: number | null;
}

/** How often misleading accounts are attributed to a person they don't belong to. */
interface KindFigures {
  readonly kind: string;
  readonly accounts: number;
  /** Pairs of an account of the kind and one of another owner. */
  readonly false_pairs: number;
}

/** A bin of a reliability diagram: the mean stated confidence, and the share that was right. */
interface ReliabilityBin {
  readonly stated: number;
  readonly right: number;
  readonly accounts: number;
}

/** Figures are null if their denominator is 0. */
export interface PeopleFigures {
  /** Accounts of the catalog that the truth knows. */
  readonly accounts: number;
  readonly precision: Share | null;
  /** Recall of the pairs of one owner that evidence of both sides joins. */
  readonly recall: Share | null;
  readonly recall_of_all_pairs: Share | null;
  readonly b3_precision: Share | null;
  readonly b3_recall: Share | null;
  /** Share of the persons with several accounts whose accounts are exactly those of one owner. */
  readonly exact: Share | null;
  readonly calibration_error: number | null;
  readonly reliability: readonly ReliabilityBin[];
  readonly kinds: readonly KindFigures[];
}

/** An account of the catalog with its person and its true owner. */
export interface OwnedAccount {
  readonly account: string;
  readonly person: string;
  readonly logOdds: number | null;
  readonly owner: string;
  readonly kind: string;
}

/**
 * A ratio of sums over units, with the variance of a ratio of cluster samples (Cochran, *Sampling Techniques*, 1977,
 * 6.4).
 */
export const shareOf = (units: readonly Unit[]): Share | null => {
  const of = units.reduce((sum, unit) => sum + unit[1], 0);
  if (of === 0) return null;
  const value = units.reduce((sum, unit) => sum + unit[0], 0) / of;
  const n = units.length;
  if (n < 2) return { value, from: null, to: null };
  const squares = units.reduce((sum, [part, whole]) => sum + (part - value * whole) ** 2, 0);
  const slack = (Z95 * Math.sqrt((n / (n - 1)) * squares)) / of;
  return { value, from: Math.max(0, value - slack), to: Math.min(1, value + slack) };
};

/** @param partOf the part of its owner's accounts that a path of links joins with an account. */
export const figuresOf = (
  found: readonly OwnedAccount[],
  partOf: (account: string) => string,
): PeopleFigures => {
  const groups = Map.groupBy(found, personOf);
  const parts = Map.groupBy(found, ({ account }) => partOf(account));
  const owners = Map.groupBy(found, ownerOf);
  const groupOf = (one: OwnedAccount) => groups.get(one.person) as Group;
  const share = (all: Iterable<Group>, unit: (group: Group) => Unit) => shareOf([...all].map(unit));
  const inGroup = (part: Group, one: OwnedAccount): number =>
    part.filter(({ person }) => person === one.person).length;
  const joined = [...parts.values()].filter(({ length }) => length > 1);
  const reliability = reliabilityOf(groups.values());
  const wrong = falsePairs(groups.values());
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, { length: accounts }]) => {
    return { kind, accounts, false_pairs: wrong.get(kind) ?? 0 };
  });
  return {
    accounts: found.length,
    precision: share(groups.values(), (group) => [pairsWithin(group, ownerOf), pairs(group.length)]),
    recall: share(parts.values(), (part) => [pairsWithin(part, personOf), pairs(part.length)]),
    recall_of_all_pairs: share(owners.values(), (own) => [pairsWithin(own, personOf), pairs(own.length)]),
    b3_precision: share(groups.values(), (group) => [
      group.reduce(
        (sum, one) => sum + group.filter(({ owner }) => owner === one.owner).length / group.length,
        0,
      ),
      group.length,
    ]),
    b3_recall: share(parts.values(), (part) => [
      part.reduce((sum, one) => sum + inGroup(part, one) / part.length, 0),
      part.length,
    ]),
    exact: share(joined, (part) => {
      const [first] = part as [OwnedAccount];
      return [inGroup(part, first) === part.length && groupOf(first).length === part.length ? 1 : 0, 1];
    }),
    calibration_error: calibrationError(reliability),
    reliability,
    kinds: kinds.toSorted((a, b) => b.false_pairs - a.false_pairs || (a.kind < b.kind ? -1 : 1)),
  };
};

/** The owner of an account: the number of a person, or null if the owner has no other account; and the kind of account. */
export interface TrueOwner {
  readonly platform: Platform;
  readonly id: string;
  readonly handle: string;
  readonly person: number | null;
  readonly role: string | null;
}

/** The hash of a simulator's world, and its owners of all accounts, by `/truth`. */
export async function* trueOwners(simulator: string): AsyncGenerator<TrueOwner> {
  for (const platform of PLATFORMS) {
    let from: number | null = 0;
    while (from !== null) {
      const url = new URL(`/truth/accounts/${platform}?from=${from}&limit=${PAGE}`, simulator);
      const response = await read(url);
      for (const line of (await response.text()).split('\n'))
        if (line !== '') yield { platform, ...rowSchema.parse(JSON.parse(line)) };
      const next: string = response.headers.get('x-next') ?? '';
      from = next === '' ? null : Number(next);
    }
  }
}

export const worldHash = async (simulator: string): Promise<string> => {
  const body: unknown = await (await read(new URL('/truth/world', simulator))).json();
  return z.object({ world: z.string() }).parse(body).world;
};

/** Accounts of the build that the truth knows, with their true owners. */
const ownedAccounts = async (
  db: Db,
  schema: string,
  truth: AsyncIterable<TrueOwner>,
): Promise<readonly OwnedAccount[]> => {
  const { rows } = await db.query<{
    account: string;
    platform: string;
    name: string;
    person: string;
    log_odds: number | null;
  }>(sql`
    select distinct on (a.account) a.account, a.platform, a.name, o.person, (m->>'log_odds')::float8 as log_odds
    from ${ident(schema)}.accounts a join ${ident(schema)}.members o using (account)
    join ${ident(schema)}.people p on p.person = o.person
    cross join lateral jsonb_array_elements(p.members) m
    where m->>'account' = a.account order by a.account, ${raw(LAST_TENURE)}`);
  const byKey = new Map(rows.map((row) => [row.account, row]));
  const byName = new Map(rows.map((row) => [`${row.platform}:${row.name}`, row]));
  const found: OwnedAccount[] = [];
  for await (const { platform, id, handle, person, role } of truth) {
    const row =
      byKey.get(`${platform}:id:${id}`) ??
      byKey.get(`${platform}:${handle}`) ??
      byName.get(`${platform}:${handle}`);
    if (row === undefined) continue;
    const { account, person: group, log_odds: logOdds } = row;
    found.push({
      account,
      person: group,
      logOdds,
      owner: person === null ? account : `person ${person}`,
      kind: role ?? (person === null ? 'stranger' : 'person'),
    });
  }
  return found;
};

/** Accounts of one owner that evidence of both sides joins, as `account -> part`. */
const partsOf = async (
  db: Db,
  schema: string,
  found: readonly OwnedAccount[],
): Promise<(account: string) => string> => {
  const owner = new Map(found.map((one) => [one.account, one.owner]));
  const graph = new Neighborhood(db, schema);
  const own: Graph = {
    load: (keys) => graph.load(keys),
    candidate: (key) => graph.candidate(key),
    crowding: () => 0,
    out: (key) => new Map([...graph.out(key)].filter(([to]) => owner.get(to) === owner.get(key))),
  };
  const parts = new Map<string, string>();
  for (const { accounts } of await componentsAround(own, new Set(owner.keys())))
    for (const account of accounts) parts.set(account, accounts[0] as string);
  return (account) => parts.get(account) as string;
};

type Group = readonly OwnedAccount[];

const pairs = (n: number): number => (n * (n - 1)) / 2;

/** A person's contribution to a ratio. The errors of a person are correlated, so intervals resample persons. */
type Unit = readonly [part: number, of: number];

/** Two-sided 95 % quantile of the normal distribution. */
const Z95 = 1.96;

const BINS = 20;

/**
 * Accounts of groups in bins of equal width by stated confidence. An account is right if it belongs to its group's
 * majority person.
 */
const reliabilityOf = (groups: Iterable<Group>): readonly ReliabilityBin[] => {
  const bins = new Map<number, { accounts: number; stated: number; right: number }>();
  for (const group of groups)
    for (const one of group) {
      if (one.logOdds === null || group.length < 2) continue;
      const others = Map.groupBy(
        group.filter((other) => other !== one),
        ({ owner }) => owner,
      );
      const most = Math.max(...[...others.values()].map(({ length }) => length));
      const stated = 1 / (1 + Math.exp(-one.logOdds));
      const bin = Math.min(BINS - 1, Math.floor(stated * BINS));
      const sums = bins.get(bin) ?? { accounts: 0, stated: 0, right: 0 };
      bins.set(bin, {
        accounts: sums.accounts + 1,
        stated: sums.stated + stated,
        right: sums.right + (others.get(one.owner)?.length === most ? 1 : 0),
      });
    }
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([, { accounts, stated, right }]) => ({
      accounts,
      stated: stated / accounts,
      right: right / accounts,
    }));
};

/** Expected calibration error (Naeini et al. 2015). */
const calibrationError = (bins: readonly ReliabilityBin[]): number | null => {
  const total = bins.reduce((sum, { accounts }) => sum + accounts, 0);
  if (total === 0) return null;
  return (
    bins.reduce((sum, { accounts, stated, right }) => sum + accounts * Math.abs(stated - right), 0) / total
  );
};

/** Pairs of one person but of several owners, by the kinds of their accounts. */
const falsePairs = (groups: Iterable<Group>): ReadonlyMap<string, number> => {
  const wrong = new Map<string, number>();
  for (const group of groups)
    for (const [n, one] of group.entries())
      for (const other of group.slice(n + 1))
        if (one.owner !== other.owner)
          for (const kind of new Set([one.kind, other.kind])) wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
  return wrong;
};

/** Pairs of accounts that are alike in a respect. */
const pairsWithin = (group: Group, of: (one: OwnedAccount) => string): number =>
  [...Map.groupBy(group, of).values()].reduce((sum, { length }) => sum + pairs(length), 0);

const personOf = ({ person }: OwnedAccount): string => person;
const ownerOf = ({ owner }: OwnedAccount): string => owner;

const PAGE = 5_000;

const rowSchema = z.object({
  id: z.string(),
  handle: z.string(),
  person: z.number().nullable(),
  role: z.string().nullable(),
});

const read = async (url: URL): Promise<Response> => {
  const response = await fetch(url).catch((error: unknown) => {
    throw new OperatorError(
      'argument_invalid',
      `${url.origin} does not answer: is the simulator running there?`,
      {
        cause: error,
      },
    );
  });
  if (!response.ok) throw new OperatorError('argument_invalid', `${url.href} answered ${response.status}`);
  return response;
};
