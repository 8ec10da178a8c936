import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import type { Platform } from '../../../kernel/platform.ts';
import { type FollowList, findList, sharedMembers } from '../../../read/follows/edges.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import { insufficient } from '../../contract/insufficient-data.ts';
import { EXAMPLE_INPUTS, handleField, toolPlatform } from '../../contract/schemas/tools.ts';
import { tool } from './define-tool.ts';
import { findAccount, inputOf, type ToolAccount } from './tool-account.ts';

const LISTED = ['x', 'bluesky'] as const satisfies readonly Platform[];
const NOT_KNOWN = [
  'followers that joined or left since each list was read',
  'whether shared followers are people: see the follower audit',
];

/** The follower list of an account, if it was read. */
const listOf = async (
  request: EndpointRequest<unknown, unknown, unknown>,
  account: ToolAccount,
  path: string,
): Promise<FollowList | null> => {
  const { entry } = await findAccount(request, account, path);
  const { lists, services } = request;
  const by =
    entry.id !== null ? { owner: entry.id } : entry.handle === null ? null : { handle: entry.handle };
  return by === null ? null : findList(lists, services.builds, entry.platform, 'followers', by);
};

const isWhole = ({ coverage }: FollowList): boolean => coverage.status === 'whole';

export default tool({
  operation: 'runAudienceOverlap',
  name: 'audience-overlap',
  title: 'Followers that two accounts share',
  description:
    'Compares the follower lists of two accounts of one platform, as they were read: how many followers each has there, and how many are in both. Exact for what was read; `capped` says that a list was not read whole, so that more may be shared.',
  method: 'Intersection and union of the members of both lists (Jaccard 1901), as in docs/methods/tools.md.',
  platforms: LISTED,
  upstreamReads: 0,
  body: z.strictObject({
    platform: toolPlatform(LISTED),
    handle: handleField,
    other: z.strictObject({ platform: toolPlatform(LISTED), handle: handleField }),
  }),
  data: {
    platform: z.enum(LISTED),
    shared_n: z.int().nonnegative(),
    jaccard: z.number().min(0).max(1).nullable().describe('Shared by all; null if both lists are empty.'),
    shared_of_a: z.number().min(0).max(1).nullable(),
    shared_of_b: z.number().min(0).max(1).nullable(),
    indexed_a: z.int().nonnegative(),
    indexed_b: z.int().nonnegative(),
    capped: z.boolean().describe('Whether either list was not read whole: more may be shared.'),
  },
  example: {
    body: { platform: 'x', handle: 'nasa', other: { platform: 'x', handle: 'esa' } },
    data: {
      platform: 'x',
      shared_n: 812,
      jaccard: 0.0105,
      shared_of_a: 0.0162,
      shared_of_b: 0.0287,
      indexed_a: 50_000,
      indexed_b: 28_310,
      capped: true,
      confidence: 1,
      inputs: EXAMPLE_INPUTS.slice(0, 1),
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ platform, handle, other }, request) => {
    if (other.platform !== platform)
      throw new ServiceError('invalid_request', 'Both accounts have to be of one platform.', {
        details: [{ path: 'body.other.platform', message: `must be ${platform}, as the first account` }],
      });
    const found = await Promise.all([
      listOf(request, { platform, handle }, 'body.handle'),
      listOf(request, other, 'body.other.handle'),
    ]);
    const [first, second] = found;
    if (first === null || second === null)
      throw insufficient('lists', { had: found.filter((list) => list !== null).length, needs: 2 });
    const { a, b, shared } = await sharedMembers(request.lists, request.services.builds, first, second);
    const union = a + b - shared;
    const share = (of: number): number | null => (of === 0 ? null : shared / of);
    const capped = !isWhole(first) || !isWhole(second);
    return {
      result: {
        platform,
        shared_n: shared,
        jaccard: share(union),
        shared_of_a: share(a),
        shared_of_b: share(b),
        indexed_a: a,
        indexed_b: b,
        capped,
        // Members are counted, not estimated.
        confidence: 1,
        inputs: [
          inputOf('followers', first.seenMs, request.nowMs),
          inputOf('followers_of_other', second.seenMs, request.nowMs),
        ],
        not_known: capped ? [...NOT_KNOWN, 'followers of the parts of a list that were not read'] : NOT_KNOWN,
      },
      coverage: { sampled: union, total: capped ? null : union, capped },
      warnings: capped ? ['list_not_whole'] : [],
    };
  },
});
