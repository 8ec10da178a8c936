import { z } from 'zod';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { LEAST_MULTIPLE, listPopulationViralPosts } from '../../../read/insights/viral-posts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { time, wholeNumber } from '../../contract/parse-request.ts';
import { PLATFORM } from './insight-answers.ts';

const postSchema = z
  .object({
    handle: z.string(),
    id: z.string(),
    url: z.string().nullable(),
    at: z.iso.datetime(),
    text: z.string().nullable().describe('Null if it is no longer kept.'),
    engagement: z.int(),
    multiple: z.number(),
    robust_z: z.number(),
    observed_at: z.iso.datetime(),
  })
  .meta({ id: 'PopulationViralPost' });

export default endpoint({
  operation: 'listXPopulationViralPosts',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/viral-posts',
  scope: 'insights:read',
  meter: 'catalog',
  list: true,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Posts on X furthest above the median of their author',
  description:
    'Ripe original posts of the 30 days before the last sighting of their authors, by robust z-score, highest first. Each has at least three times its author’s median engagement and a robust z-score of at least 3.5; at most three are listed per author. A page may be short although it has a `next_cursor`.',
  params: z.strictObject({}),
  query: z.strictObject({
    min_multiple: wholeNumber(LEAST_MULTIPLE, 1_000_000)
      .optional()
      .describe(`Minimum multiple of the author's median; default ${LEAST_MULTIPLE}.`),
    since: time().optional().describe('Published at this time or later.'),
  }),
  data: z.array(postSchema),
  errors: [],
  example: {
    query: { min_multiple: 10 },
    data: [
      {
        handle: 'nasa',
        id: '1990000000000000000',
        url: 'https://x.com/nasa/status/1990000000000000000',
        at: '2026-11-02T19:00:00.000Z',
        text: 'Liftoff.',
        engagement: 284_100,
        multiple: 18.4,
        robust_z: 5.1,
        observed_at: '2026-11-21T08:16:00.000Z',
      },
    ],
  },
  handler: async ({ services, queuedReads, query, limit, after }) => {
    const minMultiple = query.min_multiple ?? LEAST_MULTIPLE;
    const page = await listPopulationViralPosts(
      queuedReads,
      services.builds,
      { platform: PLATFORM, minMultiple, since: query.since },
      limit,
      after,
    );
    return figureAnswer({
      data: page.items.map(({ handle, post, at, score, content, ...rest }) => ({
        handle,
        id: post,
        url: content?.url ?? null,
        at,
        text: content?.text ?? null,
        robust_z: score,
        ...rest,
      })),
      readAtMs: page.oldestMs,
      next: page.next,
      coverage: { sampled: page.items.length, total: null, capped: page.next !== null },
      warnings: [],
    });
  },
});
