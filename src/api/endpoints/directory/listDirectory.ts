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
  operation: 'listDirectory',
  group: 'directory',
  method: 'GET',
  path: '/directory',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'The catalog of all directory platforms',
  description: 'Entries of the six directory platforms, filtered and sorted.',
  params: z.strictObject({}),
  query: z.strictObject({ platform: directoryPlatform.optional(), ...entryFilters }),
  data: z.array(entrySchema),
  errors: [],
  example: { query: { min_followers: 1000000, sort: 'followers' }, data: [EXAMPLE_ENTRY] },
  handler: async ({ query, services, queuedReads, after, limit }) =>
    entryListAnswer(
      await listEntries(
        queuedReads,
        services.builds,
        filtersOf(query),
        query.sort ?? 'followers',
        limit,
        after,
      ),
    ),
});
