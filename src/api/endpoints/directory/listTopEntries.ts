import { z } from 'zod';
import { listEntries } from '../../../read/directory/list.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { directoryPlatform, EXAMPLE_ENTRY, entrySchema } from '../../contract/schemas/directory.ts';
import { entryListAnswer } from './directory-entries.ts';

export default endpoint({
  operation: 'listTopEntries',
  group: 'directory',
  method: 'GET',
  path: '/directory/top',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  summary: 'Largest and fastest growing accounts',
  description:
    'Ranked by followers, or by the gain in the 7 or 30 days before the last sighting. Accounts without that value are omitted.',
  params: z.strictObject({}),
  query: z.strictObject({
    by: z.enum(['followers', 'growth_7d', 'growth_30d']).optional().describe('Default `followers`.'),
    platform: directoryPlatform.optional(),
  }),
  data: z.array(entrySchema),
  errors: [],
  example: { query: { by: 'followers', platform: 'x' }, data: [EXAMPLE_ENTRY] },
  handler: async ({ query, services, lists, after, limit }) => {
    const filters = { platform: query.platform, ranked: true };
    return entryListAnswer(
      await listEntries(lists, services.builds, filters, query.by ?? 'followers', limit, after),
    );
  },
});
