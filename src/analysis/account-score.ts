/** Points of 100 that each part is worth. */
const WEIGHTS = {
  reach: 25,
  engagement: 30,
  growth: 15,
  activity: 10,
  age: 10,
  reactions: 10,
} as const;

export const SCORE_PARTS = Object.keys(WEIGHTS) as [keyof typeof WEIGHTS, ...(keyof typeof WEIGHTS)[]];
export type ScorePartName = keyof typeof WEIGHTS;

/** Parts of so many points have to be known. */
export const MIN_KNOWN_POINTS = 50;

/** What is known of an account; null is unknown. */
export interface ScoredAccount {
  /** Percentiles among the accounts of the platform, and of its size. */
  readonly followersPercentile: number | null;
  readonly engagementPercentile: number | null;
  /** Slope of ln followers a day, in percent. */
  readonly growthPerDayPct: number | null;
  readonly postsPerWeek: number | null;
  readonly ageYears: number | null;
  /** Flags of `compareReactions`. */
  readonly reactionFlags: number | null;
}

export interface AccountScorePart {
  readonly name: ScorePartName;
  /** 0 to 1; null if it is unknown, and has no weight. */
  readonly value: number | null;
  /** Of 100, with the weight of unknown parts in proportion. */
  readonly weight: number;
  readonly points: number;
}

export const GRADES = ['A', 'B', 'C', 'D', 'E'] as const;
export type Grade = (typeof GRADES)[number];

export interface AccountScore {
  readonly total: { readonly score: number; readonly grade: Grade } | null;
  readonly parts: readonly AccountScorePart[];
  /** Points of the parts that are known, of 100. */
  readonly known: number;
}

/** Change of followers in 30 days that has all points, and with a minus none. */
const FULL_GROWTH_PCT = 10;
/** Posts a week, years, and flags that count as much as any more. */
const [FULL_POSTS, FULL_YEARS, FULL_FLAGS] = [7, 5, 2];

const within = (value: number): number => Math.min(1, Math.max(0, value));
const scaled = (value: number | null, by: (known: number) => number): number | null =>
  value === null ? null : within(by(value));

const LEAST_OF: readonly (readonly [Grade, number])[] = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
];

/**
 * A score of an account: a sum of six parts with fixed weights. It is a convention and no estimate: the weights are chosen, and
 * nothing is measured that it could be wrong about. An unknown part has no weight, and the others have its weight in proportion.
 * @returns no total where parts of fewer than 50 of 100 points are known.
 */
export const accountScore = (account: ScoredAccount): AccountScore => {
  const values: Readonly<Record<ScorePartName, number | null>> = {
    reach: scaled(account.followersPercentile, (percentile) => percentile / 100),
    engagement: scaled(account.engagementPercentile, (percentile) => percentile / 100),
    growth: scaled(account.growthPerDayPct, (pct) => 0.5 + (30 * pct) / (2 * FULL_GROWTH_PCT)),
    activity: scaled(account.postsPerWeek, (posts) => posts / FULL_POSTS),
    age: scaled(account.ageYears, (years) => years / FULL_YEARS),
    reactions: scaled(account.reactionFlags, (flags) => 1 - flags / FULL_FLAGS),
  };
  const known = SCORE_PARTS.reduce((sum, name) => sum + (values[name] === null ? 0 : WEIGHTS[name]), 0);
  const parts = SCORE_PARTS.map((name) => {
    const value = values[name];
    const weight = value === null ? 0 : (100 * WEIGHTS[name]) / known;
    return { name, value, weight, points: (value ?? 0) * weight };
  });
  if (known < MIN_KNOWN_POINTS) return { total: null, parts, known };
  const score = parts.reduce((sum, { points }) => sum + points, 0);
  const grade = LEAST_OF.find(([, least]) => score >= least)?.[0] ?? 'E';
  return { total: { score, grade }, parts, known };
};
