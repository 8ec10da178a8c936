import { z } from 'zod';
import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { engagementOf, INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { viralScores } from '../../../analysis/viral.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import {
  described,
  EXAMPLE_INSIGHT_POST,
  insightParams,
  insightPostSchema,
  windowDays,
} from '../../contract/schemas/insights.ts';
import {
  answeredPosts,
  coverageOf,
  oldestOf,
  pageOfPosts,
  rankedPosts,
  readSubject,
  warningsOf,
} from './insight-answers.ts';

export default endpoint({
  operation: 'listXTopTweets',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/top-tweets',
  scope: 'insights:read',
  meter: 'catalog',
  list: true,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'The posts of an account of X with the most engagement',
  description: described(
    'Original posts of the window, highest count first; posts whose count is unknown come last. Young posts are listed with `is_ripe: false`.',
  ),
  params: insightParams,
  query: z.strictObject({
    sort: z.enum(['engagement', 'likes', 'views']).optional().describe('Default `engagement`.'),
    window_days: windowDays(FIGURES_WINDOW_DAYS),
  }),
  data: z.array(insightPostSchema),
  errors: ['not_found'],
  example: { params: { handle: 'nasa' }, data: [EXAMPLE_INSIGHT_POST] },
  handler: async (request) => {
    const { sort = 'engagement', window_days = FIGURES_WINDOW_DAYS } = request.query;
    const subject = await readSubject(request, window_days);
    const ranked = rankedPosts(subject.sample.published, (post) =>
      sort === 'engagement' ? engagementOf(post) : post[sort],
    );
    const { page, next } = pageOfPosts(ranked, request);
    return figureAnswer({
      data: await answeredPosts(request, subject, page, viralScores(subject.sample)),
      readAtMs:
        page.length === 0
          ? null
          : oldestOf(
              subject,
              page.map(({ post }) => post),
            ),
      next,
      coverage: { ...coverageOf(subject), sampled: subject.sample.published.length },
      warnings: warningsOf(subject),
    });
  },
});
