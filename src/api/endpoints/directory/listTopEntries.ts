import { z } from 'zod';
import { listEntries } from '../../../read/directory/list.ts';
import { endpoint } from '../../contract/endpoint.ts';
import {
  directoryPlatform,
  EXAMPLE_ENTRY,
  entryListAnswer,
  entrySchema,
} from '../../contract/schemas/directory.ts';

export default endpoint({
  operation: 'listTopEntries',
  group: 'directory',
  method: 'GET',
  path: '/directory/top',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  summary: 'The largest and the fastest growing accounts',
  description:
    'Ranked by followers, or by how many were gained in the 7 or 30 days before the last sighting. Accounts for which that is not known are left out.',
  params: z.strictObject({}),
  query: z.strictObject({
    by: z
      .enum(['followers', 'growth_7d', 'growth_30d'])
      .optional()
      .describe('`followers` where it is not given.'),
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
