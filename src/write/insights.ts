import { z } from 'zod';
import { platformSchema } from '../kernel/platform.ts';
import { SIZE_BANDS } from '../kernel/size-bands.ts';
import { event, instant, key, list, text } from './log/event-definition.ts';

export const ladderStream = (platform: string): string => `ladder-${platform}`;

const computed = {
  at: instant,
  platform: platformSchema,
  /** The sample behind a figure. */
  population: key(100),
  /** Position of the last event that the figures contain; null if the log can't be asked for it. */
  through: z.uuid().nullable(),
  method: text(100),
};

const count = z.int().nonnegative();

const WEEK_HOURS = 7 * 24;

/** Percentiles 0 to 100 of a ladder. */
const LADDER_POINTS = 101;

/**
 * Figures of a population as of an event. Everything that depends on the time of computing is recorded, so that a rebuilt read
 * model equals the one it replaces. One append has all events of a platform, with equal `at`. The last of them is
 * `PopulationCounted`.
 */
export const ladderEvents = {
  /** Percentiles of a metric over the accounts of a size band. */
  LadderComputed: event({
    ...computed,
    metric: key(100),
    /** Number of the size band by followers; null for the whole population. */
    band: z
      .int()
      .nonnegative()
      .max(SIZE_BANDS.length - 1)
      .nullable(),
    n: count,
    points: z.array(z.number()).length(LADDER_POINTS),
  }),
  /** Engagement of a population by the hour of the week. */
  PopulationPatternsComputed: event({
    ...computed,
    /** Authors in the sample. */
    authors: count,
    /** Posts in the sample. */
    posts: count,
    /** The hours of the week that have a sample, from Monday 00:00 UTC. */
    cells: list(
      z.strictObject({
        hour: count.max(WEEK_HOURS - 1),
        /** Posts, and their authors. */
        n: z.int().positive(),
        authors: z.int().positive(),
        /**
         * Median over authors of their posts' engagement relative to the author's own median, and its 95 % interval; null if too
         * few authors posted in that hour.
         */
        effect: z.number().nullable(),
        low: z.number().nullable(),
        high: z.number().nullable(),
      }),
      { max: WEEK_HOURS, maxChars: WEEK_HOURS, charsOf: () => 1 },
    ),
  }),
  /** Counts of what the catalog has of a platform. */
  PopulationCounted: event({
    ...computed,
    /** Accounts that exist and show their followers; accounts with posts; accounts with enough posts for figures. */
    accounts: count,
    with_posts: count,
    with_figures: count,
    /** Posts in digests; posts that figures rest on; and among these, posts with views and posts from surfaces sorted by time. */
    posts: count,
    sampled: count,
    with_views: count,
    ordered: count,
    /** How strongly successive posts of an account depend on each other: sums over pairs of posts, by measure. */
    dependence: z
      .record(
        key(100),
        z.strictObject({
          pairs: count,
          agreeing: z.int(),
          pairs2: count,
          agreeing2: z.int(),
          correction: z.number(),
          correction2: z.number(),
        }),
      )
      .refine((found) => Object.keys(found).length <= 100, { error: 'must have at most 100 measures' }),
    /**
     * How the number of posts varies: the variance of its ln by octave, and over accounts the mean and variance of ln posts a week.
     */
    pace: z.strictObject({
      variances: z.array(z.number()).max(100),
      rates: z.strictObject({ mean: z.number(), variance: z.number() }).nullable(),
    }),
    /**
     * Intervals in which the followers of the platform's accounts changed alike, with the change of the median account's ln
     * followers.
     */
    moves: list(z.strictObject({ from: instant, to: instant, change: z.number() }), {
      max: 500,
      maxChars: 500,
      charsOf: () => 1,
    }),
    /** The span of time that the posts of the figures cover; null if there are none. */
    window_start: instant.nullable(),
    window_end: instant.nullable(),
  }),
};
