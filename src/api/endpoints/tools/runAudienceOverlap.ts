import { z } from 'zod';
import { type Covered, coveredOverlap, overlapOf } from '../../../analysis/overlap.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { FOLLOWS_PLATFORMS } from '../../../platforms/index.ts';
import { type FoundEntry, isWithheld } from '../../../read/directory/entry.ts';
import { compareLists, type FollowList, findList } from '../../../read/follows.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import { accountFields, handleField, levelField, toolPlatform } from '../../contract/schemas/tools.ts';
import { checkAge, findAccount, inputOf, type ToolAccount, tool } from './define-tool.ts';

/** Platforms whose follower lists are public. */
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
    .describe('How the last reading of the list ended. Unless `whole`, any follower may be missing.'),
  read_at: z.iso.datetime().describe('When the newest part of the list was read.'),
});

type Request = EndpointRequest<unknown, unknown, unknown>;

interface Audience {
  readonly found: FoundEntry;
  readonly list: FollowList | null;
}

const audienceOf = async (request: Request, account: ToolAccount, path: string): Promise<Audience> => {
  const found = await findAccount(request, account, path);
  const { id, handle } = found.entry;
  const named = id !== null ? { owner: id } : handle !== null ? { handle } : null;
  const by = isWithheld(found.entry) ? null : named;
  const { queuedReads, services } = request;
  return {
    found,
    list:
      by === null ? null : await findList(queuedReads, services.builds, account.platform, 'followers', by),
  };
};

const shownList = ({ entry }: FoundEntry, { coverage }: FollowList, indexed: number) => ({
  handle: entry.handle,
  indexed,
  followers: entry.followers,
  status: coverage.status,
  read_at: coverage.read_at,
});

const coveredBy = ({ entry }: FoundEntry, { coverage }: FollowList, read: number): Covered => ({
  read,
  stated: entry.followers,
  isWhole: coverage.status === 'whole',
});

const tooLittleRead = (queuedReads: readonly [Covered, Covered]): ServiceError =>
  new ServiceError(
    'insufficient_data',
    'Too little was read of the lists to tell how many followers they share.',
    {
      details: queuedReads.map(({ read, stated }, i) => ({
        path: i === 0 ? 'a' : 'b',
        message: `${read} of ${stated ?? 'an unknown number of'} followers were read`,
      })),
    },
  );

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
  title: 'Overlap of the followers of two accounts',
  description:
    'Followers that two accounts of a platform have in common, among those that were read. Up to 65,536 followers per list the result is exact; above, it comes from a coordinated sample of both lists, with its error. If a list was not read completely, `value` covers only what was read, and the bounds allow for any content of the unread rest. If the bounds of `shared` are wider than half of the smaller audience, there is no result.',
  method: 'Intersection of the lists, or coordinated sampling by a hash of IDs, as in docs/methods/tools.md.',
  platforms: FOLLOWS_PLATFORMS,
  upstreamReads: 0,
  usesReadQueue: true,
  body: z.strictObject({
    ...accountFields(FOLLOWS_PLATFORMS),
    other: z.strictObject({ platform: toolPlatform(FOLLOWS_PLATFORMS), handle: handleField }),
  }),
  data: {
    level: levelField,
    platform: platformSchema,
    a: listSchema,
    b: listSchema,
    shared: bounded,
    share_of_a: bounded
      .nullable()
      .describe('Share of the followers of `a`; null if their number is unknown.'),
    share_of_b: bounded
      .nullable()
      .describe('Share of the followers of `b`; null if their number is unknown.'),
    jaccard: bounded
      .nullable()
      .describe(
        'Followers of both accounts divided by followers of either; null if their number is unknown.',
      ),
    capped: z.boolean().describe('Whether one of the lists was not read completely.'),
  },
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
      level: 1,
      inputs: [{ input: 'followers', observed_at: '2026-11-21T08:16:00.000Z', age_s: 840 }],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ platform, handle, max_age_s, other }, request) => {
    if (other.platform !== platform)
      throw new ServiceError('invalid_request', 'Both accounts have to be of one platform.', {
        details: [
          { path: 'body.other.platform', message: `must be ${platform}, as the platform of the first` },
        ],
      });
    const [a, b] = await Promise.all([
      audienceOf(request, { platform, handle, max_age_s }, 'body.handle'),
      audienceOf(request, { ...other, max_age_s }, 'body.other.handle'),
    ]);
    if (a.list === null || b.list === null) {
      const had = [a, b].filter(({ list }) => list !== null).length;
      throw insufficient('lists', { had, needs: 2 });
    }
    const { queuedReads, services, nowMs } = request;
    const { counts, sample, oldestMs } = await compareLists(queuedReads, services.builds, [a.list, b.list]);
    checkAge(request, { max_age_s }, oldestMs);
    const covered = [coveredBy(a.found, a.list, counts.a), coveredBy(b.found, b.list, counts.b)] as const;
    const overlap = coveredOverlap(overlapOf(counts, sample).shared, ...covered);
    if (overlap === null) throw tooLittleRead(covered);
    const isWhole = covered.every((list) => list.isWhole);
    return {
      result: {
        platform,
        a: shownList(a.found, a.list, counts.a),
        b: shownList(b.found, b.list, counts.b),
        shared: overlap.shared,
        share_of_a: overlap.shareOfA,
        share_of_b: overlap.shareOfB,
        jaccard: overlap.jaccard,
        capped: !isWhole,
        level: sample === null ? 1 : LEVEL,
        inputs: [inputOf('followers', oldestMs, nowMs)],
        not_known: NOT_KNOWN,
      },
      coverage: {
        sampled: sample === null ? counts.a + counts.b : sample.a + sample.b,
        total: counts.a + counts.b,
        capped: sample !== null,
      },
      warnings: isWhole ? [] : ['list_not_whole'],
    };
  },
});
