/** A share with its interval of 95 %; no interval where there is one unit. */
export interface Share {
  readonly value: number;
  readonly from: number | null;
  readonly to: number | null;
}

/** How often accounts that mislead are of a person that they do not belong to. */
export interface KindFigures {
  readonly kind: string;
  readonly accounts: number;
  /** Pairs of an account of the kind and one of another owner. */
  readonly false_pairs: number;
}

/** A bin of a reliability diagram: what was stated on average, and what share of it was right. */
export interface ReliabilityBin {
  readonly stated: number;
  readonly right: number;
  readonly accounts: number;
}

/** Figures are null where there is nothing to divide by. */
export interface PeopleFigures {
  /** Accounts of the catalog that the truth knows. */
  readonly accounts: number;
  readonly precision: Share | null;
  /** Of the pairs of one owner that a path of links joins, as the catalog has them. */
  readonly recall: Share | null;
  readonly recall_of_all_pairs: Share | null;
  readonly b3_precision: Share | null;
  readonly b3_recall: Share | null;
  /** Share of the persons with several joined accounts that are exactly these. */
  readonly exact: Share | null;
  readonly calibration_error: number | null;
  readonly reliability: readonly ReliabilityBin[];
  readonly kinds: readonly KindFigures[];
}

/** An account of the catalog with its person there, and its true owner. */
export interface OwnedAccount {
  readonly account: string;
  readonly person: string;
  readonly logOdds: number | null;
  readonly owner: string;
  readonly kind: string;
}

type Group = readonly OwnedAccount[];

const pairs = (n: number): number => (n * (n - 1)) / 2;

/** What a person adds to a ratio: its errors come together, so that it is the unit that intervals count. */
type Unit = readonly [part: number, of: number];

/** Two-sided 95 % quantile of the normal distribution. */
const Z95 = 1.96;

/** A ratio of sums over units, with the variance of a ratio of cluster samples (Cochran, *Sampling Techniques*, 1977, 6.4). */
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

const BINS = 20;

/** Accounts of several in bins of equal width by stated confidence; right is who is of the person that most others are of. */
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
