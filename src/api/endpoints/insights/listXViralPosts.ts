import { z } from 'zod';
import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { engagementOf, INSIGHTS_METHOD_VERSION, MIN_POSTS } from '../../../analysis/sample.ts';
import { viralScores } from '../../../analysis/viral.ts';
import { LEAST_MULTIPLE } from '../../../read/insights/viral-posts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { wholeNumber } from '../../contract/parse-request.ts';
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
  operation: 'listXViralPosts',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/viral-posts',
  scope: 'insights:read',
  meter: 'catalog',
  list: true,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Posts of an account of X far above its median',
  description: described(
    `Ripe original posts whose engagement is at least \`min_multiple\` times the median of all of them, highest multiple first. With fewer than ${MIN_POSTS} ripe posts the list is empty; \`meta.coverage\` has their number.`,
  ),
  params: insightParams,
  query: z.strictObject({
    min_multiple: wholeNumber(1, 1_000_000)
      .optional()
      .describe(`Minimum multiple of the median; default ${LEAST_MULTIPLE}.`),
    window_days: windowDays(FIGURES_WINDOW_DAYS),
  }),
  data: z.array(insightPostSchema),
  errors: ['not_found'],
  example: { params: { handle: 'nasa' }, query: { min_multiple: 5 }, data: [EXAMPLE_INSIGHT_POST] },
  handler: async (request) => {
    const { min_multiple = LEAST_MULTIPLE, window_days = FIGURES_WINDOW_DAYS } = request.query;
    const subject = await readSubject(request, window_days);
    const scores = viralScores(subject.sample) ?? [];
    const multiples = new Map(scores.map(({ post, multiple }) => [post.id, multiple]));
    // By engagement, whose order is that of the multiples: these change for all posts when the median does.
    const ranked = rankedPosts(
      subject.sample.ripe.filter(({ id }) => (multiples.get(id) ?? 0) >= min_multiple),
      engagementOf,
    );
    const { page, next } = pageOfPosts(ranked, request);
    return figureAnswer({
      data: await answeredPosts(request, subject, page, scores),
      readAtMs: page.length === 0 ? null : oldestOf(subject),
      next,
      coverage: coverageOf(subject),
      warnings: warningsOf(subject),
    });
  },
});
