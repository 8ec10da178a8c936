import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { type FollowList, findList, listEdges } from '../../../read/follows.ts';
import { FOLLOW_DIRECTIONS, type FollowDirection } from '../../../write/follows.ts';
import { entrySource, notFoundError, parseAccountRef, resolveAccount } from '../../contract/account-ref.ts';
import { type EndpointRequest, endpoint } from '../../contract/endpoint.ts';
import { MAX_EDGES } from '../../contract/parse-request.ts';
import { accountText } from '../../contract/schemas/accounts.ts';

const PLATFORM = 'x';

const edgeSchema = z
  .object({
    source: z.string(),
    target: z.string(),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
  })
  .meta({ id: 'FollowEdge' });

/** @throws {ServiceError} `not_found` if the account is unknown, or its list was never read. */
const requestedList = async (
  request: Pick<
    EndpointRequest<unknown, unknown, unknown>,
    'services' | 'queuedReads' | 'caller' | 'afterAdmission' | 'warn'
  >,
  reference: string,
  direction: FollowDirection,
): Promise<FollowList> => {
  const { services, queuedReads } = request;
  const ref = parseAccountRef(services, PLATFORM, reference, 'query.handle');
  const asked = await resolveAccount(services, ref, entrySource(services));
  if (asked.is === 'renamed') throw await notFoundError(request, ref, asked);
  const { by, value } = asked.key;
  const owner = asked.is === 'known' ? asked.found.entry.id : by === 'id' ? value : null;
  const named = owner === null ? { handle: value } : { owner };
  const list = await findList(queuedReads, services.builds, PLATFORM, direction, named);
  if (list !== null) return list;
  if (asked.is === 'unknown') throw await notFoundError(request, ref, asked);
  throw new ServiceError('not_found', 'This list was never read, so it is unknown whom it holds.');
};

export default endpoint({
  operation: 'exportFollowerGraph',
  group: 'leads',
  method: 'GET',
  path: '/leads/x/follower-graph',
  scope: 'leads:read',
  meter: 'catalog',
  list: true,
  hasListCoverage: true,
  maxLimit: MAX_EDGES,
  summary: 'Followers of an X account, or accounts it follows, as edges',
  description:
    'Edges of a list that was read, in order of the members’ native IDs. `source` follows `target`; each is a handle, or `id:<native ID>` if no handle is known. An edge stays listed until a complete reading of the list no longer has it. Lists are read only up to the operator’s cap, and a reading may break off. `meta.coverage` (in NDJSON and CSV the header `X-List-Coverage`) says whether and when the list was read completely; otherwise, a missing edge may still exist. A list that was never read returns 404.',
  params: z.strictObject({}),
  query: z.strictObject({
    handle: accountText,
    direction: z.enum(FOLLOW_DIRECTIONS).optional().describe('Default `followers`.'),
  }),
  data: z.array(edgeSchema),
  errors: ['not_found'],
  example: {
    query: { handle: 'nasa', direction: 'followers' },
    data: [
      {
        source: 'ada_lovelace',
        target: 'nasa',
        first_seen_at: '2026-10-02T11:00:00.000Z',
        last_seen_at: '2026-11-21T08:16:26.000Z',
      },
    ],
  },
  handler: async (request) => {
    const { query, services, queuedReads, after, limit } = request;
    const direction = query.direction ?? 'followers';
    // Later pages stay with the owner of the first one, even if the handle has another owner by then.
    const reference = after === null ? query.handle : `id:${after[0]}`;
    const list = await requestedList(request, reference, direction);
    const page = await listEdges(queuedReads, services.builds, list, limit, after);
    return {
      data: [...page.items],
      source: 'catalog',
      readAtMs: page.oldestMs ?? list.seenMs,
      next: page.next,
      listCoverage: list.coverage,
    };
  },
});
