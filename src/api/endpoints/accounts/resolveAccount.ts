import { z } from 'zod';
import { accountOfText } from '../../contract/account-url.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import { catalogAnswer, checkInCatalog } from './account-checks.ts';

export default endpoint({
  operation: 'resolveAccount',
  group: 'accounts',
  method: 'GET',
  path: '/accounts/resolve',
  scope: 'accounts:read',
  meter: 'free',
  list: false,
  summary: 'Check the account of a profile URL',
  description: 'Accepts a profile URL of any platform, or `platform:handle`, and checks that account.',
  params: z.strictObject({}),
  query: z.strictObject({ url: text(1, 2_048) }),
  data: checkSchema,
  errors: [],
  example: { query: { url: 'https://x.com/nasa' }, data: EXAMPLE_CHECK },
  handler: async (request) => {
    const { check, known } = await checkInCatalog(
      request,
      accountOfText(request.services, request.query.url),
    );
    return catalogAnswer(check, known);
  },
});
