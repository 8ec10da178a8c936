import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { confirmedListingsMs, MIN_VALUES, readPricing } from '../../../read/marketplace/market-stats.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { quartilesSchema } from '../../contract/schemas/marketplace.ts';
import { priceQuartiles } from './market-answers.ts';

const count = z.int().nonnegative();

const bandSchema = z
  .object({
    platform: platformSchema,
    min_followers: count,
    max_followers: count.nullable().describe('null: no maximum.'),
    asking_per_1k_usd: quartilesSchema.describe('Of active listings.'),
    sold_per_1k_usd: quartilesSchema.describe('Of sold listings, by the price paid.'),
  })
  .meta({ id: 'PriceBand' });

export default endpoint({
  operation: 'getMarketplacePricing',
  group: 'marketplace',
  method: 'GET',
  path: '/marketplace/pricing',
  scope: 'marketplace:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'Current prices per thousand followers',
  description: `Quartiles of the price per thousand stated followers, by platform and follower band, separately for asking prices and prices paid. They are accurate to 1 %, and null for fewer than ${MIN_VALUES} values. Bands without any price are omitted.`,
  params: z.strictObject({}),
  query: z.strictObject({ platform: platformSchema.optional() }),
  data: z.object({ bands: z.array(bandSchema) }),
  errors: [],
  example: {
    query: { platform: 'x' },
    data: {
      bands: [
        {
          platform: 'x',
          min_followers: 10_000,
          max_followers: 49_999,
          asking_per_1k_usd: { n: 211, p25: '4.20', p50: '11.90', p75: '30.15' },
          sold_per_1k_usd: { n: 8, p25: null, p50: null, p75: null },
        },
      ],
    },
  },
  handler: async ({ query, services, queuedReads }) => {
    const [bands, readAtMs] = await Promise.all([
      readPricing(queuedReads, services.builds, query.platform),
      confirmedListingsMs(queuedReads, services.builds),
    ]);
    return {
      data: {
        bands: bands.map((band) => ({
          platform: band.platform,
          min_followers: band.minFollowers,
          max_followers: band.maxFollowers,
          asking_per_1k_usd: priceQuartiles(band.asking),
          sold_per_1k_usd: priceQuartiles(band.sold),
        })),
      },
      source: 'catalog',
      readAtMs,
    };
  },
});
