import { fisherP } from '../../kernel/distributions.ts';
import { dot, inverse } from '../regression.ts';

/** A share with its 95 % interval. */
export interface ShareInterval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Level of the test whether errors differ between lists: a difference that chance explains as well counts as none. */
const SIGNIFICANT = 0.05;
const Z = 1.959963984540054;
/** Of an interval that errs on one side alone, as where labels have moved it: 95 %. */
const Z_ONE_SIDED = 1.6448536269514722;

const bounded = (share: number): number => Math.min(1, Math.max(0, share));

/** An interval of shares, which holds its estimate whatever both are rounded to or bounded by. */
const holding = (share: number, low: number, high: number): ShareInterval => {
  const estimate = bounded(share);
  return { estimate, low: Math.min(estimate, bounded(low)), high: Math.max(estimate, bounded(high)) };
};

/** The share of a sample with its score interval (Wilson 1927). */
export const wilsonInterval = (hits: number, n: number): ShareInterval => {
  if (n === 0) return { estimate: 0, low: 0, high: 1 };
  const share = hits / n;
  const middle = (hits + Z ** 2 / 2) / (n + Z ** 2);
  const half = (Z * Math.sqrt(n * share * (1 - share) + Z ** 2 / 4)) / (n + Z ** 2);
  return holding(share, middle - half, middle + half);
};

/** Followers that were classified by one rule. */
export interface Stratum {
  /** How many were classified as each class. */
  readonly counts: readonly number[];
  /** Which of the two rules of the labelled sample classified them. */
  readonly rule: 0 | 1;
}

/** Labelled followers of a list with one true class that two rules classified alike. */
export interface LabelledVerdicts {
  readonly truth: number;
  /** Class that either rule put them into. */
  readonly said: readonly [number, number];
  /** Number of the list that they were taken from. */
  readonly list: number;
  readonly n: number;
}

/** Labelled followers by true class, of as many classes as there are. */
export type Labelled = readonly (readonly LabelledVerdicts[])[];

const totalOf = (verdicts: readonly LabelledVerdicts[]): number =>
  verdicts.reduce((sum, { n }) => sum + n, 0);

/** How many of one true class a rule put into each class. */
const saidBy = (verdicts: readonly LabelledVerdicts[], rule: 0 | 1, classes: number): readonly number[] => {
  const counts = new Array<number>(classes).fill(0);
  for (const { said, n } of verdicts) counts[said[rule]] = (counts[said[rule]] as number) + n;
  return counts;
};

/** Sum of counts, with the same added to each so that it grows by `extra`. */
const raised = (counts: readonly number[], extra: number): { counts: readonly number[]; n: number } => ({
  counts: counts.map((one) => one + extra / counts.length),
  n: counts.reduce((sum, one) => sum + one, 0) + extra,
});

const sharesOf = ({ counts, n }: { counts: readonly number[]; n: number }): readonly number[] =>
  counts.map((one) => one / n);

/** Variance of a function of one draw out of classes with shares. */
const spread = (shares: readonly number[], values: readonly number[]): number => {
  const mean = dot(shares, values);
  return dot(
    shares,
    values.map((value) => (value - mean) ** 2),
  );
};

interface Solved {
  readonly weight: number;
  readonly rule: 0 | 1;
  readonly n: number;
  /** Shares of true classes. */
  readonly truths: readonly number[];
  /** Row of the inverted matrix that gives the share of the class that is asked for. */
  readonly row: readonly number[];
  /** Of each true class, the shares that are put into each class. */
  readonly matrix: readonly (readonly number[])[];
}

const solve = (
  strata: readonly Stratum[],
  labelled: Labelled,
  target: number,
  /** Labels that each true class is raised by. */
  extra: number,
): readonly Solved[] | null => {
  const classes = labelled.length;
  const total = strata.reduce((sum, { counts }) => sum + counts.reduce((a, b) => a + b, 0), 0);
  const solved: Solved[] = [];
  for (const { counts, rule } of strata) {
    const n = counts.reduce((sum, one) => sum + one, 0);
    if (n === 0) continue;
    const matrix = labelled.map((verdicts) => sharesOf(raised(saidBy(verdicts, rule, classes), extra)));
    const inverted = inverse(
      Array.from({ length: classes }, (_, to) => matrix.map((shares) => shares[to] as number)),
    );
    if (inverted === null) return null;
    const shares = sharesOf({ counts, n });
    const truths = inverted.map((row) => dot(row, shares));
    solved.push({ weight: n / total, rule, n, truths, row: inverted[target] as number[], matrix });
  }
  return solved;
};

interface Group {
  n: number;
  sum: number;
  squares: number;
}

/**
 * Of values in lists: their mean's variance, and the variance of a list's own mean about it (one-way analysis of variance;
 * Searle, Casella and McCulloch 1992, for lists of different sizes).
 */
