import { z } from 'zod';
import {
  FACTORS,
  MIN_COMPARABLES,
  type PricedAccount,
  VALUE_LEVEL,
  type Value,
  valueAccount,
} from '../../../analysis/market.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { oldestShownAt } from '../../../write/accounts/profile.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { dollars } from '../../contract/schemas/marketplace.ts';
import { accountFields, EXAMPLE_INPUTS, levelField } from '../../contract/schemas/tools.ts';
import { requireVisible } from '../../pipeline/visible-services.ts';
import { checkAge, findKnownAccount, inputOf, tool, usdText } from './define-tool.ts';

const YEAR_MS = 365.25 * 86_400_000;

const NOT_KNOWN = [
  'what a buyer would pay for this account: no offer for it was asked for',
  'who follows it, what it earns, and what its name is worth beside its followers',
  'whether imported sales are those of the market as a whole',
];

const priceSchema = z.object({
  n: z.int().describe('Comparables, of all platforms.'),
  low: dollars,
  mid: dollars,
  high: dollars,
  left_out: z
    .int()
    .nonnegative()
    .describe('Newest comparables that are left out, as no follower ever cost what they say.'),
});

const usdOf = ({ low, mid, high }: Pick<Value, 'low' | 'mid' | 'high'>) => ({
  low: usdText(low),
  mid: usdText(mid),
  high: usdText(high),
});

export default tool({
  operation: 'runValuation',
  name: 'valuation',
  title: 'Estimated sale price of an account',
  description:
    'The estimated price of an account from imported sales: a middle value, and bounds that contain 80 % of prices paid. For LinkedIn it requires the scope `leads:read`. Prices paid and asking prices are separate: `low`, `mid` and `high` are prices paid. `mid` is the price of the typical sale (`typical`) times the multiples of all factors.',
  method:
    'Robust regression of ln sold price on ln followers, age, engagement and platform with shrinkage, and quantiles of its leave-one-out errors, as in docs/methods/tools.md.',
  platforms: PLATFORMS,
  upstreamReads: 0,
  version: '2',
  body: z.strictObject(accountFields(PLATFORMS)),
  data: {
    level: levelField,
    platform: platformSchema,
    handle: z.string().nullable(),
    followers: z.int().positive(),
    low: dollars,
    mid: dollars,
    high: dollars,
    currency: z.literal('USD'),
    comparables_n: z.int().describe('Sales of the platform.'),
    sold: priceSchema,
    asking: priceSchema
      .nullable()
      .describe(`Estimated asking price; null for fewer than ${MIN_COMPARABLES} offers of the platform.`),
    typical: dollars,
    factors: z.array(
      z.object({
        factor: z.enum(FACTORS),
        value: z.number().nullable().describe('Followers, years, or engagement by followers.'),
        multiple: z
          .number()
          .nullable()
          .describe(
            'Null if the value is unknown, or is an engagement of 0, which has no logarithm; the factor then has no effect.',
          ),
      }),
    ),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      followers: 96_000_000,
      low: '41200.00',
      mid: '132000.00',
      high: '425000.00',
      currency: 'USD',
      comparables_n: 214,
      sold: { n: 1_480, low: '41200.00', mid: '132000.00', high: '425000.00', left_out: 0 },
      asking: { n: 730, low: '54600.00', mid: '178000.00', high: '588000.00', left_out: 2 },
      typical: '62.40',
      factors: [
        { factor: 'followers', value: 96_000_000, multiple: 1_540 },
        { factor: 'platform', value: null, multiple: 0.92 },
        { factor: 'age', value: 18.9, multiple: 1.61 },
        { factor: 'engagement', value: 0.00016, multiple: 0.93 },
      ],
      level: VALUE_LEVEL,
      inputs: [
        ...EXAMPLE_INPUTS.slice(0, 1),
        { input: 'comparables', observed_at: '2026-07-02T11:00:00.000Z', age_s: 12_258_960 },
      ],
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    const { market } = request.services;
    requireVisible(request, body.platform, 'followers');
    const [known, prices] = await Promise.all([findKnownAccount(request, body), market.accounts()]);
    const { platform, name, handle, followers, created_at } = known;
    const readMs = Date.parse(oldestShownAt(known, { followers }));
    checkAge(request, body, readMs);
    if (followers === null) throw insufficient('followers', { had: 0, needs: 1 });
    if (followers === 0)
      throw new ServiceError('insufficient_data', 'No price is known of accounts without a follower.', {
        details: [{ path: 'followers', message: 'are 0: a price takes at least one' }],
      });
    const soldOn = prices.soldOn.get(platform) ?? 0;
    const account: PricedAccount = {
      platform,
      followers,
      ageYears: created_at === null ? null : Math.max(0, (request.nowMs - Date.parse(created_at)) / YEAR_MS),
      engagementRate: name === null ? null : await market.engagementRate(platform, name),
    };
    const value = prices.sold === null ? null : valueAccount(prices.sold, account);
    if (prices.sold === null || value === null)
      throw insufficient('comparables', { had: soldOn, needs: MIN_COMPARABLES });
    const asking = prices.asking === null ? null : valueAccount(prices.asking, account);
    const values = {
      followers,
      platform: null,
      age: account.ageYears,
      engagement: account.engagementRate,
    };
    return {
      result: {
        platform,
        handle,
        followers,
        ...usdOf(value),
        currency: 'USD' as const,
        comparables_n: soldOn,
        sold: { n: prices.sold.n, ...usdOf(value), left_out: prices.leftOut.sold },
        asking:
          asking === null
            ? null
            : { n: prices.asking?.n ?? 0, ...usdOf(asking), left_out: prices.leftOut.asking },
        typical: usdText(value.typical),
        factors: value.factors.map(({ factor, multiple }) => ({ factor, value: values[factor], multiple })),
        level: VALUE_LEVEL,
        inputs: [
          inputOf('account', readMs, request.nowMs),
          inputOf('comparables', prices.oldestMs, request.nowMs),
        ],
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: prices.sold.n, total: null, capped: prices.isCapped },
      warnings: value.isBeyond ? ['followers_beyond_comparables'] : [],
    };
  },
});
