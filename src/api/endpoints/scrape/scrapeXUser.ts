import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { addressOf } from '../../contract/live-call.ts';
import { accountText } from '../../contract/schemas/accounts.ts';
import { EXAMPLE_LIVE_ENTRY, liveEntrySchema } from '../../contract/schemas/scrape.ts';
import { liveEntryOf, xKey } from './live-answers.ts';

export default endpoint({
  operation: 'scrapeXUser',
  group: 'scrape',
  method: 'GET',
  path: '/scrape/x/user',
  scope: 'scrape:live',
  meter: 'live',
  upstreamReads: 12,
  list: false,
  summary: 'Read one account of X',
  description:
    'Reads an account from X for this request and records it in the catalog. Name it by `handle` or by `id`; only a session of the operator can read by ID, or prove that a handle is unused. If the account is proven absent, suspended or deactivated, the call succeeds: `status` says so, and values that X does not show are null.',
  params: z.strictObject({}),
  query: z.strictObject({
    handle: accountText.optional(),
    id: z
      .string()
      .regex(/^[1-9][0-9]{0,19}$/, 'must be an ID of X: a number of up to 20 digits')
      .optional()
      .describe('A native ID of X.'),
  }),
  queryRules: [{ kind: 'exactly_one', fields: ['handle', 'id'] }],
  data: liveEntrySchema,
  errors: [],
  example: { query: { handle: 'nasa' }, data: EXAMPLE_LIVE_ENTRY },
  handler: async (request) => {
    const { query, services } = request;
    const key =
      query.handle === undefined
        ? ({ platform: 'x', by: 'id', value: query.id as string } as const)
        : await xKey(services, query.handle, 'query.handle');
    const live = await services.live.read('x', addressOf(key), request.liveCall);
    return { data: await liveEntryOf(services, key, live), source: 'live', readAtMs: live.observedAtMs };
  },
});