const variancesOf = (
  verdicts: readonly LabelledVerdicts[],
  influence: (said: LabelledVerdicts['said']) => number,
  least: number,
  isTested: boolean,
): { readonly ofMean: number; readonly between: number } => {
  const lists = new Map<number, Group>();
  for (const { list, said, n } of verdicts) {
    const group = lists.get(list) ?? { n: 0, sum: 0, squares: 0 };
    const value = influence(said);
    group.n += n;
    group.sum += n * value;
    group.squares += n * value ** 2;
    lists.set(list, group);
  }
  const groups = [...lists.values()];
  const total = groups.reduce((sum, { n }) => sum + n, 0);
  const mean = groups.reduce((sum, group) => sum + group.sum, 0) / total;
  const within = groups.reduce((sum, { n, sum: own, squares }) => sum + squares - own ** 2 / n, 0);
  const apart = groups.reduce((sum, { n, sum: own }) => sum + n * (own / n - mean) ** 2, 0);
  const [k, squared] = [groups.length, groups.reduce((sum, { n }) => sum + n ** 2, 0)];
  const usual = (total - squared / total) / (k - 1);
  const [squareBetween, squareWithin] = [apart / (k - 1), within / (total - k)];
  const isKnown = k > 1 && total > k && squareWithin > 0 && squareBetween > squareWithin;
  const isApart =
    isKnown && (!isTested || fisherP(squareBetween / squareWithin, k - 1, total - k) < SIGNIFICANT);
  const between = isApart ? (squareBetween - squareWithin) / usual : 0;
  const plain = Math.max(least, (within + apart) / total);
  return { ofMean: plain / (total + 2) + (between * squared) / total ** 2, between };
};

/**
 * Variance that the errors of classification add, which are known only as well as the labelled sample's size allows, and
 * which are not the same in every list.
 */
const labelVariance = (solved: readonly Solved[], labelled: Labelled, isTested: boolean): number =>
  labelled.reduce((variance, verdicts, truth) => {
    const influence = (said: LabelledVerdicts['said']): number =>
      solved.reduce(
        (sum, { weight, rule, row, truths }) =>
          sum + weight * (row[said[rule]] as number) * (truths[truth] as number),
        0,
      );
    // Of a class without an error as well the errors are known no better than its size allows.
    const least = solved.reduce(
      (sum, { weight, row, truths, matrix }) =>
        sum + (weight * (truths[truth] as number)) ** 2 * spread(matrix[truth] as number[], row),
      0,
    );
    const { ofMean, between } = variancesOf(verdicts, influence, least, isTested);
    return variance + ofMean + between;
  }, 0);

/** Variance that the classification of a stratum adds, and how it changes with the share of the class that is asked for. */
const censusVariance = (
  { n, truths, row, matrix }: Solved,
  target: number,
): { readonly variance: number; readonly slope: number } => {
  const shares = truths.map(bounded);
  const sum = shares.reduce((a, b) => a + b, 0);
  const ofClass = matrix.map((column) => spread(column, row) / n);
  const others = shares.map((share, truth) => (truth === target ? 0 : share));
  const rest = others.reduce((a, b) => a + b, 0);
  const ofOthers =
    rest > 0
      ? dot(others, ofClass) / rest
      : dot(
          others.map((_, truth) => (truth === target ? 0 : 1 / (others.length - 1))),
          ofClass,
        );
  return { variance: dot(shares, ofClass) / sum, slope: (ofClass[target] as number) - ofOthers };
};

/**
 * The true share of a class among followers that were classified with known errors: Rogan and Gladen (1978) for two classes,
 * inversion of the matrix of errors for more (adjusted count, Forman 2008), of strata that were classified by different rules.
 *
 * The interval is a score interval for a census: every follower of the share was classified, so that only what classification
 * and labels leave open is uncertain, and not which followers were drawn. Its variance is linear in the share, so that the
 * interval ends where the estimate is 1.96 deviations of that end away. All audits of one labelled sample share its error, so that
 * the deviation of labels is added to that of the audience and not to its square: the interval holds 95 % of the truths even
 * with a sample that errs as far as 19 of 20 do. Labels are raised, and the middle is moved by their
 * number, as Lang and Reiczigel (2014) do; the followers are not, since that is for a sample that was drawn.
 * @param labelled true classes of labelled followers by the classes that the rules put them into, independent of the rules.
 * @param errors whether errors differ between lists: as a test on the labelled sample says, or known to.
 * @returns null if the rules don't separate the classes.
 */
export const trueShare = (
  strata: readonly Stratum[],
  labelled: Labelled,
  target: number,
  { errors = 'as tested' }: { readonly errors?: 'as tested' | 'of each list' } = {},
): ShareInterval | null => {
  const plain = solve(strata, labelled, target, 0);
  const solved = solve(strata, labelled, target, 2);
  if (plain === null || solved === null) return null;
  const shareIn = (parts: readonly Solved[]) =>
    parts.reduce((sum, { weight, truths }) => sum + weight * (truths[target] as number), 0);
  let [variance, slope, shift] = [0, 0, 0];
  for (const one of solved) {
    const { weight, truths, matrix } = one;
    const own = censusVariance(one, target);
    variance += weight ** 2 * own.variance;
    // Where the share is another, strata differ as their variances do.
    slope += weight ** 3 * own.variance * own.slope;
    if (matrix.length !== 2) continue;
    matrix.forEach((column, truth) => {
      const size = 2 + totalOf(labelled[truth] as readonly LabelledVerdicts[]);
      const errors = ((column[0] as number) * (column[1] as number)) / size;
      shift += 2 * Z ** 2 * weight * (truth === target ? 1 : -1) * (truths[truth] as number) * errors;
    });
  }
  const skew = ((Z ** 2 / 2) * slope) / variance;
  const ofLabels = Z * Math.sqrt(labelVariance(solved, labelled, errors === 'as tested'));
  const ofAudience = Math.sqrt(Z ** 2 * variance + skew ** 2);
  const half = Math.max(Math.hypot(ofLabels, ofAudience), ofLabels + (Z_ONE_SIDED / Z) * ofAudience);
  const middle = shareIn(solved) + shift + skew;
  return holding(shareIn(plain), middle - half, middle + half);
};
