import { z } from 'zod';
import { toServiceError } from '../../../crawlers/live-read/error-mapping.ts';
import { supported } from '../../../crawlers/live-read/reader.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { accountOfText, accountSource, indirectUrlIn, knownAs } from '../../contract/account-ref.ts';
import { type EndpointRequest, endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { checkSchema, EXAMPLE_CHECK } from '../../contract/schemas/accounts.ts';
import { catalogAnswer, checkInCatalog, liveCheckOf } from './account-checks.ts';

const ONLY_LIVE =
  'YouTube alone knows which channel an address with /c/ or /user/ names, so that it takes a live read. Without one, check the channel by its handle or ID: GET /v2/accounts/youtube/{handle}.';

/** Asks the platform which account a URL is of, and reads that. */
const resolvedLive = async (
  request: EndpointRequest<unknown, unknown, unknown>,
  { platform, profileUrl }: NonNullable<ReturnType<typeof indirectUrlIn>>,
) => {
  const { services } = request;
  const call = request.liveCall;
  const { reading } = await services.live.readListing(platform, call, ({ resolveUrl }, http) =>
    supported(resolveUrl)(profileUrl, http),
  );
  if (reading.status === 'unknown') throw toServiceError(reading);
  const { address } = reading;
  if (address === null) throw new ServiceError('not_found', 'The platform knows no account of this address.');
  const key =
    address.kind === 'id'
      ? ({ platform, by: 'id', value: address.id } as const)
      : ({ platform, by: 'handle', value: address.handle } as const);
  const known = await services.accounts.find(key);
  const live = await services.live.read(platform, address, call);
  const before = await knownAs(accountSource(services), key, live.reading, known);
  const data = liveCheckOf(services.adapterOf(platform), key, before, live);
  return { data, source: 'live' as const, readAtMs: live.observedAtMs };
};

export default endpoint({
  operation: 'resolveAccount',
  group: 'accounts',
  method: 'GET',
  path: '/accounts/resolve',
  scope: 'accounts:read',
  meter: 'free',
  upstreamReads: 18,
  list: false,
  summary: 'Check the account of a profile URL',
  description:
    'Accepts a profile URL of any platform, or `platform:handle`, and checks that account. Only YouTube can resolve its URLs with `/c/` or `/user/`: they are read live, which costs a live call and requires the scope `accounts:live`.',
  params: z.strictObject({}),
  query: z.strictObject({ url: text(1, 2_048) }),
  data: checkSchema,
  errors: ['not_found'],
  needsLiveRead: ({ query }) => (indirectUrlIn(query.url) === null ? null : ONLY_LIVE),
  example: { query: { url: 'https://x.com/nasa' }, data: EXAMPLE_CHECK },
  handler: async (request) => {
    const indirect = indirectUrlIn(request.query.url);
    if (indirect !== null) return resolvedLive(request, indirect);
    const { check, known } = await checkInCatalog(
      request,
      accountOfText(request.services, request.query.url),
    );
    return catalogAnswer(check, known);
  },
});
