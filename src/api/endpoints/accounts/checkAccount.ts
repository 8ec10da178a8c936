import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { accountParams, checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import { accountRef, catalogAnswer, checkInCatalog } from './account-checks.ts';

export default endpoint({
  operation: 'checkAccount',
  group: 'accounts',
  method: 'GET',
  path: '/accounts/{platform}/{handle}',
  scope: 'accounts:read',
  meter: 'free',
  sharesQueries: true,
  list: false,
  summary: 'Check an account in the catalog',
  description:
    'Whether the account exists, how large it is, and the age of the reading. `exists` is null for an account that was never read. It is also null for a handle that its account has left; `renamed_to` then has the current handle.',
  params: accountParams,
  query: z.strictObject({}),
  data: checkSchema,
  errors: [],
  example: { params: { platform: 'x', handle: 'nasa' }, data: EXAMPLE_CHECK },
  handler: async (request) => {
    const { check, known } = await checkInCatalog(request, accountRef(request.services, request.params));
    return catalogAnswer(check, known);
  },
});
