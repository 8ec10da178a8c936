import { z } from 'zod';
import { isoOf } from '../../../kernel/clock.ts';
import { listEntries } from '../../../read/directory/list.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { directoryPlatform, EXAMPLE_ENTRY, entrySchema } from '../../contract/schemas/directory.ts';
import { entryListAnswer } from './directory-entries.ts';

const DAY_MS = 86_400_000;

/** How long ago an account may have been seen last, to be ranked by its growth until then. */
const GROWTH_DAYS: Readonly<Record<string, number | undefined>> = { growth_7d: 7, growth_30d: 30 };

export default endpoint({
  operation: 'listTopEntries',
  group: 'directory',
  method: 'GET',
  path: '/directory/top',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'Largest and fastest growing accounts',
  description:
    'Accounts that the last reading found, ranked by followers or by growth. Growth is the followers at the last sighting minus those at the newest sighting at least 7 (or 30) and at most 60 days earlier. Rankings by growth include only accounts seen in the last 7 (or 30) days. Accounts whose value is unknown are omitted.',
  params: z.strictObject({}),
  query: z.strictObject({
    by: z.enum(['followers', 'growth_7d', 'growth_30d']).optional().describe('Default `followers`.'),
    platform: directoryPlatform.optional(),
  }),
  data: z.array(entrySchema),
  errors: [],
  example: { query: { by: 'followers', platform: 'x' }, data: [EXAMPLE_ENTRY] },
  handler: async ({ query, services, queuedReads, after, limit, nowMs }) => {
    const by = query.by ?? 'followers';
    const days = GROWTH_DAYS[by];
    const filters = {
      platform: query.platform,
      ranked: true,
      present: true,
      seen_since: days === undefined ? undefined : isoOf(nowMs - days * DAY_MS),
    };
    return entryListAnswer(await listEntries(queuedReads, services.builds, filters, by, limit, after));
  },
});
