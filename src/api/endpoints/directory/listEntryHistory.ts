import { z } from 'zod';
import { listHistory } from '../../../read/directory/changes.ts';
import { HISTORIC_CHANGES, HISTORY_FIELDS } from '../../../write/accounts/profile.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { entryParams, exampleFacts, factShape } from '../../contract/schemas/directory.ts';
import { findEntry } from './directory-entries.ts';

const pointSchema = z
  .object({
    at: z.iso.datetime(),
    handle: z.string().nullable(),
    ...factShape(HISTORY_FIELDS),
  })
  .meta({ id: 'HistoryPoint' });

export default endpoint({
  operation: 'listEntryHistory',
  group: 'directory',
  method: 'GET',
  path: '/directory/{platform}/{id}/history',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'History of an account',
  description: `The first reading of each day, and each reading that found a change of ${['handle', ...HISTORIC_CHANGES].map((name) => `\`${name}\``).join(' or ')}; newest first.`,
  params: entryParams,
  query: z.strictObject({}),
  data: z.array(pointSchema),
  errors: ['not_found'],
  example: {
    params: { platform: 'x', id: 'nasa' },
    data: [{ at: '2026-11-21T00:16:00.000Z', handle: 'nasa', ...exampleFacts(HISTORY_FIELDS) }],
  },
  handler: async (request) => {
    const { services, queuedReads, after, limit } = request;
    const found = await findEntry(request);
    const page = await listHistory(queuedReads, services.builds, found, limit, after);
    return {
      data: [...page.items],
      source: 'catalog',
      readAtMs: page.oldestMs ?? Date.parse(found.last_seen_at),
      next: page.next,
    };
  },
});
