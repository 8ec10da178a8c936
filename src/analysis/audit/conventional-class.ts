import type { FollowerTraits } from './follower.ts';
import type { FollowerClass } from './model.ts';

/** Points of a mark; of marks about one trait only the first that holds counts. */
type Mark = readonly [points: number, holds: (traits: FollowerTraits) => boolean];

const less = (value: number | null, than: number): boolean => value !== null && value < than;

/** How many accounts it follows for each that follows it. */
const ratioOf = ({ followers, following }: FollowerTraits): number =>
  followers === null || following === null ? 0 : following / (followers + 1);

const AGE: readonly Mark[] = [
  [2, ({ ageDays }) => less(ageDays, 90)],
  [1, ({ ageDays }) => less(ageDays, 365)],
];

const OTHERS: readonly (readonly Mark[])[] = [
  [
    [2, (traits) => ratioOf(traits) >= 20 && (traits.following ?? 0) >= 100],
    [1, (traits) => ratioOf(traits) >= 5 && (traits.following ?? 0) >= 100],
  ],
  [[1, ({ followers }) => less(followers, 10)]],
  [[2, ({ hasAvatar }) => hasAvatar === false]],
  [[1, ({ hasBio }) => hasBio === false]],
];

const pointsOf = (marks: readonly (readonly Mark[])[], traits: FollowerTraits): number =>
  marks.reduce((sum, mark) => sum + (mark.find(([, holds]) => holds(traits))?.[0] ?? 0), 0);

const SUSPICIOUS = 4;
const SUSPICIOUS_WITHOUT_AGE = 3;
/** Fewer than a post a year, of an account that is a year old. */
const isQuiet = ({ ageDays, posts }: FollowerTraits): boolean =>
  ageDays !== null && posts !== null && ageDays >= 365 && posts < ageDays / 365;

/**
 * Class of a follower by marks with points, where no labelled sample says what they are worth. A convention: points and
 * thresholds are chosen, and no error of it is known.
 */
export const conventionalClass = (traits: FollowerTraits, isAgeKnown = true): FollowerClass => {
  const points = pointsOf(isAgeKnown ? [AGE, ...OTHERS] : OTHERS, traits);
  if (points >= (isAgeKnown ? SUSPICIOUS : SUSPICIOUS_WITHOUT_AGE)) return 'suspicious';
  return isQuiet(traits) ? 'inactive' : 'genuine';
};
