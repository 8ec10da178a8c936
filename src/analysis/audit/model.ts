import { quantileSorted } from 'simple-statistics';
import { normalTail } from '../../kernel/distributions.ts';
import { logisticWeights, termsOf } from '../logistic.ts';
import { dot } from '../regression.ts';
import type { Labelled, LabelledVerdicts } from './prevalence.ts';

/** What an audit keeps of a follower: what a page of a list showed of it, and null where it showed nothing. */
export interface FollowerTraits {
  /** At the time of the reading. */
  readonly ageDays: number | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  readonly hasAvatar: boolean | null;
  readonly hasBio: boolean | null;
}

/** Logarithm of one more than a figure; null if it is unknown. */
const ln = (value: number | null): number | null => (value === null ? null : Math.log1p(Math.max(0, value)));

const lnRatio = (value: number | null, by: number | null): number | null => {
  const [one, other] = [ln(value), ln(by)];
  return one === null || other === null ? null : one - other;
};

/** Traits that are numbers, and their ratios, in the order in which models have them. */
const NUMERIC_TRAITS = {
  ageDays: ({ ageDays }) => ln(ageDays),
  followers: ({ followers }) => ln(followers),
  following: ({ following }) => ln(following),
  posts: ({ posts }) => ln(posts),
  followingByFollowers: ({ following, followers }) => lnRatio(following, followers),
  postsByAge: ({ posts, ageDays }) => lnRatio(posts, ageDays),
  postsByFollowers: ({ posts, followers }) => lnRatio(posts, followers),
} as const satisfies Readonly<Record<string, (traits: FollowerTraits) => number | null>>;

type NumericTrait = keyof typeof NUMERIC_TRAITS;

const NAMES = Object.keys(NUMERIC_TRAITS) as readonly NumericTrait[];

const perTrait = <T>(of: (name: NumericTrait) => T): Readonly<Record<NumericTrait, T>> =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Record<NumericTrait, T>;

/** Traits that a rule without the age leaves out. */
const OF_AGE: ReadonlySet<NumericTrait> = new Set(['ageDays', 'postsByAge']);

/** Values of a trait at normal scores from -3 to 3; null if too few show it. */
type Scale = readonly number[] | null;

export type Scales = Readonly<Record<NumericTrait, Scale>>;

const STEP = 0.25;
const MOST = 3;
const SCORES = Array.from({ length: (2 * MOST) / STEP + 1 }, (_, n) => n * STEP - MOST);
const PROBABILITIES = SCORES.map((score) => normalTail(-score));
const LEAST_VALUES = 50;

const scaleOf = (values: readonly number[]): Scale => {
  if (values.length < LEAST_VALUES) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return PROBABILITIES.map((p) => quantileSorted(sorted, p));
};

/** Scales of numeric traits among reference accounts. */
const scalesOf = (reference: readonly FollowerTraits[]): Scales =>
  perTrait((name) => scaleOf(reference.map(NUMERIC_TRAITS[name]).filter((value) => value !== null)));

/**
 * The normal score of a value: the quantile of the standard normal distribution at the value's rank among the reference
 * accounts (van der Waerden 1952), between -3 and 3. Any monotone unit of the value gives the same score.
 */
const scoreOf = (scale: readonly number[], x: number): number => {
  const below = scale.findLastIndex((at) => at < x);
  const above = scale.findIndex((at) => at > x);
  if (above === 0) return -MOST;
  if (below === scale.length - 1) return MOST;
  const equal = above - below - 1;
  // Values that many accounts share have the middle of their ranks.
  if (equal > 0 || above < 0) return ((SCORES[below + 1] as number) + (SCORES.at(above - 1) as number)) / 2;
  const [low, high] = [scale[below] as number, scale[above] as number];
  return (SCORES[below] as number) + (STEP * (x - low)) / (high - low);
};

const flagOf = (flag: boolean | null): number => (flag === null ? 0 : flag ? 0.5 : -0.5);

/** Where the slope of a trait may change, in normal scores. */
const KNOTS = [-1, 0, 1];

/** Columns of a trait: a linear spline of its score; none of it says anything about an unknown value. */
const splineOf = (scale: Scale, value: number | null): readonly number[] => {
  if (scale === null || value === null) return [0, ...KNOTS.map(() => 0)];
  const score = scoreOf(scale, value);
  return [score, ...KNOTS.map((knot) => Math.max(0, score - knot))];
};

