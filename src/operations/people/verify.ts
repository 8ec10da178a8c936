import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { people } from '../../projections/views/people/projection.ts';
import { LAST_TENURE } from '../../projections/views/people/tables.ts';
import { MAX_SHARERS } from '../../write/people/links.ts';
import type { TrueOwner } from './truth.ts';

/** How often accounts that mislead are of a person that they do not belong to. */
export interface KindFigures {
  readonly kind: string;
  readonly accounts: number;
  /** Pairs of an account of the kind and one of another owner. */
  readonly false_pairs: number;
}

export interface PeopleFigures {
  /** Accounts of the catalog that the truth knows. */
  readonly accounts: number;
  readonly precision: number | null;
  /** Of the pairs of one owner that a path of links joins, as the catalog has them. */
  readonly recall: number | null;
  readonly recall_of_all_pairs: number | null;
  readonly b3_precision: number | null;
  readonly b3_recall: number | null;
  /** Share of the persons with several joined accounts that are exactly these. */
  readonly exact: number | null;
  readonly calibration_error: number | null;
  readonly kinds: readonly KindFigures[];
}

interface Found {
  readonly account: string;
  readonly person: string;
  readonly logOdds: number | null;
  readonly owner: string;
  readonly kind: string;
}

const pairs = (n: number): number => (n * (n - 1)) / 2;
const share = (part: number, of: number): number | null => (of === 0 ? null : part / of);
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;

/** Accounts of the build that the truth knows, with their true owners. */
const ownedAccounts = async (
  db: Db,
  schema: string,
  truth: AsyncIterable<TrueOwner>,
): Promise<readonly Found[]> => {
  const { rows } = await db.query<{
    account: string;
    platform: string;
    name: string;
    person: string;
    log_odds: number | null;
  }>(
    `select distinct on (a.account) a.account, a.platform, a.name, o.person, (m->>'log_odds')::float8 as log_odds
     from ${schema}.accounts a join ${schema}.members o using (account)
     join ${schema}.people p on p.person = o.person
     cross join lateral jsonb_array_elements(p.members) m
     where m->>'account' = a.account order by a.account, ${LAST_TENURE}`,
  );
  const byKey = new Map(rows.map((row) => [row.account, row]));
  const byName = new Map(rows.map((row) => [`${row.platform}:${row.name}`, row]));
  const found: Found[] = [];
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

/** Accounts of one owner that links and pages of the catalog join, as `account -> part`. */
const partsOf = async (
  db: Db,
  schema: string,
  found: readonly Found[],
): Promise<(account: string) => string> => {
  const owner = new Map(found.map((one) => [one.account, one.owner]));
  const root = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    while ((root.get(at) ?? at) !== at) at = root.get(at) as string;
    return at;
  };
  const { rows } = await db.query<{ a: string; b: string }>(
    `select l.account as a, h.account as b from ${schema}.links l
     join ${schema}.accounts h on h.platform = split_part(l.target, ':', 1) and h.name = substr(l.target, strpos(l.target, ':') + 1)
     union select l.account, h.account from ${schema}.links l join ${schema}.accounts h on h.account = l.target
     union select l.account, k.account from ${schema}.links l join ${schema}.links k using (target)
       where l.target like 'page:%' and l.account < k.account
       and (select count(*) from (select from ${schema}.links c where c.target = l.target limit $1) s) < $1`,
    [MAX_SHARERS + 1],
  );
  for (const { a, b } of rows)
    if (owner.get(a) !== undefined && owner.get(a) === owner.get(b)) root.set(find(a), find(b));
  return find;
};

const BINS = 20;

/** Expected calibration error of accounts of several, in bins of equal width (Naeini et al. 2015). */
const calibrationError = (groups: Iterable<readonly Found[]>): number | null => {
  const bins = new Map<number, { n: number; stated: number; right: number }>();
  let total = 0;
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
      const sums = bins.get(bin) ?? { n: 0, stated: 0, right: 0 };
      bins.set(bin, {
        n: sums.n + 1,
        stated: sums.stated + stated,
        right: sums.right + (others.get(one.owner)?.length === most ? 1 : 0),
      });
      total++;
    }
  return share(
    [...bins.values()].reduce((sum, bin) => sum + Math.abs(bin.stated - bin.right), 0),
    total,
  );
};

const figuresOf = (found: readonly Found[], partOf: (account: string) => string): PeopleFigures => {
  const groups = Map.groupBy(found, ({ person }) => person);
  const parts = Map.groupBy(found, ({ account }) => partOf(account));
  const owners = Map.groupBy(found, ({ owner }) => owner);
  const wrong = new Map<string, number>();
  let [right, all, joined] = [0, 0, 0];
  const exact: number[] = [];
  for (const group of groups.values()) {
    all += pairs(group.length);
    for (const [n, one] of group.entries())
      for (const other of group.slice(n + 1)) {
        if (one.owner === other.owner) {
          right++;
          if (partOf(one.account) === partOf(other.account)) joined++;
        } else
          for (const kind of new Set([one.kind, other.kind])) wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
      }
  }
  const [precisions, recalls]: [number[], number[]] = [[], []];
  for (const part of parts.values()) {
    for (const one of part) {
      const group = groups.get(one.person) as readonly Found[];
      precisions.push(group.filter(({ owner }) => owner === one.owner).length / group.length);
      recalls.push(
        group.filter(({ account }) => partOf(account) === partOf(one.account)).length / part.length,
      );
    }
    const group = groups.get(part[0]?.person ?? '');
    if (part.length > 1) exact.push(group?.length === part.length && recalls.at(-1) === 1 ? 1 : 0);
  }
  const sum = (some: Iterable<readonly Found[]>) => [...some].reduce((n, { length }) => n + pairs(length), 0);
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, { length: accounts }]) => {
    return { kind, accounts, false_pairs: wrong.get(kind) ?? 0 };
  });
  return {
    accounts: found.length,
    precision: share(right, all),
    recall: share(joined, sum(parts.values())),
    recall_of_all_pairs: share(right, sum(owners.values())),
    b3_precision: mean(precisions),
    b3_recall: mean(recalls),
    exact: mean(exact),
    calibration_error: calibrationError(groups.values()),
    kinds: kinds.toSorted((a, b) => b.false_pairs - a.false_pairs || (a.kind < b.kind ? -1 : 1)),
  };
};

/** Compares the persons of the active build with the owners that the simulator knows. */
export const verifyPeople = async (
  { db }: { readonly db: Db },
  truth: AsyncIterable<TrueOwner>,
): Promise<PeopleFigures> => {
  const build = await activeBuild(db, people.name, people.version);
  if (build === null) throw new OperatorError('build_missing', 'there is no active build of people');
  const found = await ownedAccounts(db, build.schema, truth);
  return figuresOf(found, await partsOf(db, build.schema, found));
};
