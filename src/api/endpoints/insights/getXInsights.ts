import { z } from 'zod';
import {
  FIGURES_WINDOW_DAYS,
  postsPerWeek,
  postsPerWeekInterval,
} from '../../../analysis/account-figures.ts';
import { dependenceWarnings, engagementFigures } from '../../../analysis/engagement.ts';
import { type Estimate, type Percentile, percentileAmong } from '../../../analysis/percentiles.ts';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import type { Entry } from '../../../read/directory/entry.ts';
import { type Laws, readLaws } from '../../../read/insights/laws.ts';
import { type Cohort, ratesBeside } from '../../../read/insights/populations.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import {
  bandSchema,
  described,
  EXAMPLE_SUBJECT,
  insightParams,
  intervalSchema,
  subjectShape,
  windowDays,
} from '../../contract/schemas/insights.ts';
import {
  bandOf,
  coverageOf,
  intervalOf,
  oldestOf,
  PLATFORM,
  readSubject,
  requirePosts,
  type Subject,
  subjectOf,
  warningsOf,
} from './insight-answers.ts';

const interval = intervalSchema.nullable();
const share = z.number().min(0).max(100).nullable();

const cohortSchema = z
  .object({
    accounts: z
      .int()
      .describe(
        'The accounts nearest in ln(followers), from a third to three times as many, with enough posts.',
      ),
    min_followers: z.int().nullable(),
    max_followers: z.int().nullable(),
    band: bandSchema,
    band_accounts: z.int().nullable(),
    percentile_in_band: share,
  })
  .nullable();

/** Where a rate is among the nearest accounts without the account itself, and in the ladder of its size band. */
const cohortOf = (
  rate: Estimate | null,
  { handle, followers }: Pick<Entry, 'handle' | 'followers'>,
  near: Cohort | null,
  { population }: Laws,
): { readonly percentile: Percentile | null; readonly cohort: z.input<typeof cohortSchema> } => {
  if (followers === null || near === null) return { percentile: null, cohort: null };
  const rates = ratesBeside(near, handle);
  const percentile = rate === null ? null : percentileAmong(rate, rates);
  const sizes = near.accounts
    .filter((one) => one.handle !== handle && one.engagement_rate_followers !== null)
    .map((one) => one.followers);
  const number = sizeBandOf(followers);
  const ladder = population?.ladders.find(
    ({ metric, band }) => metric === 'engagement_rate_followers' && band === number,
  );
  const inBand = rate === null || ladder === undefined ? null : percentileAmong(rate, ladder.points);
  return {
    percentile,
    cohort: {
      accounts: sizes.length,
      min_followers: sizes.length === 0 ? null : Math.min(...sizes),
      max_followers: sizes.length === 0 ? null : Math.max(...sizes),
      band: bandOf(number),
      band_accounts: ladder?.n ?? null,
      percentile_in_band: inBand?.value ?? null,
    },
  };
};

/** When the account published last, whatever the kind of the post; null if no post has a time. */
const lastPostAt = ({ digest, sample }: Subject): string | null => {
  let lastMs = 0;
  for (const { atMs } of digest.posts)
    if (atMs !== null && atMs > lastMs && atMs <= sample.anchorMs) lastMs = atMs;
  return lastMs === 0 ? null : isoOf(lastMs);
};

export default endpoint({
  operation: 'getXInsights',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Key figures of an account of X',
  description: described(
    'Medians of original posts, each with a 95 % interval in `intervals`: engagement by followers at the time of the post, engagement by views, and views. Also posts per week, and the percentile of the engagement by followers among the accounts nearest in size. Rates are shares: 0.01 is 1 %.',
  ),
  params: insightParams,
  query: z.strictObject({ window_days: windowDays(FIGURES_WINDOW_DAYS) }),
  data: z.object({
    ...subjectShape,
    engagement_rate_followers: z.number().nullable(),
    engagement_rate_views: z.number().nullable(),
    percentile_in_cohort: share,
    cohort: cohortSchema,
    median_views: z.number().nullable(),
    posts_per_week: z.number().nullable(),
    last_post_at: z.iso.datetime().nullable(),
    intervals: z.object({
      engagement_rate_followers: interval,
      engagement_rate_views: interval,
      percentile_in_cohort: interval,
      median_views: interval,
      posts_per_week: interval,
    }),
  }),
  errors: ['not_found'],
  example: {
    params: { handle: 'nasa' },
    data: {
      ...EXAMPLE_SUBJECT,
      engagement_rate_followers: 0.00016,
      engagement_rate_views: 0.021,
      percentile_in_cohort: 38,
      cohort: {
        accounts: 200,
        min_followers: 8_100_000,
        max_followers: 171_000_000,
        band: { min_followers: 10_000_000, max_followers: null },
        band_accounts: 212,
        percentile_in_band: 35,
      },
      median_views: 721_000,
      posts_per_week: 12.1,
      last_post_at: '2026-11-20T19:00:00.000Z',
      intervals: {
        engagement_rate_followers: { low: 0.00013, high: 0.0002 },
        engagement_rate_views: { low: 0.019, high: 0.023 },
        percentile_in_cohort: { low: 29, high: 47 },
        median_views: { low: 581_000, high: 902_000 },
        posts_per_week: { low: 9.2, high: 15.6 },
      },
    },
  },
  handler: async (request) => {
    const subject = await readSubject(request, request.query.window_days ?? FIGURES_WINDOW_DAYS);
    requirePosts(subject);
    const { followers } = subject.found.entry;
    const [laws, near] = await Promise.all([
      readLaws(request.services.populations, PLATFORM),
      followers === null ? null : request.services.cohorts.near(PLATFORM, followers),
    ]);
    const { sample } = subject;
    const figures = engagementFigures(sample, laws.persistences);
    const pace = postsPerWeekInterval(sample, laws.pace);
    const rate = figures.engagement_rate_followers;
    const { percentile, cohort } = cohortOf(rate, subject.found.entry, near, laws);
    return figureAnswer({
      data: {
        ...subjectOf(subject),
        engagement_rate_followers: rate?.value ?? null,
        engagement_rate_views: figures.engagement_rate_views?.value ?? null,
        percentile_in_cohort: percentile?.value ?? null,
        cohort,
        median_views: figures.views?.value ?? null,
        posts_per_week: postsPerWeek(sample),
        last_post_at: lastPostAt(subject),
        intervals: {
          engagement_rate_followers: intervalOf(rate),
          engagement_rate_views: intervalOf(figures.engagement_rate_views),
          percentile_in_cohort: intervalOf(percentile),
          median_views: intervalOf(figures.views),
          posts_per_week: pace,
        },
      },
      readAtMs: oldestOf(subject),
      coverage: coverageOf(subject),
      warnings: [
        ...warningsOf(subject),
        ...dependenceWarnings(figures),
        ...(laws.population === null ? ['population_unknown'] : []),
        ...(percentile === null ? ['cohort_small'] : []),
      ],
    });
  },
});
