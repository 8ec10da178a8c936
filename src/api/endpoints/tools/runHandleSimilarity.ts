import { z } from 'zod';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import { isComparable, lookAlikeRisk } from '../../../analysis/handles.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { comparedName, DIRECTORY_PLATFORMS, descriptorOf } from '../../../platforms/index.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import type { Suspect } from '../../../read/people/suspects.ts';
import type { SimilarAccount } from '../../../read/similar-handles.ts';
import { DIRECTIONS, IMPERSONATION_METHOD_VERSION, PART_NAMES } from '../../../write/people/impersonation.ts';
import {
  entrySource,
  notFoundError,
  parseAccountRef,
  resolveAccount,
  warnIfGone,
} from '../../contract/account-ref.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import { accountFields, canBeCausedByOthers, EXAMPLE_INPUTS } from '../../contract/schemas/tools.ts';
import { checkAge, inputOf, readMsOf, type ToolAccount, tool } from './define-tool.ts';

const LIMIT = 20;
export const MAX_LIMIT = 100;

const NOT_KNOWN = [
  'whether a look-alike means to deceive',
  'handles that the catalog has not read',
  'handles that are one or two edits away, of accounts with less than 1,000 followers, unless they look the same',
];
const SIZE_NOT_KNOWN = 'how the accounts compare in size: the followers of the handle are not known';
const SUSPECTS_NOT_KNOWN = 'impersonators: no account that the catalog has read has the handle';
const NAMESAKES_NOT_KNOWN =
  'impersonators among all accounts with its name: there are more than are compared';
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
      .describe('Damerau–Levenshtein distance; on Bluesky, between handles without `.bsky.social`.'),
    skeleton_equal: z
      .boolean()
      .describe('Whether they look the same by UTS 39, in any mix of upper and lower case.'),
    risk: z.number().min(0).max(1).describe('Weighted sum of the parts.'),
    parts: z.array(
      z.object({
        part: z.enum(['skeleton', 'distance', 'size']),
        value: z.number().min(0).max(1).nullable().describe('null if unknown; the part then has no weight.'),
        weight: z.number().min(0).max(1),
        can_be_caused_by_others: canBeCausedByOthers,
      }),
    ),
  })
  .meta({ id: 'SimilarHandle' });

const suspectSchema = z
  .object({
    platform: platformSchema,
    handle: z.string().nullable().describe('null if another account has the handle now.'),
    id: z.string().nullable(),
    profile_url: z.string().nullable(),
    display_name: z.string().nullable(),
    followers: z.int().nonnegative().nullable(),
    verified: z.boolean().nullable(),
    last_seen_at: z.string(),
    verdict: z
      .enum(['likely', 'possible', 'unconfirmed_copy'])
      .describe(
        'From the log odds: `likely` from 2, `possible` from −2.5. Less likely suspects are not listed. `unconfirmed_copy`: it links to the account, or to others of its person, shows what the account shows, and nothing answers it. An own account that its owner never linked to looks the same.',
      ),
    direction: z
      .enum(DIRECTIONS)
      .describe(
        '`copies`: it copies the account. `is_copied`: the account copies it. `unknown`: one of the two copies the other. By left handles, verification, accounts that answer, size and age.',
      ),
    risk: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        '1 / (1 + exp(−log odds)): the share of such suspects that were impersonators in simulated worlds; null of an unconfirmed copy, as nobody has measured how many of them are own accounts, and unless the direction is `copies`.',
      ),
    log_odds: z.number().describe('Weighted sum of the values of the parts.'),
    parts: z.array(
      z.object({
        part: z.enum(['prior', ...PART_NAMES]),
        value: z
          .number()
          .nullable()
          .describe('null if unknown; the part then has no weight. Parts with the value 0 are not listed.'),
        weight: z.number(),
        can_be_caused_by_others: canBeCausedByOthers,
      }),
    ),
  })
  .meta({ id: 'ImpersonationSuspect' });

type Request = EndpointRequest<unknown, unknown, unknown>;

interface Named {
  readonly handle: string;
  /** The account that has it; null if the catalog has none. */
  readonly account: FoundEntry | null;
}

/** The handle that is asked about: one without an account may be compared as well. */
const namedIn = async (request: Request, { platform, handle, max_age_s }: ToolAccount): Promise<Named> => {
  const ref = parseAccountRef(request.services, platform, handle, 'body.handle');
  const asked = await resolveAccount(request.services, ref, entrySource(request.services));
  if (asked.is === 'unknown' && asked.key.by === 'handle') return { handle: asked.key.value, account: null };
  if (asked.is !== 'known') throw await notFoundError(request, ref, asked);
  const { found } = asked;
  warnIfGone(request, found.entry.status);
  checkAge(request, { max_age_s }, readMsOf(found));
  if (found.entry.handle !== null) return { handle: found.entry.handle, account: found };
  throw new ServiceError('not_found', 'The account has no handle.', {
    details: [{ path: 'body.handle', message: 'an account without a handle' }],
  });
};

const CAUSES = CAUSED_BY_OTHERS['handle-similarity'];

const withCauses = <Part extends { readonly part: keyof typeof CAUSES }>(parts: readonly Part[]) =>
  parts.map((one) => ({ ...one, can_be_caused_by_others: CAUSES[one.part] }));

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
    parts: withCauses(parts),
  };
};

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const shownSuspect = ({ logOdds, risk, parts, ...suspect }: Suspect): z.input<typeof suspectSchema> => ({
  ...suspect,
  profile_url: suspect.handle === null ? null : descriptorOf(suspect.platform).profileUrl(suspect.handle),
  risk: risk === null ? null : rounded(risk, 4),
  log_odds: rounded(logOdds, 2),
  parts: withCauses(parts),
});