/** A row of a model's design: one, picture and bio, and a spline of each numeric trait. */
const featuresOf = (scales: Scales, traits: FollowerTraits): readonly number[] => [
  1,
  flagOf(traits.hasAvatar),
  flagOf(traits.hasBio),
  ...NAMES.flatMap((name) => splineOf(scales[name], NUMERIC_TRAITS[name](traits))),
];

/** Columns of a row that the age is in. */
const AGE_COLUMNS: ReadonlySet<number> = new Set(
  NAMES.flatMap((name, n) =>
    OF_AGE.has(name) ? [0, ...KNOTS].map((_, knot) => 3 + n * (KNOTS.length + 1) + knot) : [],
  ),
);

/** Where a score separates two classes best: the largest sum of sensitivity and specificity (Youden 1950). */
const youdenThreshold = (scores: readonly number[], is: readonly boolean[]): number => {
  const order = scores
    .map((score, n) => ({ score, is: is[n] === true }))
    .toSorted((a, b) => b.score - a.score);
  const positives = order.filter((one) => one.is).length;
  const negatives = order.length - positives;
  let [hits, alarms, best, threshold] = [0, 0, -1, 0];
  order.forEach((one, n) => {
    if (one.is) hits += 1;
    else alarms += 1;
    const next = order[n + 1]?.score ?? one.score - 1;
    const gain = hits / positives - alarms / negatives;
    if (next < one.score && gain > best) [best, threshold] = [gain, (one.score + next) / 2];
  });
  return threshold;
};

/** What a follower is: operated by bots, abandoned, or neither. */
export const FOLLOWER_CLASSES = ['suspicious', 'inactive', 'genuine'] as const;

export type FollowerClass = (typeof FOLLOWER_CLASSES)[number];

export interface LabelledFollower extends FollowerTraits {
  readonly label: FollowerClass;
  /** Whose follower it was labelled as: errors differ between lists. */
  readonly list: string;
}

/** A score, and from where on it says yes. */
interface Rule {
  readonly weights: readonly number[];
  readonly threshold: number;
}

/** Shares of the accounts of one class, or of an audience, by the range of scores that a trait is in. */
type Ranges = readonly number[];

/** How far shares were off in audiences of other traits than those of all labelled accounts, as parts of one. */
export interface TransferError {
  readonly median: number;
  readonly largest: number;
}

/** The labelled sample of a model: an operator's, or one that is published. */
export type LabelSource =
  | { readonly name: 'operator' }
  | { readonly name: string; readonly year: number; readonly transfer: TransferError };

/** Transparent models of followers of one platform, fitted to a labelled sample. */
export interface AuditModel {
  readonly source: LabelSource;
  /** By trait, the ranges of each class in the labelled sample. */
  readonly ranges: Readonly<Record<NumericTrait, readonly Ranges[]>>;
  readonly scales: Scales;
  readonly suspicious: Rule;
  /** For followers that were created together: what is left to tell by. */
  readonly suspiciousWithoutAge: Rule;
  /** Null where lists show no posts, or too few inactive followers are labelled. */
  readonly inactive: Rule | null;
  /** By true class: labelled followers that no weight was fitted to, as classified with and without their age. */
  readonly labelled: Labelled;
  /** Labelled followers: those that weights were fitted to, and those that sensitivity and specificity are of. */
  readonly fitted: number;
  readonly heldOut: Readonly<Record<FollowerClass, number>>;
}

/** Of suspicious followers and of others, in either half. */
const LEAST_LABELS = 50;
/** Sensitivity and specificity less one; below it an interval holds nearly every share. */
const LEAST_GAIN = 0.2;

const withoutAge = (row: readonly number[]): readonly number[] =>
  row.map((value, column) => (AGE_COLUMNS.has(column) ? 0 : value));

/** Of all weights but the first, that of the column of ones. */
const RIDGE = 1;

const ruleOf = (rows: readonly (readonly number[])[], is: readonly boolean[]): Rule => {
  const weights = logisticWeights(
    rows.map((row, n) => ({
      terms: termsOf(row),
      hits: is[n] === true ? 1 : 0,
      misses: is[n] === true ? 0 : 1,
    })),
    (rows[0] ?? []).map((_, column) => ({ mean: 0, precision: column === 0 ? 0 : RIDGE })),
  );
  return {
    weights,
    threshold: youdenThreshold(
      rows.map((row) => dot(weights, row)),
      is,
    ),
  };
};

