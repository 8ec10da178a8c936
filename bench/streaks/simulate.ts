import { medianSorted } from 'simple-statistics';
import type { Persistence } from '../../src/analysis/dependence.ts';
import { distributionOf } from '../../src/analysis/percentiles.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';

/** Engagement of the posts of one account, whose true median is known. */
export interface Family {
  readonly name: string;
  readonly draw: (n: number, random: Random) => readonly number[];
  /** Whether it is one of those whose intervals are to hold 93 %. */
  readonly isJudged: boolean;
  readonly kinds: 1 | 2;
}

/** Correlation of successive posts of the catalog's accounts. */
const USUAL = 0.35;
const CATALOG: Persistence = { sign: (2 / Math.PI) * Math.asin(USUAL), decay: USUAL };
const MEDIAN = 200;
/** Deviation of ln engagement; one post in a hundred has ten to a hundred times as much. */
const SIGMA = 0.9;
const OUTLIERS = 0.01;

/** A standard normal draw (Box and Muller 1958). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
const outlier = (random: Random): number => (random.next() < OUTLIERS ? 10 ** (1 + random.next()) : 1);
const countOf = (ln: number, random: Random): number => Math.round(MEDIAN * Math.exp(ln) * outlier(random));

/** A streak: a share of what varies is common to neighbours, and fades by `decay` a post. */
const streak = (share: number, decay: number): Family => ({
  name: share === 1 ? `own strength ${decay}` : `${100 * share} % of what varies, strength ${decay}`,
  isJudged: share === 1,
  kinds: 1,
  draw: (n, random) => {
    let common = normal(random);
    return Array.from({ length: n }, () => {
      const ln = SIGMA * (Math.sqrt(share) * common + Math.sqrt(1 - share) * normal(random));
      common = decay * common + Math.sqrt(1 - decay ** 2) * normal(random);
      return countOf(ln, random);
    });
  },
});

/** Posts of two kinds: blocks of so many posts in the mean earn more by a factor. */
const twoKinds = (share: number, factor: number, length: number): Family => ({
  name: `${100 * share} % of posts earn ×${factor}, in blocks of ${length}`,
  isJudged: true,
  kinds: 2,
  draw: (n, random) => {
    let isMore = random.next() < share;
    return Array.from({ length: n }, () => {
      const ln = 0.6 * normal(random) + (isMore ? Math.log(factor) : 0);
      if (random.next() < (isMore ? 1 : share / (1 - share)) / length) isMore = !isMore;
      return countOf(ln, random);
    });
  },
});

export const FAMILIES: readonly Family[] = [
  ...[0, 0.2, 0.35, 0.5, 0.6, 0.7, 0.85].map((strength) => streak(1, strength)),
  streak(0.6, 0.9),
  twoKinds(0.3, 5, 10),
  twoKinds(0.3, 5, 20),
  twoKinds(0.5, 3, 8),
  twoKinds(0.5, 3, 15),
];

/** Values whose median counts as the true one. */
const OF_TRUTH = { accounts: 4_000, posts: 100 } as const;

const trueMedian = ({ draw }: Family, seed: number): number => {
  const random = seededRandom(seed);
  const values = Array.from({ length: OF_TRUTH.accounts }, () => draw(OF_TRUTH.posts, random)).flat();
  return medianSorted(values.sort((a, b) => a - b));
};

export interface Coverage {
  readonly accounts: number;
  /** Whose interval holds the true median. */
  readonly held: number;
  /** That are warned of, and of the others those whose interval does not hold it. */
  readonly warned: number;
  readonly wrong: number;
  /** Median of the upper bound by the lower one. */
  readonly width: number;
}

/** How often intervals of medians hold the truth for accounts of a family with so many posts. */
export const coverageOf = (family: Family, posts: number, accounts: number, seed: number): Coverage => {
  const truth = trueMedian(family, seed);
  const random = seededRandom(seed + posts);
  const results = Array.from({ length: accounts }, () => {
    const observations = family.draw(posts, random).map((count) => ({ count, per: 1 }));
    const { low, high, isUnclear } = distributionOf(observations, CATALOG);
    return { holds: low <= truth && truth <= high, isUnclear, width: high / Math.max(1, low) };
  });
  const count = (is: (one: (typeof results)[number]) => boolean): number => results.filter(is).length;
  return {
    accounts,
    held: count(({ holds }) => holds),
    warned: count(({ isUnclear }) => isUnclear),
    wrong: count(({ holds, isUnclear }) => !holds && !isUnclear),
    width: medianSorted(results.map(({ width }) => width).sort((a, b) => a - b)),
  };
};
