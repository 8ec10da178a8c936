import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { parseAccountRef } from '../../contract/account-ref.ts';
import { itemErrorOf, itemErrorSchema } from '../../contract/answer-errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import {
  ACCOUNT_TEXT,
  type AccountCheck,
  checkSchema,
  EXAMPLE_CHECK,
} from '../../contract/schemas/accounts.ts';
import { checkInCatalog, readAtMs } from './account-checks.ts';

const itemSchema = checkSchema
  .extend({
    error: itemErrorSchema.nullable().describe('Why the account could not be looked up; null if it was.'),
  })
  .meta({ id: 'AccountCheckItem' });

interface Checked {
  readonly item: z.input<typeof itemSchema>;
  readonly readAtMs: number | null;
}

/** The result for an account that was not looked up. */
const NOTHING: Omit<AccountCheck, 'platform' | 'handle'> = {
  exists: null,
  status: 'unknown',
  display_name: null,
  followers: null,
  verified: null,
  created_at: null,
  in_catalog: false,
  first_seen_at: null,
  last_seen_at: null,
  stale_s: null,
  profile_url: null,
};

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
    'Checks many accounts at once, in the order of the request. An item that is not a valid account reference gets the status `unknown` and an error; the other items are not affected.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    accounts: z
      .array(
        z.strictObject({
          platform: platformSchema,
          handle: z
            .string()
            .max(2_048)
            .describe(`${ACCOUNT_TEXT}. Any other text is answered with an error.`),
        }),
      )
      .min(1)
      .max(100),
  }),
  data: z.object({ items: z.array(itemSchema) }),
  errors: [],
  example: {
    body: { accounts: [{ platform: 'x', handle: 'nasa' }] },
    data: { items: [{ ...EXAMPLE_CHECK, error: null }] },
  },
  handler: async (request) => {
    const found = await Promise.all(
      request.body.accounts.map(async ({ platform, handle }, i): Promise<Checked> => {
        try {
          const ref = parseAccountRef(request.services, platform, handle, `body.accounts.${i}.handle`);
          const { check, known } = await checkInCatalog(request, ref);
          return { item: { ...check, error: null }, readAtMs: readAtMs(known) };
        } catch (error) {
          return { item: { ...NOTHING, platform, handle, error: itemErrorOf(error) }, readAtMs: null };
        }
      }),
    );
    const read = found.flatMap(({ readAtMs }) => readAtMs ?? []);
    return {
      data: { items: found.map(({ item }) => item) },
      source: 'catalog',
      readAtMs: read.length === 0 ? null : Math.min(...read),
    };
  },
});
