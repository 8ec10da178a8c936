import { z } from 'zod';
import { accountSource, knownAs, resolveAccount } from '../../contract/account-ref.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { addressOf } from '../../contract/live-call.ts';
import { wholeNumber } from '../../contract/parse-request.ts';
import { accountParams, checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import { accountRef, asLastRead, catalogAnswer, checkOf, knownOf, liveCheckOf } from './account-checks.ts';

export default endpoint({
  operation: 'checkAccountLive',
  group: 'accounts',
  method: 'GET',
  path: '/accounts/{platform}/{handle}/live',
  scope: 'accounts:live',
  meter: 'live',
  upstreamReads: 12,
  list: false,
  summary: 'Check an account on its platform',
  description:
    'Reads the platform for this request and records the result in the catalog. The answer for a suspended, deactivated or absent account has no figures. With `max_age_s`, a recent enough reading from the catalog is returned instead, free of charge.',
  params: accountParams,
  query: z.strictObject({
    max_age_s: wholeNumber(0, 31_536_000)
      .optional()
      .describe('Return the catalog’s reading if none of its values is older than this many seconds.'),
  }),
  data: checkSchema,
  errors: [],
  example: {
    params: { platform: 'x', handle: 'nasa' },
    query: { max_age_s: 3600 },
    data: { ...EXAMPLE_CHECK, stale_s: 0, last_seen_at: '2026-11-21T08:30:00.000Z' },
  },
  fromCatalog: async ({ params, query, services }) => {
    const ref = accountRef(services, params);
    if (query.max_age_s === undefined) return null;
    const asked = await resolveAccount(services, ref, accountSource(services));
    const known = await knownOf(services, asked);
    if (known === null) return null;
    const read = asLastRead(known);
    const check = checkOf(services.adapterOf(params.platform), asked.key, read);
    return check.stale_s === null || check.stale_s > query.max_age_s ? null : catalogAnswer(check, read);
  },
  handler: async (request) => {
    const { params, services } = request;
    const adapter = services.adapterOf(params.platform);
    const asked = await resolveAccount(services, accountRef(services, params), accountSource(services));
    const known = await knownOf(services, asked);
    const live = await services.live.read(params.platform, addressOf(asked.key), request.liveCall);
    return {
      data: liveCheckOf(
        adapter,
        asked.key,
        await knownAs(accountSource(services), asked.key, live.reading, known),
        live,
      ),
      source: 'live',
      readAtMs: live.observedAtMs,
    };
  },
});
