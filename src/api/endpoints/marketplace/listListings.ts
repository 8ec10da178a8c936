import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { LISTING_SORTS, listListings } from '../../../read/marketplace/listings.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT, text, wholeNumber } from '../../contract/parse-request.ts';
import { dollarAmount, EXAMPLE_LISTING, listingSchema } from '../../contract/schemas/marketplace.ts';
import { listingAnswer } from './market-answers.ts';

const MAX_FOLLOWERS = Number.MAX_SAFE_INTEGER;

export default endpoint({
  operation: 'listListings',
  group: 'marketplace',
  method: 'GET',
  path: '/marketplace/listings',
  scope: 'marketplace:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'Accounts that are for sale',
  description:
    'Active listings; `status` selects sold or withdrawn ones instead. Price and followers are as stated by the marketplace; `verified_metrics` is the catalog’s own reading of the account.',
  params: z.strictObject({}),
  query: z.strictObject({
    platform: platformSchema.optional(),
    status: z.enum(['active', 'sold', 'withdrawn']).optional().describe('Default `active`.'),
    seller: text(1, 400).optional().describe('`id` of a seller.'),
    min_price_usd: dollarAmount().optional().describe('Asking price in US dollars, such as `99.95`.'),
    max_price_usd: dollarAmount().optional(),
    min_followers: wholeNumber(0, MAX_FOLLOWERS).optional().describe('As the seller states them.'),
    max_followers: wholeNumber(0, MAX_FOLLOWERS).optional(),
    sort: z
      .enum(LISTING_SORTS)
      .optional()
      .describe(
        'Default `recent`: most recently changed first. `price` and `price_per_1k_followers` sort ascending, `price_desc` and `followers` descending. Unknown values sort last.',
      ),
  }),
  queryRules: [
    { kind: 'ordered', least: 'min_price_usd', most: 'max_price_usd' },
    { kind: 'ordered', least: 'min_followers', most: 'max_followers' },
  ],
  data: z.array(listingSchema),
  errors: [],
  example: { query: { platform: 'instagram', sort: 'price' }, data: [EXAMPLE_LISTING] },
  handler: async ({ query, services, queuedReads, after, limit }) => {
    const filters = {
      status: query.status ?? ('active' as const),
      platform: query.platform,
      seller: query.seller,
      minPrice: query.min_price_usd,
      maxPrice: query.max_price_usd,
      minFollowers: query.min_followers,
      maxFollowers: query.max_followers,
    };
    const sort = query.sort ?? 'recent';
    const page = await listListings(queuedReads, services.builds, filters, sort, limit, after);
    const answers = await Promise.all(page.items.map((item) => listingAnswer(services, item)));
    return {
      data: answers.map(({ listing }) => listing),
      source: 'catalog',
      readAtMs: answers.length === 0 ? null : Math.min(...answers.map(({ readAtMs }) => readAtMs)),
      next: page.next,
    };
  },
});
