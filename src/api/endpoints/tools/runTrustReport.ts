import { z } from 'zod';
import { TRUST_RULES, TRUST_VERDICTS, type TrustFacts, trustOf } from '../../../analysis/account-scores.ts';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import { isIndexable, largerLookAlikes } from '../../../analysis/handles.ts';
import type { LiveCall } from '../../../crawlers/live-read/live-queue.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { type Platform, platformSchema } from '../../../kernel/platform.ts';
import { comparedName, DIRECTORY_PLATFORMS, descriptorOf } from '../../../platforms/index.ts';
import type { AccountKey } from '../../../read/accounts.ts';
import { type AccountStatus, isHidden } from '../../../write/accounts/account.ts';
import { entrySource, parseAccountRef, resolveAccount } from '../../contract/account-ref.ts';
import { hiddenAccount, NoSuchAccountError } from '../../contract/answer-errors.ts';
import type { Answer, Endpoint, EndpointRequest } from '../../contract/endpoint.ts';
import { addressOf, statusOfReading } from '../../contract/live-call.ts';
import {
  accountFields,
  accountStatus,
  canBeCausedByOthers,
  EXAMPLE_INPUTS,
} from '../../contract/schemas/tools.ts';
import { FollowersHiddenError } from './audit-refusals.ts';
import { inputOf, type ToolAccount, tool } from './define-tool.ts';
import runAccountAge from './runAccountAge.ts';
import runAccountScore from './runAccountScore.ts';
import runFollowerAudit, { OUTSIDE_LABELS } from './runFollowerAudit.ts';
import runHandleSimilarity, { MAX_LIMIT } from './runHandleSimilarity.ts';
import runValuation from './runValuation.ts';

const NOT_KNOWN = [
  'who operates the account, and what for',
  'whether followers that were bought were bought by the account',
];

/** The tools that the report rests on. */
const PARTS = {
  audit: runFollowerAudit,
  score: runAccountScore,
  age: runAccountAge,
  similarity: runHandleSimilarity,
  valuation: runValuation,
} as const satisfies Readonly<Record<string, Endpoint>>;

type PartName = keyof typeof PARTS;
/** Input of a part besides the account. */
const BODIES: Readonly<Partial<Record<PartName, object>>> = { similarity: { limit: MAX_LIMIT } };
const PART_NAMES = Object.keys(PARTS) as [PartName, ...PartName[]];

type Request = EndpointRequest<unknown, unknown, unknown>;
type Inputs = readonly {
  readonly input: string;
  readonly observed_at: string | null;
  readonly age_s: number | null;
}[];

/** A part of the report: the result of a tool, or the reason why it has none. */
interface Part {
  readonly name: PartName;
  readonly answer: Answer<Readonly<Record<string, unknown>>> | null;
  /** Null if there is a result, or the platform has no such part. */
  readonly error: ServiceError | null;
}

const NOT_SERVED = 'not_served';

/** Codes of errors that leave open whether the account exists. */
const IS_UNREAD = /^platform_|^not_readable$|^service_unavailable$/;

/** Whether an error says more of an account than that the catalog lacks it. */
const isDecisive = (error: ServiceError): boolean =>
  IS_UNREAD.test(error.code) || error instanceof FollowersHiddenError;

const partSchema = z
  .object({
    part: z.enum(PART_NAMES),
    status: z.enum(['known', 'unknown']),
    reason: z
      .string()
      .nullable()
      .describe(
        `null if the part is known. ${NOT_SERVED}: the platform does not show the required data. Otherwise the error code of the tool.`,
      ),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The result of the tool of that name, as the tool itself answers it.'),
  })
  .meta({ id: 'TrustPart' });

const isServed = ({ tool: listed }: Endpoint, platform: Platform): boolean =>
  listed?.platforms.includes(platform) === true;

const partOf = async (request: Request, name: PartName, account: ToolAccount): Promise<Part> => {
  const endpoint = PARTS[name];
  const body = { ...account, ...BODIES[name] };
  if (!isServed(endpoint, account.platform)) return { name, answer: null, error: null };
  try {
    const answer = (await endpoint.handler({ ...request, body } as never)) as Part['answer'];
    return { name, answer, error: null };
  } catch (error) {
    if (error instanceof ServiceError) return { name, answer: null, error };
    throw error;
  }
};

