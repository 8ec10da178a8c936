import { z } from 'zod';
import { listEntries } from '../../../read/directory/list.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import {
  directoryPlatform,
  EXAMPLE_ENTRY,
  entryFilters,
  entrySchema,
} from '../../contract/schemas/directory.ts';
import { entryListAnswer, filtersOf } from './directory-entries.ts';

export default endpoint({
  operation: 'listPlatformDirectory',
  group: 'directory',
  method: 'GET',
  path: '/directory/{platform}',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'The catalog of one platform',
  description: 'Entries of one platform, filtered and sorted.',
  params: z.strictObject({ platform: directoryPlatform }),
  query: z.strictObject(entryFilters),
  data: z.array(entrySchema),
  errors: [],
  example: { params: { platform: 'x' }, query: { q: 'nasa' }, data: [EXAMPLE_ENTRY] },
  handler: async ({ params, query, services, queuedReads, after, limit }) => {
    const filters = { ...filtersOf(query), platform: params.platform };
    return entryListAnswer(
      await listEntries(queuedReads, services.builds, filters, query.sort ?? 'followers', limit, after),
    );
  },
});
