import { z } from 'zod';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { FRAMING, oldestSightingMs, PLATFORM, requirePopulation } from './insight-answers.ts';

const count = z.int().nonnegative();
const instant = z.iso.datetime().nullable();

export default endpoint({
  operation: 'getXDataCoverage',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/data-coverage',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Data behind the insights on X',
  description:
    'How many accounts and posts of X are in the catalog, and how many of them the figures use, as of the last computation.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.object({
    platform: z.literal('x'),
    framing: z.string(),
    accounts: count.describe('Accounts that the last reading found and that show their followers.'),
    accounts_with_posts: count,
    accounts_with_figures: count.describe('Accounts with at least 8 ripe original posts in their window.'),
    posts: count.describe('Newest posts of accounts, at most 500 each.'),
    posts_sampled: count.describe('Posts that the figures use.'),
    posts_with_views: count.describe('Of these.'),
    posts_ordered: count.describe('Of these, posts from surfaces that sort by time.'),
    window_start: instant,
    window_end: instant,
    computed_at: z.iso.datetime(),
  }),
  errors: [],
  example: {
    data: {
      platform: 'x',
      framing: FRAMING,
      accounts: 51_200,
      accounts_with_posts: 38_110,
      accounts_with_figures: 8_120,
      posts: 702_340,
      posts_sampled: 109_300,
      posts_with_views: 108_700,
      posts_ordered: 109_300,
      window_start: '2026-10-20T06:40:00.000Z',
      window_end: '2026-11-21T06:40:00.000Z',
      computed_at: '2026-11-21T06:41:00.000Z',
    },
  },
  handler: async ({ services }) => {
    const population = await requirePopulation(services);
    const { counts } = population;
    return figureAnswer({
      data: {
        platform: PLATFORM,
        framing: FRAMING,
        accounts: counts.accounts,
        accounts_with_posts: counts.with_posts,
        accounts_with_figures: counts.with_figures,
        posts: counts.posts,
        posts_sampled: counts.sampled,
        posts_with_views: counts.with_views,
        posts_ordered: counts.ordered,
        window_start: counts.window_start,
        window_end: counts.window_end,
        computed_at: counts.computed_at,
      },
      readAtMs: oldestSightingMs(population),
      coverage: { sampled: counts.with_figures, total: counts.accounts, capped: false },
      warnings: [],
    });
  },
});
