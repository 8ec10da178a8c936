import { z } from 'zod';
import { listDecisionMakers } from '../../../read/leads.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { decisionMakerFilters, decisionMakerSchema } from '../../contract/schemas/leads.ts';
import { resolveCompanySlug } from './company-slug.ts';

export default endpoint({
  operation: 'listDecisionMakers',
  group: 'leads',
  method: 'GET',
  path: '/leads/linkedin/people',
  scope: 'leads:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'Decision makers of LinkedIn',
  description:
    'People whose pages were read and whose title is that of an owner, a partner, or a director or above, in order of slug; `seniority` selects other titles. People whose page is gone are omitted. `seniority` and `function` are derived from the title, and null if it does not show them. `industry` and `size` are those of the employer; with them, a page may have fewer items than `limit` although `next_cursor` leads to more.',
  params: z.strictObject({}),
  query: z.strictObject(decisionMakerFilters),
  data: z.array(decisionMakerSchema),
  errors: [],
  example: {
    query: { seniority: 'cxo', function: 'engineering' },
    data: [
      {
        id: 'ada-lovelace',
        name: 'Ada Lovelace',
        title: 'Chief Technology Officer',
        seniority: 'cxo',
        function: 'engineering',
        company: { id: 'acme', name: 'Acme' },
        location: 'Graz',
        country: 'AT',
        profile_url: 'https://www.linkedin.com/in/ada-lovelace',
        last_seen_at: '2026-11-22T08:16:26.281Z',
      },
    ],
  },
  handler: async ({ query, services, queuedReads, after, limit }) => {
    const company =
      query.company === undefined ? undefined : resolveCompanySlug(services, query.company, 'query.company');
    const page = await listDecisionMakers(queuedReads, services.builds, { ...query, company }, limit, after);
    return {
      data: page.items as z.output<typeof decisionMakerSchema>[],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