const says = ({ weights, threshold }: Rule, row: readonly number[]): boolean => dot(weights, row) > threshold;

type Rules = Pick<AuditModel, 'suspicious' | 'suspiciousWithoutAge' | 'inactive'>;

const classIn = (rules: Rules, row: readonly number[], isAgeKnown: boolean): FollowerClass => {
  const isSuspicious = isAgeKnown
    ? says(rules.suspicious, row)
    : says(rules.suspiciousWithoutAge, withoutAge(row));
  if (isSuspicious) return 'suspicious';
  return rules.inactive !== null && says(rules.inactive, row) ? 'inactive' : 'genuine';
};

/** The log-odds of a follower to be suspicious among the labelled sample's, up to a constant. */
export const suspicionOf = ({ scales, suspicious }: AuditModel, traits: FollowerTraits): number =>
  dot(suspicious.weights, featuresOf(scales, traits));

/** Class of a follower with all its traits, and without its age. */
export const classOf = (model: AuditModel, traits: FollowerTraits, isAgeKnown = true): FollowerClass =>
  classIn(model, featuresOf(model.scales, traits), isAgeKnown);

/** Shares of held-out labelled followers that are classified rightly: of suspicious ones, and of others. */
export const errorRatesOf = ({
  labelled,
}: Pick<AuditModel, 'labelled'>): { readonly sensitivity: number; readonly specificity: number } => {
  const [suspicious = [], ...others] = labelled;
  return { sensitivity: flaggedShare(suspicious, 0), specificity: 1 - flaggedShare(others.flat(), 0) };
};

const halvesOf = (labelled: readonly LabelledFollower[]) => {
  const halves: readonly [LabelledFollower[], LabelledFollower[]] = [[], []];
  const counts = { suspicious: 0, inactive: 0, genuine: 0 };
  // Of each class every second one.
  for (const one of labelled) halves[counts[one.label]++ % 2 === 0 ? 0 : 1].push(one);
  return halves;
};

/** The share of labelled followers that a rule takes for suspicious. */
const flaggedShare = (verdicts: readonly LabelledVerdicts[], rule: 0 | 1): number => {
  const total = verdicts.reduce((sum, { n }) => sum + n, 0);
  return verdicts.reduce((sum, { said, n }) => sum + (said[rule] === 0 ? n : 0), 0) / total;
};

/** Sensitivity and specificity less one, of either rule. */
const gainOf = (labelled: Labelled, rule: 0 | 1): number => {
  const [suspicious = [], ...others] = labelled;
  return flaggedShare(suspicious, rule) - flaggedShare(others.flat(), rule);
};

const verdictsOf = (
  heldOut: readonly LabelledFollower[],
  classes: (one: LabelledFollower) => readonly [FollowerClass, FollowerClass],
): Labelled => {
  const cells = new Map<string, { -readonly [Key in keyof LabelledVerdicts]: LabelledVerdicts[Key] }>();
  const lists = new Map<string, number>();
  for (const one of heldOut) {
    const list = lists.get(one.list) ?? lists.size;
    lists.set(one.list, list);
    const truth = FOLLOWER_CLASSES.indexOf(one.label);
    const [withAge, without] = classes(one);
    const said = [FOLLOWER_CLASSES.indexOf(withAge), FOLLOWER_CLASSES.indexOf(without)] as const;
    const key = `${truth} ${said.join(' ')} ${list}`;
    const known = cells.get(key);
    if (known === undefined) cells.set(key, { truth, said, list, n: 1 });
    else known.n += 1;
  }
  return FOLLOWER_CLASSES.map((_, truth) => [...cells.values()].filter((cell) => cell.truth === truth));
};

/** Borders of ranges, in normal scores. */
const BORDERS = [-1.25, -0.75, -0.25, 0.25, 0.75, 1.25];

/** Null where the trait is unknown of all. */
const rangesOf = (scales: Scales, name: NumericTrait, some: readonly FollowerTraits[]): Ranges | null => {
  const scale = scales[name];
  const values = some.map(NUMERIC_TRAITS[name]).filter((value) => value !== null);
  if (scale === null || values.length === 0) return null;
  const counts = new Array<number>(BORDERS.length + 1).fill(0);
  for (const value of values) {
    const range = BORDERS.filter((border) => border < scoreOf(scale, value)).length;
    counts[range] = (counts[range] as number) + 1;
  }
  return counts.map((n) => n / values.length);
};

