import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import { DIRECTORY_PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { comparedName } from '../../../read/analysis/handles/compared-name.ts';
import { isComparable } from '../../../read/analysis/handles/deletes.ts';
import { lookAlikeRisk } from '../../../read/analysis/handles/look-alike-risk.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import type { SimilarAccount } from '../../../read/handles/similar-handles.ts';
import { resolveAccountRef } from '../../contract/account-ref.ts';
import { EXAMPLE_INPUTS, handleField, toolPlatform } from '../../contract/schemas/tools.ts';
import { tool } from './define-tool.ts';
import { findAccount, inputOf } from './tool-account.ts';

const LIMIT = 20;
const MAX_LIMIT = 100;

const NOT_KNOWN = [
  'whether a look-alike means to deceive',
  'handles that the catalog has not read',
  'handles that are one or two edits away, of accounts with less than 1,000 followers, unless they look the same',
];
const SIZE_NOT_KNOWN = 'how the accounts compare in size: the followers of the handle are not known';
const EDITS_NOT_KNOWN =
  'handles that are one or two edits away: the handle is longer than those that are indexed';

const matchSchema = z
  .object({
    handle: z.string(),
    display_name: z.string().nullable(),
    followers: z.int().nonnegative().nullable(),
    verified: z.boolean().nullable(),
    distance: z
      .int()
      .nonnegative()
      .describe('Damerau–Levenshtein; of Bluesky between handles without `.bsky.social`.'),
    skeleton_equal: z
      .boolean()
      .describe('Whether they look the same by UTS 39, in whichever case each is shown.'),
    risk: z.number().min(0).max(1).describe('The sum of its parts by their weights.'),
    parts: z.array(
      z.object({
        part: z.enum(['skeleton', 'distance', 'size']),
        value: z.number().min(0).max(1).nullable().describe('null if it is unknown, and has no weight.'),
        weight: z.number().min(0).max(1),
      }),
    ),
  })
  .meta({ id: 'SimilarHandle' });

type Request = Parameters<typeof findAccount>[0];

/** The account of a handle, if the catalog has it: a handle without an account may be compared as well. */
const subjectOf = async (
  request: Request,
  { platform, handle }: Parameters<typeof findAccount>[1],
): Promise<{ readonly handle: string; readonly found: FoundEntry | null }> => {
  const key = resolveAccountRef(request.services, platform, handle, 'body.handle');
  if (key.by === 'handle') return { handle: key.value, found: await request.services.entries.find(key) };
  const found = await findAccount(request, { platform, handle });
  if (found.entry.handle !== null) return { handle: found.entry.handle, found };
  throw new ServiceError('not_found', 'The account has no handle.', {
    details: [{ path: 'body.handle', message: 'an account without a handle' }],
  });
};

const shownMatch = (
  name: string,
  followers: number | null,
  { handle, distance, isSkeletonEqual, found: { entry } }: SimilarAccount,
): z.input<typeof matchSchema> => {
  const length = Math.max(name.length, comparedName(entry.platform, handle).length);
  const { risk, parts } = lookAlikeRisk({
    isSkeletonEqual,
    distance,
    length,
    followers: [followers, entry.followers],
  });
  const { display_name, verified } = entry;
  return {
    handle,
    display_name,
    followers: entry.followers,
    verified,
    distance,
    skeleton_equal: isSkeletonEqual,
    risk,
    parts: [...parts],
  };
};

const oldestOf = (matches: readonly SimilarAccount[]): number | null =>
  matches.length === 0 ? null : Math.min(...matches.map(({ found }) => Date.parse(found.oldest_at)));

export default tool({
  operation: 'runHandleSimilarity',
  name: 'handle-similarity',
  title: 'Handles that are taken for another',
  description:
    'Accounts of the catalog whose handles look the same, or are at most two edits away from a handle, which needs no account: the fewest edits first, then the largest.',
  method:
    'Skeletons of UTS 39, Damerau–Levenshtein distance, and a risk whose parts and weights the answer shows, as in docs/methods/tools.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  body: z.strictObject({
    platform: toolPlatform(),
    handle: handleField,
    limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Matches at most; default ${LIMIT}.`),
  }),
  data: {
    platform: platformSchema,
    handle: z.string(),
    followers: z.int().nonnegative().nullable(),
    matches: z.array(matchSchema),
  },
  errors: [],
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      followers: 96_000_000,
      matches: [
        {
          handle: 'nasaa',
          display_name: 'NASA news',
          followers: 1_204,
          verified: false,
          distance: 1,
          skeleton_equal: false,
          risk: 0.44,
          parts: [
            { part: 'skeleton', value: 0, weight: 0.5 },
            { part: 'distance', value: 0.8, weight: 0.3 },
            { part: 'size', value: 1, weight: 0.2 },
          ],
        },
      ],
      confidence: 1,
      inputs: EXAMPLE_INPUTS.slice(0, 1),
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    const { platform, limit = LIMIT } = body;
    const { handle, found } = await subjectOf(request, body);
    const { matches, compared, isCapped } = await request.services.similarHandles.accounts(
      platform,
      handle,
      limit,
    );
    const followers = found?.entry.followers ?? null;
    const name = comparedName(platform, handle);
    return {
      result: {
        platform,
        handle,
        followers,
        matches: matches.map((match) => shownMatch(name, followers, match)),
        // Distances and skeletons are computed, not estimated.
        confidence: 1,
        inputs: [
          ...(found === null ? [] : [inputOf('account', Date.parse(found.oldest_at), request.nowMs)]),
          inputOf('matches', oldestOf(matches), request.nowMs),
        ],
        not_known: [
          ...NOT_KNOWN,
          ...(followers === null ? [SIZE_NOT_KNOWN] : []),
          ...(isComparable(name) ? [] : [EDITS_NOT_KNOWN]),
        ],
      },
      coverage: { sampled: compared, total: isCapped ? null : compared, capped: isCapped },
    };
  },
});
