import { z } from 'zod';
import { rankInLadder } from '../../../analysis/percentiles.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { accountFields, EXAMPLE_INPUTS, handleField } from '../../contract/schemas/tools.ts';
import { findAccount, inputOf, tool } from './define-tool.ts';

const FRAMING =
  'Accounts of the catalog that the last reading found and that show their followers: what crawlers discovered, not a random sample of the platform.';
const NOT_KNOWN = [
  'the rank among all accounts of the platform: the catalog is a part of them',
  'how accounts are spread within a percent: the ranks of the first percent are between rank_low and rank_high',
];
const MIN_ACCOUNTS = 30;

export default tool({
  operation: 'runFollowerRank',
  name: 'follower-rank',
  title: 'Rank of an account or of a number of followers',
  description:
    'The share of accounts with fewer followers and the rank from the top, for an account or a number of followers. Each has bounds between which it certainly lies.',
  method:
    'The platform’s ladder of follower percentiles, accurate to 1 %. Between two percentiles, the rank is interpolated at a constant growth factor.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  version: '2',
  body: z
    .strictObject({
      ...accountFields(),
      handle: handleField.optional(),
      followers: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    })
    .refine(({ handle, followers }) => (handle === undefined) !== (followers === undefined), {
      error: 'exactly one of handle and followers is expected',
    })
    .meta({ oneOf: [{ required: ['handle'] }, { required: ['followers'] }] }),
  data: {
    platform: platformSchema,
    handle: z.string().nullable(),
    followers: z.int().nonnegative(),
    percentile: z.number(),
    low: z.number(),
    high: z.number(),
    rank_estimate: z.int().positive(),
    rank_low: z.int().positive(),
    rank_high: z.int().positive(),
    accounts: z.int(),
    framing: z.string(),
  },
  example: {
    body: { platform: 'x', followers: 10_000 },
    data: {
      platform: 'x',
      handle: null,
      followers: 10_000,
      percentile: 88.2,
      low: 88,
      high: 89,
      rank_estimate: 6_042,
      rank_low: 5_634,
      rank_high: 6_144,
      accounts: 51_200,
      framing: FRAMING,
      inputs: [{ input: 'population', observed_at: EXAMPLE_INPUTS[0]?.observed_at ?? null, age_s: 840 }],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ platform, handle, max_age_s, followers: given }, request) => {
    const found = handle === undefined ? null : await findAccount(request, { platform, handle, max_age_s });
    const followers = given ?? found?.entry.followers ?? null;
    if (followers === null)
      throw new ServiceError('insufficient_data', 'The number of its followers is not known.', {
        details: [{ path: 'followers', message: 'has 0, needs 1' }],
      });
    const population = await request.services.populations.of(platform);
    const ladder = population?.ladders.find(({ metric, band }) => metric === 'followers' && band === null);
    if (population === null || ladder === undefined)
      throw insufficient('accounts', {
        had: population?.counts.accounts ?? 0,
        needs: MIN_ACCOUNTS,
      });
    const { percentile, low, high, rank, rankLow, rankHigh, n } = rankInLadder(
      ladder.points,
      ladder.n,
      followers,
    );
    return {
      result: {
        platform,
        handle: found?.entry.handle ?? null,
        followers,
        percentile,
        low,
        high,
        rank_estimate: rank,
        rank_low: rankLow,
        rank_high: rankHigh,
        accounts: n,
        framing: FRAMING,
        inputs: [
          inputOf('population', Date.parse(population.counts.computed_at), request.nowMs),
          ...(found === null ? [] : [inputOf('account', Date.parse(found.oldest_at), request.nowMs)]),
        ],
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: n, total: null, capped: false },
    };
  },
});
