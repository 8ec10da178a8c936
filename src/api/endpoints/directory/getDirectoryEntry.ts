import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { EXAMPLE_ENTRY, entryParams, entrySchema } from '../../contract/schemas/directory.ts';
import { findEntry } from './directory-entries.ts';

export default endpoint({
  operation: 'getDirectoryEntry',
  group: 'directory',
  method: 'GET',
  path: '/directory/{platform}/{id}',
  scope: 'directory:read',
  meter: 'catalog',
  sharesQueries: true,
  list: false,
  summary: 'One entry of the catalog',
  description: 'The newest reading of an account, by handle or by native ID. A native ID survives renames.',
  params: entryParams,
  query: z.strictObject({}),
  data: entrySchema,
  errors: ['not_found'],
  example: { params: { platform: 'x', id: 'nasa' }, data: EXAMPLE_ENTRY },
  handler: async (request) => {
    const found = await findEntry(request);
    return {
      data: found.entry as z.input<typeof entrySchema>,
      source: 'catalog',
      readAtMs: Date.parse(found.oldest_at),
    };
  },
});
