import { z } from 'zod';
import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { dependenceWarnings, engagementFigures } from '../../../analysis/engagement.ts';
import { percentileAmong } from '../../../analysis/percentiles.ts';
import { lackOf } from '../../../analysis/sample.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { distributionField, shownDistribution } from '../../contract/schemas/insights.ts';
import { accountFields, bodyWindowDays, EXAMPLE_INPUTS, levelField } from '../../contract/schemas/tools.ts';
import { findAccount, inputOf, oldestPostMs, populationInput, readSample, tool } from './define-tool.ts';

const LEVEL = 0.95;

export default tool({
  operation: 'runEngagementRate',
  name: 'engagement-rate',
  title: 'Engagement of the posts of an account',
  description:
    'Medians of ripe original posts, with 95 % intervals and quartiles: engagement by followers at the time of the post, engagement by views, and engagement as a count. Also the percentile of the engagement by followers in the size band of the platform.',
  method: 'Medians and order statistics that withstand hot streaks, as in docs/methods/insights.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  body: z.strictObject({
    ...accountFields(),
    window_days: bodyWindowDays(FIGURES_WINDOW_DAYS),
  }),
  data: {
    level: levelField,
    platform: platformSchema,
    handle: z.string().nullable(),
    followers: z.int().nonnegative().nullable(),
    window_days: z.int(),
    posts_n: z.int(),
    engagement_rate_followers: distributionField,
    engagement_rate_views: distributionField,
    median_engagement: distributionField,
    percentile: z
      .number()
      .nullable()
      .describe(
        'Percentile of the rate by followers in the size band of the platform; null before ladders are computed.',
      ),
    percentile_interval: z
      .object({ low: z.number(), high: z.number(), accounts: z.int() })
      .nullable()
      .describe(
        '95 % interval of the percentile, and the number of accounts in the size band; null if the percentile is.',
      ),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      followers: 96_000_000,
      window_days: 30,
      posts_n: 41,
      engagement_rate_followers: {
        median: 0.00016,
        low: 0.00013,
        high: 0.0002,
        p25: 0.0001,
        p75: 0.00029,
        n: 41,
      },
      engagement_rate_views: null,
      median_engagement: { median: 15_400, low: 12_900, high: 19_100, p25: 9_300, p75: 27_000, n: 41 },
      percentile: 38,
      percentile_interval: { low: 24, high: 52, accounts: 412 },
      level: LEVEL,
      inputs: EXAMPLE_INPUTS,
      not_known: ['views that the platform does not show'],
    },
  },
  run: async (body, request) => {
    const { window_days = FIGURES_WINDOW_DAYS } = body;
    const found = await findAccount(request, body);
    const sample = await readSample(request, found, window_days);
    const lack = lackOf(sample);
    if (lack !== null) throw insufficient('posts', lack);
    const { platform, handle, followers } = found.entry;
    const { persistences, population } = await readLaws(request.services.populations, platform);
    const figures = engagementFigures(sample, persistences);
    const rate = figures.engagement_rate_followers;
    const band = followers === null ? null : sizeBandOf(followers);
    const ladder = population?.ladders.find(
      (one) => one.metric === 'engagement_rate_followers' && one.band === band,
    );
    const percentile = rate === null || ladder === undefined ? null : percentileAmong(rate, ladder.points);
    return {
      result: {
        platform,
        handle,
        followers,
        window_days,
        posts_n: sample.ripe.length,
        engagement_rate_followers: shownDistribution(rate),
        engagement_rate_views: shownDistribution(figures.engagement_rate_views),
        median_engagement: shownDistribution(figures.engagement),
        percentile: percentile?.value ?? null,
        percentile_interval:
          percentile === null || ladder === undefined
            ? null
            : { low: percentile.low, high: percentile.high, accounts: ladder.n },
        level: LEVEL,
        inputs: [
          inputOf('account', Date.parse(found.oldest_at), request.nowMs),
          inputOf('posts', oldestPostMs(sample), request.nowMs),
          ...populationInput(population, request.nowMs),
        ],
        not_known: figures.views === null ? ['views, which the readings of its posts do not show'] : [],
      },
      coverage: {
        sampled: sample.ripe.length,
        total: sample.isCovered ? sample.published.length : null,
        capped: false,
      },
      warnings: [...sample.warnings, ...dependenceWarnings(figures)],
    };
  },
});
