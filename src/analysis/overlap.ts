/** 97.5 % of a standard normal. */
const Z = 1.959963984540054;

/** Members of two lists, and of both; of a sample, those whose IDs are in it. */
export interface OverlapCounts {
  readonly a: number;
  readonly b: number;
  readonly shared: number;
}

export interface Bounded {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Overlap {
  /** Members of both lists. */
  readonly shared: Bounded;
  /** Members of both by members of either. */
  readonly jaccard: Bounded;
  /** Members of both by those of each list. */
  readonly shareOfA: Bounded;
  readonly shareOfB: Bounded;
}

/** Score interval of a share (Wilson 1927). */
const scoreInterval = (hits: number, n: number): readonly [low: number, high: number] => {
  const share = hits / n;
  const centre = share + Z ** 2 / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  const by = 1 + Z ** 2 / n;
  return [Math.max(0, (centre - half) / by), Math.min(1, (centre + half) / by)];
};

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** What follows from the members of both, for audiences of these sizes. */
const figuresOf = (shared: Bounded, a: number, b: number): Overlap => {
  const most = Math.min(a, b);
  const derived = (of: (shared: number) => number): Bounded => {
    const at = (value: number) => of(Math.min(most, value));
    return { value: at(shared.value), low: at(shared.low), high: at(shared.high) };
  };
  return {
    shared,
    jaccard: derived((both) => ratio(both, a + b - both)),
    shareOfA: derived((both) => ratio(both, a)),
    shareOfB: derived((both) => ratio(both, b)),
  };
};

/**
 * How far two audiences are the same: members of both lists, the Jaccard index (Jaccard 1901), and the share of each list.
 *
 * Whole lists are counted, and the figures are exact. Of longer ones, those members are compared whose IDs have a hash in a
 * fraction of all: both lists are sampled by one hash, so that a member is in both samples or in none (coordinated
 * sampling: Brewer, Early and Joyce 1972; Cohen and Kaplan 2007). The sizes of the lists are known, so that the share of the smaller
 * list that is in the other is a binomial proportion of its sample, with its 95 % score interval.
 *
 * @param lists members of both lists; `shared` is ignored if there is a sample.
 * @param sample the counts among members whose hash is in the sample; null if all were compared.
 */
export const overlapOf = (lists: OverlapCounts, sample: OverlapCounts | null): Overlap => {
  const { a, b } = lists;
  const shared = ((): Bounded => {
    if (sample === null) return { value: lists.shared, low: lists.shared, high: lists.shared };
    const [size, n] = a <= b ? [a, sample.a] : [b, sample.b];
    if (n === 0) return { value: 0, low: 0, high: size };
    const [low, high] = scoreInterval(sample.shared, n);
    const least = Math.max(sample.shared, Math.floor(low * size));
    return {
      value: Math.max(least, Math.round((sample.shared / n) * size)),
      low: least,
      high: Math.min(Math.ceil(high * size), a, b),
    };
  })();
  return figuresOf(shared, a, b);
};

/** A list of followers as its readings cover it. */
export interface Covered {
  /** Members that were read. */
  readonly read: number;
  /** Members that the account states; null if that is unknown. */
  readonly stated: number | null;
  readonly isWhole: boolean;
}

/**
 * Members of an audience; infinite if nothing bounds them: of a list that was not read whole, members who left are among those
 * that were read, so that more than the account states bound nothing.
 */
const sizeOf = ({ read, stated, isWhole }: Covered): number => {
  if (isWhole) return read;
  return stated === null || read >= stated ? Number.POSITIVE_INFINITY : stated;
};

/** Figures of two audiences; null where a size is not known. */
export interface CoveredOverlap {
  readonly shared: Bounded;
  readonly jaccard: Bounded | null;
  readonly shareOfA: Bounded | null;
  readonly shareOfB: Bounded | null;
}

/**
 * How far two audiences are the same, by lists of which parts were read. Lists are read from one end, so that nothing is known of
 * who was not read: each of them may be a member of both audiences, or none.
 *
 * @param shared members that were read of both.
 * @returns the widest bounds that this leaves; null if those of `shared` are wider than half of the smaller audience.
 */
export const coveredOverlap = (shared: Bounded, a: Covered, b: Covered): CoveredOverlap | null => {
  const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
  const smaller = Math.min(sizeA, sizeB);
  const unread = sizeA - a.read + (sizeB - b.read);
  const high = Math.min(smaller, shared.high + unread);
  if (!Number.isFinite(smaller) || high - shared.low > smaller / 2) return null;
  const figures = figuresOf({ ...shared, high }, sizeA, sizeB);
  const ifKnown = (size: number, figure: Bounded) => (Number.isFinite(size) ? figure : null);
  return {
    shared: figures.shared,
    jaccard: ifKnown(sizeA + sizeB, figures.jaccard),
    shareOfA: ifKnown(sizeA, figures.shareOfA),
    shareOfB: ifKnown(sizeB, figures.shareOfB),
  };
};
