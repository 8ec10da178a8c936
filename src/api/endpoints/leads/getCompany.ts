import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { findCompany } from '../../../read/leads.ts';
import { demand, demandText } from '../../contract/demand.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { companySchema, EXAMPLE_COMPANY } from '../../contract/schemas/leads.ts';
import { resolveCompanySlug } from './company-slug.ts';

export default endpoint({
  operation: 'getCompany',
  group: 'leads',
  method: 'GET',
  path: '/leads/linkedin/companies/{id}',
  scope: 'leads:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'One company of LinkedIn',
  description:
    'The facts of a company page, as last read. The ID of a company is its slug: public pages show no other ID.',
  params: z.strictObject({
    id: text(1, 1_024).describe('Slug of the company, as in the address of its page.'),
  }),
  query: z.strictObject({}),
  data: companySchema,
  errors: ['not_found'],
  example: { params: { id: 'acme' }, data: EXAMPLE_COMPANY },
  handler: async (request) => {
    const { params, services, queuedReads } = request;
    const slug = resolveCompanySlug(services, params.id, 'params.id');
    const found = await findCompany(queuedReads, services.builds, slug);
    if (found === null) {
      const demanded = await demand(request, {
        platform: 'linkedin',
        by: 'handle',
        value: `company:${slug}`,
      });
      throw new ServiceError('not_found', 'The catalog has no such company.', {
        details: [{ path: 'params.id', message: demandText(demanded), ...demanded }],
      });
    }
    return {
      data: found.company as z.output<typeof companySchema>,
      source: 'catalog',
      readAtMs: found.seenMs,
    };
  },
});
