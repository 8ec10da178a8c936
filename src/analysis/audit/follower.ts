import { quantileSorted } from 'simple-statistics';
import { normalTail } from '../../kernel/distributions.ts';

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

/** Traits that are numbers, in the order in which models have them. */
const NUMERIC_TRAITS = ['ageDays', 'followers', 'following', 'posts'] as const;

type NumericTrait = (typeof NUMERIC_TRAITS)[number];

/** Values of a trait, as ln(1 + x), at normal scores from -3 to 3; null if too few show it. */
type Scale = readonly number[] | null;

export type Scales = Readonly<Record<NumericTrait, Scale>>;

const STEP = 0.25;
const MOST = 3;
const SCORES = Array.from({ length: (2 * MOST) / STEP + 1 }, (_, n) => n * STEP - MOST);
const PROBABILITIES = SCORES.map((score) => normalTail(-score));
const LEAST_VALUES = 50;

const scaleOf = (values: readonly number[]): Scale => {
  if (values.length < LEAST_VALUES) return null;
  const sorted = values.map(Math.log1p).toSorted((a, b) => a - b);
  return PROBABILITIES.map((p) => quantileSorted(sorted, p));
};

/** Scales of numeric traits among reference accounts. */
export const scalesOf = (reference: readonly FollowerTraits[]): Scales => {
  const of = (trait: NumericTrait): Scale =>
    scaleOf(reference.map((one) => one[trait]).filter((value) => value !== null));
  return {
    ageDays: of('ageDays'),
    followers: of('followers'),
    following: of('following'),
    posts: of('posts'),
  };
};

/**
 * The normal score of a value: the quantile of the standard normal distribution at the value's rank among the reference
 * accounts (van der Waerden 1952), between -3 and 3. Any monotone unit of the value gives the same score.
 */
const scoreOf = (scale: Scale, value: number | null): number => {
  if (scale === null || value === null) return 0;
  const x = Math.log1p(Math.max(0, value));
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

/** A row of a model's design: one, normal scores of numeric traits, picture and bio; what is unknown is in the middle. */
export const featuresOf = (scales: Scales, traits: FollowerTraits): readonly number[] => [
  1,
  ...NUMERIC_TRAITS.map((trait) => scoreOf(scales[trait], traits[trait])),
  flagOf(traits.hasAvatar),
  flagOf(traits.hasBio),
];

/** The column of the age in a row. */
export const AGE_COLUMN = 1 + NUMERIC_TRAITS.indexOf('ageDays');