const oldestSeen = (suspects: readonly Suspect[]): number =>
  Math.min(...suspects.map(({ last_seen_at }) => Date.parse(last_seen_at)));

const oldestOf = (matches: readonly SimilarAccount[]): number | null =>
  matches.length === 0 ? null : Math.min(...matches.map(({ found }) => Date.parse(found.oldest_at)));

export default tool({
  operation: 'runHandleSimilarity',
  name: 'handle-similarity',
  title: 'Handles that look like another handle',
  description:
    'Accounts of the catalog whose handles look like a handle or are at most two edits away from it: fewest edits first, then largest. The handle need not belong to an account. If it does, also suspects: accounts of all platforms that pose as this account by name, bio, picture, links or handle, most certain first, and originals: those that it seems to copy itself. Where nothing tells which of two copies the other, both answers say so.',
  method:
    'Skeletons of UTS 39, Damerau–Levenshtein distance, and risks whose parts and weights the answer shows, as in docs/methods/tools.md. The risks of suspects are calibrated on simulated people, as in docs/methods/people.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  version: `2, ${IMPERSONATION_METHOD_VERSION}`,
  body: z.strictObject({
    ...accountFields(),
    limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Maximum matches; default ${LIMIT}.`),
  }),
  data: {
    platform: platformSchema,
    handle: z.string(),
    followers: z.int().nonnegative().nullable(),
    matches: z.array(matchSchema),
    suspects: z
      .array(suspectSchema)
      .nullable()
      .describe(
        'Accounts that pose as the account of the handle; null if no account is known to have the handle.',
      ),
    originals: z
      .array(suspectSchema)
      .nullable()
      .describe('Accounts that the account of the handle seems to copy; null like `suspects`.'),
    suspects_compared: z
      .int()
      .nonnegative()
      .nullable()
      .describe('Number of compared accounts that share its name, its handle or a link.'),
  },
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
            { part: 'skeleton', value: 0, weight: 0.5, can_be_caused_by_others: true },
            { part: 'distance', value: 0.8, weight: 0.3, can_be_caused_by_others: true },
            { part: 'size', value: 1, weight: 0.2, can_be_caused_by_others: true },
          ],
        },
      ],
      suspects: [
        {
          platform: 'telegram',
          handle: 'nasa_official',
          id: null,
          profile_url: 'https://t.me/nasa_official',
          display_name: 'NASA',
          followers: 812,
          verified: false,
          last_seen_at: '2026-10-30T09:12:44.000Z',
          verdict: 'possible',
          direction: 'copies',
          risk: 0.9047,
          log_odds: 2.25,
          parts: [
            { part: 'prior', value: 1, weight: -12.15, can_be_caused_by_others: false },
            { part: 'name_as_written', value: 1, weight: 5.25, can_be_caused_by_others: true },
            { part: 'name_equal', value: 1, weight: -2.59, can_be_caused_by_others: true },
            { part: 'bio_equal', value: 1, weight: 2.4, can_be_caused_by_others: true },
            { part: 'picture_equal', value: null, weight: 0, can_be_caused_by_others: true },
            { part: 'links_equal', value: 1, weight: 3.84, can_be_caused_by_others: true },
            { part: 'handle_similar', value: 1, weight: 4.69, can_be_caused_by_others: true },
            { part: 'size_apart', value: 3, weight: 0.27, can_be_caused_by_others: true },
          ],
        },
      ],
      originals: [],
      suspects_compared: 14,
      inputs: EXAMPLE_INPUTS.slice(0, 1),
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    const { platform, limit = LIMIT } = body;
    const { handle, account: found } = await namedIn(request, body);
    const { similarHandles, suspects } = request.services;
    const [{ matches, compared, isCapped }, copies] = await Promise.all([
      similarHandles.accounts(platform, handle, limit),
      suspects.of(platform, handle),
    ]);
    const followers = found?.entry.followers ?? null;
    const name = comparedName(platform, handle);
    const named = copies?.suspects.slice(0, limit) ?? [];
    const copied = copies?.originals.slice(0, limit) ?? [];
    const alike = [...named, ...copied];
    return {
      result: {
        platform,
        handle,
        followers,
        matches: matches.map((match) => shownMatch(name, followers, match)),
        suspects: copies === null ? null : named.map(shownSuspect),
        originals: copies === null ? null : copied.map(shownSuspect),
        suspects_compared: copies?.compared ?? null,
        inputs: [
          ...(found === null ? [] : [inputOf('account', Date.parse(found.oldest_at), request.nowMs)]),
          inputOf('matches', oldestOf(matches), request.nowMs),
          ...(alike.length === 0 ? [] : [inputOf('suspects', oldestSeen(alike), request.nowMs)]),
        ],
        not_known: [
          ...NOT_KNOWN,
          ...(followers === null ? [SIZE_NOT_KNOWN] : []),
          ...(copies === null ? [SUSPECTS_NOT_KNOWN] : []),
          ...(copies?.isCapped ? [NAMESAKES_NOT_KNOWN] : []),
          ...(isComparable(name) ? [] : [EDITS_NOT_KNOWN]),
        ],
      },
      coverage: { sampled: compared, total: isCapped ? null : compared, capped: isCapped },
    };
  },
});
