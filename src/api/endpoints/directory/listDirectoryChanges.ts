import { z } from 'zod';
import { CHANGE_KINDS, listChanges } from '../../../read/directory/changes.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { directoryPlatform } from '../../contract/schemas/directory.ts';

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();

const changeSchema = z
  .object({
    position: z.string(),
    at: z.iso.datetime(),
    platform: directoryPlatform,
    id: z
      .string()
      .nullable()
      .describe('The native ID; null if the platform has none or it was unknown at the time.'),
    handle: z.string().nullable().describe('Null for an account without a handle.'),
    kind: z.enum(CHANGE_KINDS),
    before: value,
    after: value,
  })
  .meta({ id: 'DirectoryChange' });

export default endpoint({
  operation: 'listDirectoryChanges',
  group: 'directory',
  method: 'GET',
  path: '/directory/changes',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  summary: 'Changes of accounts in the catalog',
  description:
    'In log order, for mirroring the catalog: store the last `position` and continue with `after`.',
  params: z.strictObject({}),
  query: z.strictObject({
    platform: directoryPlatform.optional(),
    kind: z.enum(CHANGE_KINDS).optional(),
    after: z
      .string()
      .regex(/^\d{1,18}$/, 'must be a position of an earlier response')
      .optional()
      .describe('Only changes after this position.'),
  }),
  data: z.array(changeSchema),
  errors: [],
  example: {
    query: { kind: 'renamed' },
    data: [
      {
        position: '48211',
        at: '2026-11-21T08:16:00.000Z',
        platform: 'x',
        id: '11348282',
        handle: 'nasa_hq',
        kind: 'renamed',
        before: 'nasa',
        after: 'nasa_hq',
      },
    ],
  },
  handler: async ({ query, services, lists, after, limit }) => {
    const { platform, kind, after: since } = query;
    const filters = { platform, kind, after: since };
    const page = await listChanges(lists, services.builds, filters, limit, after);
    return {
      data: page.items as z.input<typeof changeSchema>[],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
