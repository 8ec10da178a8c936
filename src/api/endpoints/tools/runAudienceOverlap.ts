import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import { type Platform, platformSchema } from '../../../kernel/platform.ts';
import { overlapOf } from '../../../read/analysis/overlap.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import { type FollowList, findList } from '../../../read/follows/edges.ts';
import { compareLists } from '../../../read/follows/overlap.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import { insufficient } from '../../contract/insufficient-data.ts';
import { handleField, toolPlatform } from '../../contract/schemas/tools.ts';
import { tool } from './define-tool.ts';
import { findAccount, inputOf, type ToolAccount } from './tool-account.ts';

/** Platforms whose follower lists are public. */
const PLATFORMS = ['x', 'bluesky'] as const satisfies readonly Platform[];
const LEVEL = 0.95;

const NOT_KNOWN = ['followers that no reading of the lists has shown', 'who sees posts without following'];

const bounded = z
  .object({ value: z.number().nonnegative(), low: z.number().nonnegative(), high: z.number().nonnegative() })
  .describe('With its 95 % interval; exact if all three are equal.');

const listSchema = z.object({
  handle: z.string().nullable(),
  indexed: z.int().nonnegative().describe('Followers of the list as it was read.'),
  followers: z.int().nonnegative().nullable().describe('As the account states them.'),
  status: z
    .enum(['whole', 'capped', 'broken_off'])
    .describe('How the last reading of the list ended: unless whole, any follower may be missing.'),
  read_at: z.iso.datetime().describe('The newest part of any reading.'),
});

type Request = EndpointRequest<unknown, unknown, unknown>;

interface Audience {
  readonly found: FoundEntry;
  readonly list: FollowList | null;
}

const audienceOf = async (request: Request, account: ToolAccount, path: string): Promise<Audience> => {
  const found = await findAccount(request, account, path);
  const { id, handle } = found.entry;
  const by = id !== null ? { owner: id } : handle !== null ? { handle } : null;
  const { lists, services } = request;
  return {
    found,
    list: by === null ? null : await findList(lists, services.builds, account.platform, 'followers', by),
  };
};

const shownList = ({ entry }: FoundEntry, { coverage }: FollowList, indexed: number) => ({
  handle: entry.handle,
  indexed,
  followers: entry.followers,
  status: coverage.status,
  read_at: coverage.read_at,
});

const EXAMPLE_LIST = {
  handle: 'nasa',
  indexed: 48_210,
  followers: 48_214,
  status: 'whole',
  read_at: '2026-11-21T08:16:00.000Z',
} as const;

export default tool({
  operation: 'runAudienceOverlap',
  name: 'audience-overlap',
  title: 'How far two accounts have the same followers',
  description:
    'Followers that two accounts of a platform have in common, among those that were read: exact up to 65,536 of each list, else from a sample that both lists share, with its error. Unless both lists were read whole, `jaccard` is null and `shared` is the least that they have in common.',
  method: 'Intersection of the lists, or coordinated sampling by a hash of IDs, as in docs/methods/tools.md.',
  platforms: PLATFORMS,
  upstreamReads: 0,
  confidence: '1 where all members were compared, else the level of the intervals.',
  readsLists: true,
  body: z.strictObject({
    platform: toolPlatform(PLATFORMS),
    handle: handleField,
    other: z.strictObject({ platform: toolPlatform(PLATFORMS), handle: handleField }),
  }),
  data: {
    platform: platformSchema,
    a: listSchema,
    b: listSchema,
    shared: bounded,
    share_of_a: bounded
      .nullable()
      .describe('Of the followers of `a`; null unless the list of `b` was read whole.'),
    share_of_b: bounded
      .nullable()
      .describe('Of the followers of `b`; null unless the list of `a` was read whole.'),
    jaccard: bounded
      .nullable()
      .describe('Followers of both by followers of either; null unless both lists were read whole.'),
    capped: z.boolean().describe('Whether a list was not read whole.'),
  },
  errors: ['not_found', 'insufficient_data'],
  example: {
    body: { platform: 'x', handle: 'nasa', other: { platform: 'x', handle: 'esa' } },
    data: {
      platform: 'x',
      a: EXAMPLE_LIST,
      b: { ...EXAMPLE_LIST, handle: 'esa', indexed: 12_004, followers: 12_004 },
      shared: { value: 3_120, low: 3_120, high: 3_120 },
      share_of_a: { value: 0.0647, low: 0.0647, high: 0.0647 },
      share_of_b: { value: 0.26, low: 0.26, high: 0.26 },
      jaccard: { value: 0.0546, low: 0.0546, high: 0.0546 },
      capped: false,
      confidence: 1,
      inputs: [{ input: 'followers', observed_at: '2026-11-21T08:16:00.000Z', age_s: 840 }],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ platform, handle, other }, request) => {
    if (other.platform !== platform)
      throw new ServiceError('invalid_request', 'Both accounts have to be of one platform.', {
        details: [
          { path: 'body.other.platform', message: `must be ${platform}, as the platform of the first` },
        ],
      });
    const [a, b] = await Promise.all([
      audienceOf(request, { platform, handle }, 'body.handle'),
      audienceOf(request, other, 'body.other.handle'),
    ]);
    if (a.list === null || b.list === null) {
      const had = [a, b].filter(({ list }) => list !== null).length;
      throw insufficient('lists', { had, needs: 2 });
    }
    const { lists, services, nowMs } = request;
    const { counts, sample, oldestMs } = await compareLists(lists, services.builds, [a.list, b.list]);
    const { shared, shareOfA, shareOfB, jaccard } = overlapOf(counts, sample);
    const isWhole = (list: FollowList) => list.coverage.status === 'whole';
    const [wholeA, wholeB] = [isWhole(a.list), isWhole(b.list)];
    return {
      result: {
        platform,
        a: shownList(a.found, a.list, counts.a),
        b: shownList(b.found, b.list, counts.b),
        shared,
        share_of_a: wholeB ? shareOfA : null,
        share_of_b: wholeA ? shareOfB : null,
        jaccard: wholeA && wholeB ? jaccard : null,
        capped: !(wholeA && wholeB),
        confidence: sample === null ? 1 : LEVEL,
        inputs: [inputOf('followers', oldestMs, nowMs)],
        not_known: NOT_KNOWN,
      },
      coverage: {
        sampled: sample === null ? counts.a + counts.b : sample.a + sample.b,
        total: counts.a + counts.b,
        capped: sample !== null,
      },
      warnings: wholeA && wholeB ? [] : ['list_not_whole'],
    };
  },
});