interface Audited {
  readonly suspicious_share: TrustFacts['suspicious'];
  readonly creation_clusters: readonly { readonly kind: string }[];
}
interface Aged {
  readonly age_days: number;
  readonly at_least: boolean;
}
interface Compared {
  readonly handle: string;
  readonly followers: number | null;
  readonly matches: readonly {
    readonly followers: number | null;
    readonly distance: number;
    readonly skeleton_equal: boolean;
  }[];
}

/** The status that the audit has just read; null if it read none. */
const statusNow = (audit: Part | undefined): AccountStatus | null => {
  // A list that was read is of an account that the platform shows.
  if (audit?.answer) return 'active';
  return audit?.error instanceof FollowersHiddenError ? audit.error.status : null;
};

/** Reads an account that the catalog lacks, if no audit reads it. @throws like a tool that reads a platform. */
const readUnknown = async ({ services }: Request, key: AccountKey, call: LiveCall) => {
  const { reading, observedAtMs } = await services.live.read(key.platform, addressOf(key), call);
  const status = statusOfReading(reading);
  if (status === 'absent') throw new NoSuchAccountError(key);
  if (isHidden(status)) throw hiddenAccount(status);
  return { status, observedMs: observedAtMs };
};

/**
 * Whether all handles one edit away are indexed: those as long, and those with a character more if the platform has
 * any.
 */
const areNeighboursIndexed = (platform: Platform, handle: string): boolean => {
  const name = comparedName(platform, handle);
  const isLongest = descriptorOf(platform).parseHandle(`${handle}a`) === null;
  return isIndexable(isLongest ? name : `${name}a`);
};

const lookAlikesOf = (platform: Platform, part: Part): number | null => {
  if (part.answer === null) return null;
  const { handle, followers, matches } = part.answer.data as unknown as Compared;
  return largerLookAlikes({
    followers,
    matches: matches.map(({ skeleton_equal, ...match }) => ({ ...match, isSkeletonEqual: skeleton_equal })),
    isCapped: part.answer.coverage?.capped === true || matches.length >= MAX_LIMIT,
    isComparable: areNeighboursIndexed(platform, handle),
  });
};

const factsOf = (platform: Platform, status: AccountStatus | null, parts: readonly Part[]): TrustFacts => {
  const dataOf = <Data>(name: PartName): Data | null =>
    (parts.find((part) => part.name === name)?.answer?.data ?? null) as Data | null;
  const audit = dataOf<Audited>('audit');
  const isOutside = parts.some(({ answer }) => answer?.warnings?.includes(OUTSIDE_LABELS) === true);
  const age = dataOf<Aged>('age');
  const similarity = parts.find(({ name }) => name === 'similarity');
  const blocks = audit?.creation_clusters ?? null;
  const ofKind = (kind: string) => blocks?.filter((block) => block.kind === kind).length ?? 0;
  return {
    isShown: status === 'active' || status === 'private',
    suspicious: isOutside ? null : (audit?.suspicious_share ?? null),
    blocks: blocks === null ? null : { bought: ofKind('bought'), undecided: ofKind('undecided') },
    age: age === null ? null : { days: age.age_days, isLeast: age.at_least },
    largerLookAlikes: similarity === undefined ? null : lookAlikesOf(platform, similarity),
    score: dataOf<{ readonly score: number }>('score')?.score ?? null,
  };
};

