import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { findListing } from '../../../read/marketplace/listings.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXAMPLE_LISTING, listingParams, listingSchema } from '../../contract/schemas/marketplace.ts';
import { listingAnswer } from './market-answers.ts';

export default endpoint({
  operation: 'getListing',
  group: 'marketplace',
  method: 'GET',
  path: '/marketplace/listings/{id}',
  scope: 'marketplace:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'One listing',
  description: 'A listing by its ID, also after it was sold or withdrawn.',
  params: listingParams,
  query: z.strictObject({}),
  data: listingSchema,
  errors: ['not_found'],
  example: { params: { id: 'market.example:8812' }, data: EXAMPLE_LISTING },
  handler: async ({ params, services, queuedReads }) => {
    const found = await findListing(queuedReads, services.builds, params.id);
    if (found === null) throw new ServiceError('not_found', 'No marketplace has such a listing.');
    const { listing, readAtMs } = await listingAnswer(services, found);
    return { data: listing, source: 'catalog', readAtMs };
  },
});
