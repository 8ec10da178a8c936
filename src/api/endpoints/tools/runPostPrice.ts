import { z } from 'zod';
import { dependenceWarnings, engagementFigures } from '../../../analysis/engagement.ts';
import {
  MIN_PLACEMENTS,
  POST_PRICE_LEVEL,
  POST_PRICE_WINDOW_DAYS,
  type PostPrice,
  postPriceOf,
} from '../../../analysis/market.ts';
import { MIN_POSTS } from '../../../analysis/sample.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { dollars } from '../../contract/schemas/marketplace.ts';
import { accountFields, bodyWindowDays, EXAMPLE_INPUTS, levelField } from '../../contract/schemas/tools.ts';
import {
  findAccount,
  inputOf,
  oldestPostMs,
  populationInput,
  readSample,
  tool,
  usdText,
} from './define-tool.ts';

const NOT_KNOWN = [
  'what the account asks for a post, unless it is among the placements',
  'whether views of placements are as stated, and who watches',
];

export default tool({
  operation: 'runPostPrice',
  name: 'post-price',
  title: 'What a paid post of an account would cost',
  description: `The price per thousand views of imported placements on the platform, times the median views of the account's ripe posts, with bounds that contain 80 % of placement prices. It requires ${MIN_PLACEMENTS} placements that state their views, and ${MIN_POSTS} ripe posts with views.`,
  method:
    'Quantiles of the price per thousand views, combined in quadrature with the error of the median views, as in docs/methods/tools.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  body: z.strictObject({
    ...accountFields(),
    window_days: bodyWindowDays(POST_PRICE_WINDOW_DAYS),
  }),
  data: {
    level: levelField,
    platform: platformSchema,
    handle: z.string().nullable(),
    low: dollars,
    mid: dollars,
    high: dollars,
    currency: z.literal('USD'),
    cpm: z.object({ low: dollars, mid: dollars, high: dollars }).describe('Price per thousand views.'),
    basis: z
      .enum(['measured_views', 'stated_views'])
      .describe(
        'Whether the price per thousand views uses views measured by the catalog, or views stated by placements.',
      ),
    placements_n: z.int(),
    measured_n: z
      .int()
      .describe('Placements whose stated views were compared with measured ones; 0 if there are too few.'),
    median_views: z
      .object({ value: z.number(), low: z.number(), high: z.number() })
      .describe('With its 95 % interval.'),
    posts_n: z.int(),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      low: '1440.00',
      mid: '3540.00',
      high: '8760.00',
      currency: 'USD',
      cpm: { low: '2.42', mid: '5.91', high: '14.50' },
      basis: 'measured_views',
      placements_n: 312,
      measured_n: 61,
      median_views: { value: 599_000, low: 512_000, high: 701_000 },
      posts_n: 41,
      level: POST_PRICE_LEVEL,
      inputs: [
        ...EXAMPLE_INPUTS,
        { input: 'placements', observed_at: '2026-07-02T11:00:00.000Z', age_s: 12_258_960 },
      ],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ window_days = POST_PRICE_WINDOW_DAYS, ...account }, request) => {
    const { market, populations } = request.services;
    const found = await findAccount(request, account);
    const { platform, handle } = found.entry;
    const [placements, sample, laws] = await Promise.all([
      market.placements(platform),
      readSample(request, found, window_days),
      readLaws(populations, platform),
    ]);
    const { law } = placements;
    if (law === null) throw insufficient('placements', { had: placements.n, needs: MIN_PLACEMENTS });
    const { views } = engagementFigures(sample, laws.persistences, ['views']);
    if (views === null)
      throw insufficient('views', {
        had: sample.ripe.filter((post) => post.views !== null).length,
        needs: MIN_POSTS,
      });
    const price = postPriceOf(law, views);
    if (price === null) throw insufficient('median_views', { had: views.value, needs: 1 });
    const usdOf = ({ low, mid, high }: Pick<PostPrice, 'low' | 'mid' | 'high'>) => ({
      low: usdText(low),
      mid: usdText(mid),
      high: usdText(high),
    });
    return {
      result: {
        platform,
        handle,
        ...usdOf(price),
        currency: 'USD' as const,
        cpm: usdOf(law.cpm),
        basis: price.basis,
        placements_n: law.n,
        measured_n: law.measured,
        median_views: { value: views.value, low: views.low, high: views.high },
        posts_n: views.n,
        level: POST_PRICE_LEVEL,
        inputs: [
          inputOf('account', Date.parse(found.oldest_at), request.nowMs),
          inputOf('posts', oldestPostMs(sample), request.nowMs),
          inputOf('placements', placements.oldestMs, request.nowMs),
          ...populationInput(laws.population, request.nowMs),
        ],
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: law.n, total: null, capped: false },
      warnings: [...sample.warnings, ...dependenceWarnings({ views })],
    };
  },
});
