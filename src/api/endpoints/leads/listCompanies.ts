import { z } from 'zod';
import { type Company, listCompanies } from '../../../read/leads.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { companyFilters, companySchema, EXAMPLE_COMPANY } from '../../contract/schemas/leads.ts';

export default endpoint({
  operation: 'listCompanies',
  group: 'leads',
  method: 'GET',
  path: '/leads/linkedin/companies',
  scope: 'leads:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'Companies of LinkedIn',
  description:
    'Companies whose pages were read, in order of slug; companies whose page is gone are omitted. A company must match all filters. `industry` and `size_band` are null if the page does not show them.',
  params: z.strictObject({}),
  query: z.strictObject(companyFilters),
  data: z.array(companySchema),
  errors: [],
  example: { query: { country: 'AT', size: '51-200' }, data: [EXAMPLE_COMPANY] },
  handler: async ({ query, services, queuedReads, after, limit }) => {
    const page = await listCompanies(queuedReads, services.builds, query, limit, after);
    return {
      data: page.items as (Company & z.output<typeof companySchema>)[],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
