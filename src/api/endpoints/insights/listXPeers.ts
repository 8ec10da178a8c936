import { z } from 'zod';
import { INSIGHTS_METHOD_VERSION, MIN_POSTS } from '../../../analysis/sample.ts';
import { COHORT_ACCOUNTS, type Neighbour, ratesBeside } from '../../../read/insights/populations.ts';
import type { CursorPosition } from '../../../read/keyset.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { insightParams } from '../../contract/schemas/insights.ts';
import { findSubject, PLATFORM } from './insight-answers.ts';

const number = z.number().nullable();

const peerSchema = z
  .object({
    platform: z.literal('x'),
    handle: z.string(),
    followers: z.int(),
    rank: z.int().nullable().describe('Rank among all of them by engagement by followers; 1 is the highest.'),
    engagement_rate_followers: number,
    engagement_rate_views: number,
    median_views: number,
    posts_per_week: number,
    posts_sampled: z.int(),
    observed_at: z.iso.datetime().describe('Time of the sighting that the figures are from.'),
  })
  .meta({ id: 'Peer' });

/** Whether an account comes after a position: its centre, distance and handle. */
const isAfter = ({ distance, handle }: Neighbour, [, from, name]: CursorPosition): boolean =>
  distance > Number(from) || (distance === Number(from) && handle > String(name));

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
  description: `The ${COHORT_ACCOUNTS} accounts of the catalog with the nearest numbers of followers on a logarithmic scale, nearest first, with medians of their original posts of 30 days. They have from a third to three times as many followers. Accounts with fewer than ${MIN_POSTS} ripe original posts are omitted.`,
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
    const { followers, handle: own } = (await findSubject(request)).entry;
    // Later pages are of the accounts around the same number, though the account has another one by then.
    const centre = after === null ? followers : Number(after[0]);
    const cohort = centre === null ? null : await services.cohorts.near(PLATFORM, centre);
    const accounts = (cohort?.accounts ?? []).filter(({ handle }) => handle !== own);
    const rest = after === null ? accounts : accounts.filter((one) => isAfter(one, after));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const rates = cohort === null ? [] : ratesBeside(cohort, own);
    return figureAnswer({
      data: page.map(({ platform: _, median_likes: __, distance: ___, posts, ...figures }) => ({
        platform: PLATFORM,
        ...figures,
        rank:
          figures.engagement_rate_followers === null
            ? null
            : rates.length - rates.lastIndexOf(figures.engagement_rate_followers),
        posts_sampled: posts,
      })),
      readAtMs: page.length === 0 ? null : Math.min(...page.map((one) => Date.parse(one.observed_at))),
      next:
        last !== undefined && cohort !== null && rest.length > limit
          ? [cohort.centre, last.distance, last.handle]
          : null,
      coverage: { sampled: accounts.length, total: null, capped: accounts.length >= COHORT_ACCOUNTS - 1 },
      warnings: followers === null ? ['followers_unknown'] : [],
    });
  },
});
