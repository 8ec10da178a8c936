import { z } from 'zod';
import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { dependenceWarnings, engagementFigures, weeklyMedians } from '../../../analysis/engagement.ts';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import {
  described,
  distributionField,
  EXAMPLE_SUBJECT,
  insightParams,
  shownDistribution,
  subjectShape,
  windowDays,
} from '../../contract/schemas/insights.ts';
import {
  coverageOf,
  oldestOf,
  PLATFORM,
  readSubject,
  requirePosts,
  subjectOf,
  warningsOf,
} from './insight-answers.ts';

const DAY_MS = 86_400_000;
const EXAMPLE = { median: 15_400, low: 12_900, high: 19_100, p25: 9_300, p75: 27_000, n: 41 };
const EXAMPLE_RATE = { median: 0.00016, low: 0.00013, high: 0.0002, p25: 0.0001, p75: 0.00029, n: 41 };

export default endpoint({
  operation: 'getXEngagement',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/engagement',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Engagement of the posts of an account of X',
  description: described(
    'Medians and quartiles of ripe original posts, with 95 % intervals, and medians by week. Engagement is the sum of likes, replies, reposts and quotes. Rates divide it by the followers at the time of the post, or by the views of the post. A figure known for fewer than 8 posts is null.',
  ),
  params: insightParams,
  query: z.strictObject({ window_days: windowDays(FIGURES_WINDOW_DAYS) }),
  data: z.object({
    ...subjectShape,
    engagement_rate_followers: distributionField,
    engagement_rate_views: distributionField,
    engagement: distributionField,
    likes: distributionField,
    replies: distributionField,
    reposts: distributionField,
    quotes: distributionField,
    views: distributionField,
    weekly: z
      .array(
        z.object({
          from: z.iso.datetime(),
          days: z
            .number()
            .describe('7; less in the first week if the window is not a whole number of weeks.'),
          posts: z.int(),
          engagement: z.number().nullable(),
          likes: z.number().nullable(),
          views: z.number().nullable(),
        }),
      )
      .describe('Medians of ripe posts by week, the last week ending at the last sighting.'),
  }),
  errors: ['not_found'],
  example: {
    params: { handle: 'nasa' },
    data: {
      ...EXAMPLE_SUBJECT,
      engagement_rate_followers: EXAMPLE_RATE,
      engagement_rate_views: {
        ...EXAMPLE_RATE,
        median: 0.021,
        low: 0.019,
        high: 0.023,
        p25: 0.017,
        p75: 0.026,
      },
      engagement: EXAMPLE,
      likes: { ...EXAMPLE, median: 13_100, low: 11_000, high: 16_200, p25: 8_000, p75: 23_000 },
      replies: { ...EXAMPLE, median: 310, low: 250, high: 402, p25: 190, p75: 560 },
      reposts: { ...EXAMPLE, median: 1_900, low: 1_500, high: 2_400, p25: 1_050, p75: 3_300 },
      quotes: { ...EXAMPLE, median: 120, low: 90, high: 160, p25: 70, p75: 240 },
      views: null,
      weekly: [
        {
          from: '2026-11-14T08:16:00.000Z',
          days: 7,
          posts: 9,
          engagement: 14_800,
          likes: 12_700,
          views: null,
        },
      ],
    },
  },
  handler: async (request) => {
    const subject = await readSubject(request, request.query.window_days ?? FIGURES_WINDOW_DAYS);
    requirePosts(subject);
    const { persistences } = await readLaws(request.services.populations, PLATFORM);
    const figures = engagementFigures(subject.sample, persistences);
    return figureAnswer({
      data: {
        ...subjectOf(subject),
        engagement_rate_followers: shownDistribution(figures.engagement_rate_followers),
        engagement_rate_views: shownDistribution(figures.engagement_rate_views),
        engagement: shownDistribution(figures.engagement),
        likes: shownDistribution(figures.likes),
        replies: shownDistribution(figures.replies),
        reposts: shownDistribution(figures.reposts),
        quotes: shownDistribution(figures.quotes),
        views: shownDistribution(figures.views),
        weekly: weeklyMedians(subject.sample).map(({ fromMs, ...week }, n, all) => ({
          from: isoOf(fromMs),
          days: ((all[n + 1]?.fromMs ?? subject.sample.anchorMs) - fromMs) / DAY_MS,
          ...week,
        })),
      },
      readAtMs: oldestOf(subject),
      coverage: coverageOf(subject),
      warnings: [...warningsOf(subject), ...dependenceWarnings(figures)],
    });
  },
});
