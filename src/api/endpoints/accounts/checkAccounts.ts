import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { parseAccountRef } from '../../contract/account-ref.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import { checkInCatalog, readAtMs } from './account-checks.ts';

export default endpoint({
  operation: 'checkAccounts',
  group: 'accounts',
  method: 'POST',
  path: '/accounts/check',
  scope: 'accounts:read',
  meter: 'free',
  list: false,
  summary: 'Check up to 100 accounts in the catalog',
  description:
    'The single check for many accounts, in the order of the request. One invalid handle rejects the batch.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    accounts: z
      .array(z.strictObject({ platform: platformSchema, handle: text(1, 1_024) }))
      .min(1)
      .max(100),
  }),
  data: z.object({ items: z.array(checkSchema) }),
  errors: [],
  example: { body: { accounts: [{ platform: 'x', handle: 'nasa' }] }, data: { items: [EXAMPLE_CHECK] } },
  handler: async (request) => {
    const refs = request.body.accounts.map(({ platform, handle }, i) =>
      parseAccountRef(request.services, platform, handle, `body.accounts.${i}.handle`),
    );
    const found = await Promise.all(refs.map((ref) => checkInCatalog(request, ref)));
    const read = found.flatMap(({ known }) => readAtMs(known) ?? []);
    return {
      data: { items: found.map(({ check }) => check) },
      source: 'catalog',
      readAtMs: read.length === 0 ? null : Math.min(...read),
    };
  },
});
