import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { MIN_VALUES, type PlatformMarket, readMarketStats } from '../../../read/marketplace/market-stats.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { quartilesSchema, usdOf } from '../../contract/schemas/marketplace.ts';
import { priceQuartiles } from './market-answers.ts';

const count = z.int().nonnegative();

const platformMarketSchema = z
  .object({
    platform: platformSchema,
    active: count,
    sold: count,
    withdrawn: count,
    asking_usd: quartilesSchema.describe('Asking prices of active listings.'),
    sold_usd: quartilesSchema.describe('Prices paid, where they are known.'),
    volume_usd: z.string().nullable().describe('Sum of the known prices paid; null if none is known.'),
    median_time_to_sell_s: count
      .nullable()
      .describe('Median time from listing to sale, over sales with both times; null if there are too few.'),
    cpm_usd: quartilesSchema.describe(
      'Price of a paid post per thousand views, over offers that state views.',
    ),
  })
  .meta({ id: 'PlatformMarket' });

const marketOf = (market: PlatformMarket): z.input<typeof platformMarketSchema> => ({
  platform: market.platform,
  active: market.active,
  sold: market.sold,
  withdrawn: market.withdrawn,
  asking_usd: priceQuartiles(market.asking),
  sold_usd: priceQuartiles(market.paid),
  volume_usd: usdOf(market.volume),
  median_time_to_sell_s: market.saleTimeS.p50 === null ? null : Math.round(market.saleTimeS.p50),
  cpm_usd: priceQuartiles(market.cpm),
});

const sum = (markets: readonly PlatformMarket[], field: 'active' | 'sold' | 'withdrawn'): number =>
  markets.reduce((total, market) => total + market[field], 0);

export default endpoint({
  operation: 'getMarketplaceStats',
  group: 'marketplace',
  method: 'GET',
  path: '/marketplace/stats',
  scope: 'marketplace:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'Statistics of the marketplaces',
  description: `Listings, sellers and prices by platform. Quartiles are accurate to 1 %, and null for fewer than ${MIN_VALUES} values.`,
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.object({
    active: count,
    sold: count,
    withdrawn: count,
    sellers: count.describe('Sellers with an active or sold listing.'),
    placements: count.describe('Offers of paid posts.'),
    platforms: z.array(platformMarketSchema),
  }),
  errors: [],
  example: {
    data: {
      active: 812,
      sold: 430,
      withdrawn: 96,
      sellers: 377,
      placements: 64,
      platforms: [
        {
          platform: 'x',
          active: 812,
          sold: 430,
          withdrawn: 96,
          asking_usd: { n: 800, p25: '40.12', p50: '150.80', p75: '610.00' },
          sold_usd: { n: 401, p25: '31.90', p50: '118.40', p75: '480.25' },
          volume_usd: '104210.50',
          median_time_to_sell_s: 2_419_200,
          cpm_usd: { n: 64, p25: '3.10', p50: '5.20', p75: '8.44' },
        },
      ],
    },
  },
  handler: async ({ services, queuedReads }) => {
    const { platforms, sellers, placements, confirmedMs } = await readMarketStats(
      queuedReads,
      services.builds,
    );
    return {
      data: {
        active: sum(platforms, 'active'),
        sold: sum(platforms, 'sold'),
        withdrawn: sum(platforms, 'withdrawn'),
        sellers,
        placements,
        platforms: platforms.map(marketOf),
      },
      source: 'catalog',
      readAtMs: confirmedMs,
    };
  },
});
