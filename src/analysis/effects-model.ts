import type { Persistences } from './engagement.ts';
import { type Offsets, weekHour } from './local-time.ts';
import type { DatedPost } from './post.ts';
import { type PostTraits, postTraits } from './post-traits.ts';
import { autoregressiveFit, type Fit } from './regression.ts';
import { isLack, LEAST_DEVIATION, responseOf } from './response.ts';
import type { Lack, Sample } from './sample.ts';

/**
 * What engagement goes with: ln engagement by followers = level + trend + cosine and sine of the day and of the week
 * (the cosinor of Halberg 1969) + traits of the post + errors of a first-order autoregression. One model answers for
 * hours and for content: media that are posted in the evening make the evening look good, and the evening the media.
 */
export interface EffectsModel {
  readonly fit: Fit;
  readonly posts: readonly DatedPost[];
  /** Local hours of the week. */
  readonly hours: readonly number[];
  readonly rows: readonly (readonly number[])[];
  /** Places of the coefficients. */
  readonly day: readonly number[];
  /** Empty where the posts span too few weeks. */
  readonly week: readonly number[];
  readonly firstTrait: number;
  readonly traits: PostTraits;
}

const WEEK_MS = 7 * 86_400_000;
/** A weekday that was seen less often can't be separated from its week. */
const LEAST_WEEKS = 4;
const TAU = 2 * Math.PI;

/** First harmonics of day and week at a time of the week. */
export const harmonicsOf = (hour: number, withWeek: boolean): readonly number[] => {
  const [day, week] = [(TAU * hour) / 24, (TAU * hour) / 168];
  const daily = [Math.cos(day), Math.sin(day)];
  return withWeek ? [...daily, Math.cos(week), Math.sin(week)] : daily;
};

/** Correlation of successive ln engagements in the catalog. */
const correlationOf = ({ engagement_rate_followers: { sign } }: Persistences): number =>
  Math.sin((Math.PI / 2) * sign);

/** @returns the lack of posts or of engagement; null if the posts are too alike for a model. */
export const effectsModel = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): EffectsModel | Lack | null => {
  const response = responseOf(sample);
  if (response === null || isLack(response)) return response;
  const { posts, y, kept } = response;
  const [first, last] = [posts[0]?.atMs ?? 0, posts.at(-1)?.atMs ?? 0];
  const withWeek = last - first >= LEAST_WEEKS * WEEK_MS;
  const traits = postTraits(posts);
  const hours = posts.map(({ atMs }) => weekHour(atMs, offsets));
  const rows = posts.map(({ atMs }, i) => [
    1,
    (atMs - first) / Math.max(1, last - first) - 0.5,
    ...harmonicsOf(hours[i] as number, withWeek),
    ...traits.columns.map(({ column }) => (column[i] === true ? 1 : 0)),
  ]);
  const fit = autoregressiveFit(y, rows, correlationOf(persistences));
  // A model that leaves nothing unexplained has intervals of no width.
  if (fit === null || fit.variance < LEAST_DEVIATION ** 2) return null;
  return {
    fit: {
      df: fit.df,
      variance: fit.variance,
      coefficients: fit.coefficients.map((value) => value / kept),
      covariance: fit.covariance.map((row) => row.map((value) => value / kept ** 2)),
    },
    posts,
    hours,
    rows,
    day: [2, 3],
    week: withWeek ? [4, 5] : [],
    firstTrait: withWeek ? 6 : 4,
    traits,
  };
};
