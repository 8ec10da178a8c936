import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { accountParams, checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import { accountKey, catalogAnswer, checkInCatalog } from './account-checks.ts';

export default endpoint({
  operation: 'checkAccount',
  group: 'accounts',
  method: 'GET',
  path: '/accounts/{platform}/{handle}',
  scope: 'accounts:read',
  meter: 'free',
  list: false,
  summary: 'Check an account in the catalog',
  description:
    'Whether the account exists, how large it is, and the age of that reading. An account that was never read returns `exists: null`.',
  params: accountParams,
  query: z.strictObject({}),
  data: checkSchema,
  errors: [],
  example: { params: { platform: 'x', handle: 'nasa' }, data: EXAMPLE_CHECK },
  handler: async (request) => {
    const key = accountKey(request.services, request.params);
    const { check, known } = await checkInCatalog(request, key);
    return catalogAnswer(check, known);
  },
});