export default tool({
  operation: 'runTrustReport',
  name: 'trust-report',
  title: 'Evidence for and against trusting an account',
  description:
    'The results of follower audit, account score, account age, handle similarity and valuation, with the conclusions of five rules. The verdict rests on the rules that nobody else can cause: anybody can buy followers for an account, or look like it. A part that could not be computed is unknown, with the reason, and so is its rule. The verdict is about an account and its audience, never about a person.',
  method: 'Five rules with fixed thresholds over the results of other tools, in docs/methods/tools.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: runFollowerAudit.upstreamReads ?? 0,
  version: '3',
  body: z.strictObject(accountFields()),
  data: {
    platform: platformSchema,
    handle: z.string(),
    status: accountStatus
      .nullable()
      .describe(
        'Status of the account as of its last reading; active if its followers were read for the report. Null if the catalog has no reading of the account.',
      ),
    verdict: z
      .enum(TRUST_VERDICTS)
      .describe(
        'The gravest concern of the rules that nobody else can cause. Without any, it is unknown if such a rule is unknown, or if the account is neither active nor private.',
      ),
    rules: z.array(
      z.object({
        rule: z.enum(TRUST_RULES),
        concern: z.enum(['none', 'some', 'serious', 'unknown']),
        can_be_caused_by_others: canBeCausedByOthers,
      }),
    ),
    parts: z.array(partSchema),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      status: 'active',
      verdict: 'no_concerns',
      rules: [
        { rule: 'audience', concern: 'none', can_be_caused_by_others: true },
        { rule: 'bought_followers', concern: 'none', can_be_caused_by_others: true },
        { rule: 'age', concern: 'none', can_be_caused_by_others: false },
        { rule: 'look_alike', concern: 'none', can_be_caused_by_others: true },
        { rule: 'score', concern: 'unknown', can_be_caused_by_others: true },
      ],
      parts: [
        { part: 'score', status: 'unknown', reason: 'insufficient_data', result: null },
        {
          part: 'age',
          status: 'known',
          reason: null,
          result: { created_at: '2007-12-19T20:20:32.000Z', age_days: 6_912, at_least: false },
        },
      ],
      inputs: EXAMPLE_INPUTS,
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request, call) => {
    const { platform, handle, max_age_s } = body;
    const ref = parseAccountRef(request.services, platform, handle, 'body.handle');
    const [asked, ...parts] = await Promise.all([
      resolveAccount(request.services, ref, entrySource(request.services)),
      ...PART_NAMES.map((name) => partOf(request, name, { platform, handle, max_age_s })),
    ]);
    const { key } = asked;
    const errors = parts.flatMap(({ error }) => error ?? []);
    const [audit] = parts;
    const answers = parts.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
    // Handles are compared whether or not they have an account.
    const isKnown = answers.some(({ name }) => name !== 'similarity');
    const missing = errors.find(({ code }) => code === 'not_found');
    if (audit?.error?.code === 'not_found') throw audit.error;
    const seen =
      !isKnown && asked.is === 'unknown' && !isServed(runFollowerAudit, platform)
        ? await readUnknown(request, key, call)
        : null;
    // The audit alone has read the platform.
    if (!isKnown && seen === null) throw errors.find(isDecisive) ?? audit?.error ?? missing ?? errors[0];
    const status =
      seen?.status ?? statusNow(audit) ?? (asked.is === 'known' ? asked.found.entry.status : null);
    const { verdict, rules } = trustOf(factsOf(platform, status, parts));
    const isLive = seen !== null || answers.some(({ answer }) => answer.source === 'live');
    const named = answers.flatMap(({ name, answer: { data } }) =>
      (data.inputs as Inputs).map((input) => ({ ...input, input: `${name}: ${input.input}` })),
    );
    return {
      result: {
        platform,
        handle: key.by === 'handle' ? key.value : String(answers[0]?.answer.data.handle ?? handle),
        status,
        verdict,
        rules: rules.map((one) => ({
          ...one,
          can_be_caused_by_others: CAUSED_BY_OTHERS['trust-report'][one.rule],
        })),
        parts: parts.map(({ name, answer, error }) => ({
          part: name,
          status: answer === null ? ('unknown' as const) : ('known' as const),
          reason: answer === null ? (error?.code ?? NOT_SERVED) : null,
          result: answer === null ? null : { ...answer.data },
        })),
        inputs: [...(seen === null ? [] : [inputOf('account', seen.observedMs, request.nowMs)]), ...named],
        not_known: NOT_KNOWN,
      },
      source: isLive ? ('mixed' as const) : ('catalog' as const),
      coverage: {
        sampled: answers.length,
        total: parts.length,
        capped: audit?.answer?.coverage?.capped === true,
      },
      warnings: answers.flatMap(({ name, answer }) =>
        (answer.warnings ?? []).map((one) => `${name}: ${one}`),
      ),
    };
  },
});