/** Parts of the classes of a mixture, in tenths. */
const mixturesOf = (classes: number, left = 10): readonly (readonly number[])[] =>
  classes === 1
    ? [[left / 10]]
    : Array.from({ length: left + 1 }, (_, n) => n).flatMap((n) =>
        mixturesOf(classes - 1, left - n).map((rest) => [n / 10, ...rest]),
      );

/** The distance between what an audience shows and the mixture of classes that comes closest to it: half the sum of differences. */
const distanceTo = (classes: readonly Ranges[], shown: Ranges): number =>
  Math.min(
    ...mixturesOf(classes.length).map(
      (parts) =>
        shown.reduce(
          (sum, share, range) =>
            sum +
            Math.abs(
              share -
                parts.reduce((all, part, n) => all + part * ((classes[n] as Ranges)[range] as number), 0),
            ),
          0,
        ) / 2,
    ),
  );

/** Distances that audiences of the labelled lists rarely have, for very many followers and for n of them. */
const FAR = { always: 0.05, times: 1.3 };

/**
 * Whether an audience may be one of those that the sample was labelled in: no trait is distributed as in no mixture of the
 * labelled classes. What a model says of others was never counted.
 */
export const isFamiliar = ({ scales, ranges }: AuditModel, followers: readonly FollowerTraits[]): boolean =>
  NAMES.every((name) => {
    const shown = rangesOf(scales, name, followers);
    const far = FAR.always + FAR.times / Math.sqrt(followers.length);
    return shown === null || ranges[name].length === 0 || distanceTo(ranges[name], shown) <= far;
  });

/** Why a labelled sample carries no model. */
export type ModelLack = { readonly had: number; readonly needs: number } | 'inseparable';

/**
 * Fits models to one half of a labelled sample and counts their errors in the other. Log-odds are a sum of linear splines of age,
 * followers, following, posts and three ratios of them, each in normal scores among all that are labelled, whatever its unit, and of
 * picture and bio.
 */
export const fitAuditModel = (
  labelled: readonly LabelledFollower[],
  source: LabelSource = { name: 'operator' },
): AuditModel | ModelLack => {
  const [training, heldOut] = halvesOf(labelled);
  const heldOutOf = (label: FollowerClass) => heldOut.filter((one) => one.label === label).length;
  const counts = {
    suspicious: heldOutOf('suspicious'),
    inactive: heldOutOf('inactive'),
    genuine: heldOutOf('genuine'),
  };
  const had = Math.min(counts.suspicious, counts.inactive + counts.genuine);
  if (had < LEAST_LABELS) return { had: 2 * had, needs: 2 * LEAST_LABELS };
  const others = training.filter(({ label }) => label !== 'suspicious');
  const scales = scalesOf(training);
  const rows = training.map((one) => featuresOf(scales, one));
  const isSuspicious = training.map(({ label }) => label === 'suspicious');
  const isInactiveShown = scales.posts !== null && counts.inactive >= LEAST_LABELS;
  const rules: Rules = {
    suspicious: ruleOf(rows, isSuspicious),
    suspiciousWithoutAge: ruleOf(rows.map(withoutAge), isSuspicious),
    inactive: isInactiveShown
      ? ruleOf(
          others.map((one) => featuresOf(scales, one)),
          others.map(({ label }) => label === 'inactive'),
        )
      : null,
  };
  const verdicts = verdictsOf(heldOut, (one) => {
    const row = featuresOf(scales, one);
    return [classIn(rules, row, true), classIn(rules, row, false)];
  });
  if (gainOf(verdicts, 0) < LEAST_GAIN || gainOf(verdicts, 1) < LEAST_GAIN / 2) return 'inseparable';
  const classes = FOLLOWER_CLASSES.map((label) => labelled.filter((one) => one.label === label));
  const ranges = perTrait((name) =>
    classes.map((some) => rangesOf(scales, name, some)).filter((one) => one !== null),
  );
  return { source, ranges, scales, ...rules, labelled: verdicts, fitted: training.length, heldOut: counts };
};
