import { z } from 'zod';
import { listSellers, SELLER_SORTS } from '../../../read/marketplace/listings.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { usdOf } from '../../contract/schemas/marketplace.ts';

const count = z.int().nonnegative();

const sellerSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    active: count.describe('Listings on sale.'),
    sold: count,
    volume_usd: z
      .string()
      .nullable()
      .describe('Sum of the known prices paid, in US dollars; null if none is known.'),
    priced_sales: count.describe('Sales whose price is known.'),
    median_time_to_sell_s: count
      .nullable()
      .describe(
        'Median time from listing to sale, over sales with both times, accurate to 1 %; null without any.',
      ),
  })
  .meta({ id: 'Seller' });

export default endpoint({
  operation: 'listSellers',
  group: 'marketplace',
  method: 'GET',
  path: '/marketplace/sellers',
  scope: 'marketplace:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'Leaderboard of sellers',
  description: 'Sellers with an active or sold listing, highest value of `sort` first.',
  params: z.strictObject({}),
  query: z.strictObject({
    sort: z.enum(SELLER_SORTS).optional().describe('Default `sold`.'),
  }),
  data: z.array(sellerSchema),
  errors: [],
  example: {
    query: { sort: 'volume' },
    data: [
      {
        id: 'market.example:s-77',
        name: 'Ada',
        active: 12,
        sold: 31,
        volume_usd: '10441.90',
        priced_sales: 29,
        median_time_to_sell_s: 1_987_200,
      },
    ],
  },
  handler: async ({ query, services, queuedReads, after, limit }) => {
    const page = await listSellers(queuedReads, services.builds, query.sort ?? 'sold', limit, after);
    return {
      data: page.items.map(({ id, name, active, sold, volume, priced, medianSaleS }) => ({
        id,
        name,
        active,
        sold,
        volume_usd: usdOf(volume),
        priced_sales: priced,
        median_time_to_sell_s: medianSaleS,
      })),
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
