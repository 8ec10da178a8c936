import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import type { AccountKey } from '../../../read/accounts/lookups.ts';
import { accountOfUrl } from '../../../write/accounts/grammar/index.ts';
import { resolveAccountRef } from '../../contract/account-ref.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import type { Services } from '../../services.ts';
import { catalogAnswer, checkInCatalog } from './account-checks.ts';

const refuse = (message: string): ServiceError =>
  new ServiceError('invalid_request', message, { details: [{ path: 'query.url', message }] });

/** Parses `platform:handle`, or a profile URL with or without `https://`. */
const keyOf = (services: Services, text: string): AccountKey => {
  const colon = text.indexOf(':');
  const platform = platformSchema.safeParse(text.slice(0, Math.max(0, colon)).toLowerCase());
  if (platform.success) return resolveAccountRef(services, platform.data, text.slice(colon + 1), 'query.url');
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) throw refuse('This is neither a profile URL nor `platform:handle`.');
  const url = new URL(address);
  const found = accountOfUrl(url);
  if (found !== null) {
    const { platform: name, address: named } = found;
    return named.kind === 'id'
      ? { platform: name, by: 'id', value: named.id }
      : { platform: name, by: 'handle', value: named.handle };
  }
  throw refuse('This URL is not a profile of one of the seven platforms.');
};

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
    const { check, known } = await checkInCatalog(request, keyOf(request.services, request.query.url));
    return catalogAnswer(check, known);
  },
});
