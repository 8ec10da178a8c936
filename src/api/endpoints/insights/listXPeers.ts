import { z } from 'zod';
import { INSIGHTS_METHOD_VERSION } from '../../../read/analysis/post.ts';
import { MIN_POSTS } from '../../../read/analysis/sample.ts';
import type { CursorPosition } from '../../../read/cursor.ts';
import { COHORT_ACCOUNTS, type Cohort, NO_COHORT } from '../../../read/insights/cohort.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { insightParams } from '../../contract/schemas/insights.ts';
import { findSubject, PLATFORM } from './insight-subject.ts';

const number = z.number().nullable();

const peerSchema = z
  .object({
    platform: z.literal('x'),
    handle: z.string(),
    followers: z.int(),
    rank: z
      .int()
      .nullable()
      .describe('By engagement by followers among all of them, the account included; 1 is the most.'),
    engagement_rate_followers: number,
    engagement_rate_views: number,
    median_views: number,
    posts_per_week: number,
    posts_sampled: z.int(),
    observed_at: z.iso.datetime().describe('The sighting that its figures are as of.'),
  })
  .meta({ id: 'Peer' });

/** Where a page begins: after the last account of the page before, which may have moved, or where it was if it is gone. */
const startAfter = (accounts: Cohort['accounts'], after: CursorPosition | null): number => {
  if (after === null) return 0;
  const at = accounts.findIndex(({ handle }) => handle === after[1]);
  return at < 0 ? Number(after[0]) : at + 1;
};

export default endpoint({
  operation: 'listXPeers',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/peers',
  scope: 'insights:read',
  meter: 'catalog',
  list: true,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Accounts of X of about the same size',
  description: `The ${COHORT_ACCOUNTS} accounts of the catalog whose followers are nearest by their logarithm, the nearest first, with medians of their originals of 30 days. Accounts with fewer than ${MIN_POSTS} ripe originals are left out, the account itself included.`,
  params: insightParams,
  query: z.strictObject({}),
  data: z.array(peerSchema),
  errors: ['not_found'],
  example: {
    params: { handle: 'nasa' },
    data: [
      {
        platform: 'x',
        handle: 'natgeo',
        followers: 94_100_000,
        rank: 41,
        engagement_rate_followers: 0.0002,
        engagement_rate_views: 0.018,
        median_views: 402_000,
        posts_per_week: 20.5,
        posts_sampled: 78,
        observed_at: '2026-11-21T07:10:00.000Z',
      },
    ],
  },
  handler: async (request) => {
    const { services, after, limit } = request;
    const { followers } = (await findSubject(request)).entry;
    const { accounts, rates } =
      followers === null ? NO_COHORT : await services.cohorts.near(PLATFORM, followers);
    const start = startAfter(accounts, after);
    const page = accounts.slice(start, start + limit);
    const last = page.at(-1);
    const end = start + page.length;
    return figureAnswer({
      data: page.map(({ platform: _, median_likes: __, posts, ...figures }) => ({
        platform: PLATFORM,
        ...figures,
        rank:
          figures.engagement_rate_followers === null
            ? null
            : rates.length - rates.lastIndexOf(figures.engagement_rate_followers),
        posts_sampled: posts,
      })),
      readAtMs: page.length === 0 ? null : Math.min(...page.map((one) => Date.parse(one.observed_at))),
      next: last !== undefined && end < accounts.length ? [end, last.handle] : null,
      coverage: { sampled: accounts.length, total: null, capped: accounts.length === COHORT_ACCOUNTS },
      warnings: followers === null ? ['followers_unknown'] : [],
    });
  },
});
