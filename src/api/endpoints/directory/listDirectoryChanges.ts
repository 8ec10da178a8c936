import { z } from 'zod';
import { CHANGE_KINDS, changedValuesSchema, listChanges } from '../../../read/directory/changes.ts';
import { REPORTED_FIELDS } from '../../../write/accounts/profile.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { directoryPlatform } from '../../contract/schemas/directory.ts';

const value = z
  .union([z.string(), z.number(), z.boolean(), changedValuesSchema.meta({ id: 'ChangedValues' })])
  .nullable();

const KINDS = [
  '`discovered`: null, and the values of the new entry',
  '`renamed`: handles; the later one is null if the entry lost its handle to another entry',
  '`suspended`, `deactivated`, `absent`, `private`, `public`, `restored`: statuses; `restored` ends one of the first three',
  '`verified`, `unverified`: the badge, null where it is unknown',
  '`jumped`: followers, after a change of at least a fifth and a thousand',
  '`erased`: null; delete all that you have of the account, at once',
  `\`profile\`: the changed values among ${[...REPORTED_FIELDS, 'id'].map((name) => `\`${name}\``).join(', ')}`,
].join('; ');

const changeSchema = z
  .object({
    position: z.string(),
    at: z.iso.datetime(),
    platform: directoryPlatform,
    id: z
      .string()
      .nullable()
      .describe('The native ID; null if the platform has none or it was unknown at the time.'),
    handle: z.string().nullable().describe('The handle after the change; null for an account without one.'),
    kind: z.enum(CHANGE_KINDS),
    before: value.describe(`Value before the change, by kind: ${KINDS}.`),
    after: value.describe('Value after the change, in the same form as `before`.'),
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
  maxLimit: EXPORT_LIMIT,
  summary: 'Changes of accounts in the catalog',
  description:
    'Changes in log order, for mirroring the catalog. They cover all fields of an entry except counts, posts and the times of readings. A row is about the entry with its `id` or, if `id` is null, with its handle (for a rename, the former handle). An entry left with neither was found to be the same account as another one: drop it. Store `meta.resume_cursor`, and send it later as `cursor` to get the changes since. It is bound to the filters and valid as long as the operator keeps the secret that signed it.',
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
  handler: async ({ query, services, queuedReads, after, isFromNow, limit }) => {
    const page = await listChanges(queuedReads, services.builds, query, limit, isFromNow ? 'now' : after);
    return {
      data: page.items as z.input<typeof changeSchema>[],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
      resumeAt: page.resumeAt,
    };
  },
});
