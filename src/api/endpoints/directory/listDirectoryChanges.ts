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
  isFeed: true,
  summary: 'Changes of accounts in the catalog',
  description:
    'In log order, for mirroring the catalog: store `meta.resume_cursor`, and send it as `cursor` for the changes since. It is bound to the filters, and lasts as long as the operator keeps the secret that signed it.',
  params: z.strictObject({}),
  query: z.strictObject({
    platform: directoryPlatform.optional(),
    kind: z.enum(CHANGE_KINDS).optional(),
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
    const page = await listChanges(lists, services.builds, query, limit, after);
    return {
      data: page.items as z.input<typeof changeSchema>[],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
      resumeAt: page.resumeAt,
    };
  },
});
