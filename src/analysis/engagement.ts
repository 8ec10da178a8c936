import { medianSorted } from 'simple-statistics';
import type { Figure } from '../write/accounts/post.ts';
import {
  type Agreement,
  addAgreement,
  agreementOf,
  catalogPersistence,
  NO_AGREEMENT,
  type Persistence,
} from './dependence.ts';
import { type Distribution, distributionOf, type Observation } from './percentiles.ts';
import { digitsOf } from './rounding.ts';
import { type DatedPost, engagementOf, MIN_POSTS, type Sample } from './sample.ts';

const WEEK_MS = 7 * 86_400_000;
/** Counts below say little of dependence: their signs are ties and chance. */
const LEAST_COUNT = 5;

export const MEASURES = [
  'likes',
  'replies',
  'reposts',
  'quotes',
  'views',
  'engagement',
  'engagement_rate_followers',
  'engagement_rate_views',
] as const;

/** What medians are made of. The two rates have different denominators and are never mixed. */
export type Measure = (typeof MEASURES)[number];

/** Agreement by measure over the accounts of a catalog. */
export type Dependence = Readonly<Record<Measure, Agreement>>;

export type EngagementFigures<Shown extends Measure = Measure> = Readonly<Record<Shown, Distribution | null>>;

export interface Week {
  /** Beginning of the week: whole weeks before the anchor. */
  readonly fromMs: number;
  readonly posts: number;
  readonly engagement: number | null;
  readonly likes: number | null;
  readonly views: number | null;
}

const per = (count: number | null, of: number | null): Observation | null =>
  count === null || of === null || of <= 0 ? null : { count, per: of };

/** What a post adds to a measure; null if a part of it is not known. */
export const observationOf = (post: DatedPost, measure: Measure): Observation | null => {
  if (measure === 'engagement') return per(engagementOf(post), 1);
  if (measure === 'engagement_rate_followers') return per(engagementOf(post), post.followers);
  if (measure === 'engagement_rate_views') return per(engagementOf(post), post.views);
  return per(post[measure], 1);
};

const observationsOf = (posts: readonly DatedPost[], measure: Measure): readonly Observation[] =>
  posts.map((post) => observationOf(post, measure)).filter((one) => one !== null);

const FIGURE_OF: Readonly<Record<Measure, Figure>> = {
  likes: 'likes',
  replies: 'replies',
  reposts: 'reposts',
  quotes: 'quotes',
  views: 'views',
  engagement: 'likes',
  engagement_rate_followers: 'likes',
  engagement_rate_views: 'likes',
};

const medianOf = (values: readonly number[]): number => medianSorted(values.toSorted((a, b) => a - b));

/** What an account adds to the dependence of a catalog; nothing where its posts are few or their counts small. */
export const dependenceOf = ({ ripe }: Sample): Dependence =>
  Object.fromEntries(
    MEASURES.map((measure) => {
      const all = observationsOf(ripe, measure);
      if (all.length < MIN_POSTS || medianOf(all.map(({ count }) => count)) < LEAST_COUNT)
        return [measure, NO_AGREEMENT];
      const values = all.map((one) => one.count / one.per);
      return [measure, agreementOf(values, medianOf(values))];
    }),
  ) as unknown as Dependence;

export const addDependence = (a: Dependence, b: Dependence): Dependence =>
  Object.fromEntries(
    MEASURES.map((measure) => [measure, addAgreement(a[measure], b[measure])]),
  ) as unknown as Dependence;

export const NO_DEPENDENCE: Dependence = Object.fromEntries(
  MEASURES.map((measure) => [measure, NO_AGREEMENT]),
) as unknown as Dependence;

/** Persistence by measure, computed once for a catalog. */
export type Persistences = Readonly<Record<Measure, Persistence>>;

export const persistencesOf = (dependence: Dependence = NO_DEPENDENCE): Persistences =>
  Object.fromEntries(
    MEASURES.map((measure) => [measure, catalogPersistence(dependence[measure])]),
  ) as unknown as Persistences;

/**
 * Medians and quartiles of what posts earned, with 95 % intervals; null where fewer than 8 ripe posts show it.
 * Engagement is the number of likes, replies, reposts and quotes. By followers: those as of the post; by views: those of
 * the same post. Assumptions: `median.ts`.
 * @param measures those that are wanted.
 */
export const engagementFigures = <Shown extends Measure = Measure>(
  sample: Sample,
  persistences: Persistences,
  measures: readonly Shown[] = MEASURES as readonly Measure[] as readonly Shown[],
): EngagementFigures<Shown> => {
  const digitsBy = new Map<Figure, number | null>();
  return Object.fromEntries(
    measures.map((measure) => {
      const all = observationsOf(sample.ripe, measure);
      if (all.length < MIN_POSTS) return [measure, null];
      const figure = FIGURE_OF[measure];
      const known = digitsBy.get(figure);
      const digits = known === undefined ? digitsOf(sample.ripe.map((post) => post[figure])) : known;
      digitsBy.set(figure, digits);
      return [measure, distributionOf(all, persistences[measure], digits)];
    }),
  ) as unknown as EngagementFigures<Shown>;
};

/** A warning if a figure rests on posts that don't tell how strongly they depend on one another. */
export const dependenceWarnings = (
  figures: Partial<Readonly<Record<Measure, Distribution | null>>>,
): readonly 'dependence_unclear'[] =>
  Object.values(figures).some((figure) => figure?.isUnclear === true) ? ['dependence_unclear'] : [];

/** Medians of ripe posts by week, counted back from the anchor; the first week may be a part of one. */
export const weeklyMedians = ({ ripe, anchorMs, fromMs }: Sample): readonly Week[] => {
  const weeks = Math.ceil((anchorMs - fromMs) / WEEK_MS);
  const groups: DatedPost[][] = Array.from({ length: weeks }, () => []);
  for (const post of ripe) groups[weeks - 1 - Math.floor((anchorMs - post.atMs) / WEEK_MS)]?.push(post);
  const middle = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : medianOf(known);
  };
  return groups.map((posts, n) => ({
    fromMs: Math.max(fromMs, anchorMs - (weeks - n) * WEEK_MS),
    posts: posts.length,
    engagement: middle(posts.map(engagementOf)),
    likes: middle(posts.map(({ likes }) => likes)),
    views: middle(posts.map(({ views }) => views)),
  }));
};
