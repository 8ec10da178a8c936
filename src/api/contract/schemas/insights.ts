import { z } from 'zod';
import type { Distribution } from '../../../analysis/percentiles.ts';
import type { Cell } from '../../../analysis/posting-patterns.ts';
import { text, wholeNumber } from '../parse-request.ts';
import { accountText } from './accounts.ts';

export const insightParams = z.strictObject({
  handle: accountText,
});

/** @param usual days without the parameter. */
export const windowDays = (usual: number) =>
  wholeNumber(7, 365)
    .optional()
    .describe(`Length of the window before the account's last sighting, in days; default ${usual}.`);

export const timezone = text(1, 64)
  .optional()
  .describe('IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.');

export const intervalSchema = z
  .object({ low: z.number(), high: z.number() })
  .describe('95 % interval.')
  .meta({ id: 'Interval' });

const count = z.int().nonnegative();

const distributionSchema = z
  .object({
    median: z.number(),
    low: z.number(),
    high: z.number(),
    p25: z.number(),
    p75: z.number(),
    n: count,
  })
  .describe('Median with its 95 % interval, quartiles, and the number of posts.')
  .meta({ id: 'PostDistribution' });

export const distributionField = distributionSchema.nullable();

/** A distribution as answers show it. */
export const shownDistribution = (found: Distribution | null): z.input<typeof distributionField> => {
  if (found === null) return null;
  const { value: median, low, high, p25, p75, n } = found;
  return { median, low, high, p25, p75, n };
};

const instant = z.iso.datetime();

const windowSchema = z
  .object({ days: count, from: instant, to: instant })
  .describe('The time window of the posts. It ends at the last sighting of the account.')
  .meta({ id: 'InsightWindow' });

export const subjectShape = {
  platform: z.literal('x'),
  handle: z.string().nullable(),
  followers: count.nullable(),
  posts_sampled: count.describe(
    'Ripe original posts: their counts were read at least 72 hours after publication.',
  ),
  window: windowSchema,
};

const number = z.number().nullable();

export const insightPostSchema = z
  .object({
    id: z.string(),
    url: z.string().nullable(),
    at: instant,
    kind: z.enum(['original', 'reply', 'repost', 'quote']),
    text: z.string().nullable().describe('Null if it is no longer kept.'),
    likes: count.nullable(),
    replies: count.nullable(),
    reposts: count.nullable(),
    quotes: count.nullable(),
    views: count.nullable(),
    engagement: count.nullable().describe('Likes, replies, reposts and quotes, as far as they are shown.'),
    engagement_rate_followers: number.describe('Engagement divided by followers at the time of the post.'),
    multiple: number.describe("Engagement divided by the median of the author's ripe posts."),
    robust_z: number.describe(
      '0.6745 (x - median) / MAD, with x = ln(1 + engagement); null if half of the posts have the same engagement.',
    ),
    is_ripe: z.boolean(),
    observed_at: instant.describe('When the oldest of the counts was read.'),
  })
  .meta({ id: 'InsightPost' });

export type InsightPost = z.input<typeof insightPostSchema>;

/** A sentence that all descriptions of figures share. */
export const described = (what: string): string => `${what} ${WARNINGS}`;

export const bandSchema = z.object({ min_followers: count, max_followers: count.nullable() });

export const effectShape = {
  effect_pct: z.number(),
  low: z.number(),
  high: z.number(),
};

export const patternCellSchema = z
  .object({
    weekday: z.int().min(1).max(7).describe('ISO 8601: 1 is Monday.'),
    hour: z.int().min(0).max(23),
    n: z.int().describe('Ripe posts of the hour.'),
    ...effectShape,
    significant: z.boolean(),
  })
  .meta({ id: 'PatternCell' });

/** An hour of the week as answers show it. */
export const shownCell = ({ weekday, ...cell }: Cell): z.input<typeof patternCellSchema> => ({
  weekday: weekday + 1,
  ...cell,
});

const EXAMPLE_WINDOW = {
  days: 30,
  from: '2026-10-22T08:16:00.000Z',
  to: '2026-11-21T08:16:00.000Z',
};

export const EXAMPLE_SUBJECT = {
  platform: 'x' as const,
  handle: 'nasa',
  followers: 96_000_000,
  posts_sampled: 41,
  window: EXAMPLE_WINDOW,
};

export const EXAMPLE_INSIGHT_POST: InsightPost = {
  id: '1990000000000000000',
  url: 'https://x.com/nasa/status/1990000000000000000',
  at: '2026-11-02T19:00:00.000Z',
  kind: 'original',
  text: 'Liftoff.',
  likes: 241_000,
  replies: 4_800,
  reposts: 35_200,
  quotes: 3_100,
  views: 12_100_000,
  engagement: 284_100,
  engagement_rate_followers: 0.00296,
  multiple: 18.4,
  robust_z: 5.1,
  is_ripe: true,
  observed_at: '2026-11-21T08:16:00.000Z',
};

const WARNINGS =
  '`meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).';
