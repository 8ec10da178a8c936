import { z } from 'zod';
import { type Audit, auditOf, type CreationCluster } from '../../../analysis/audit/audit.ts';
import { type AuditModel, errorRatesOf } from '../../../analysis/audit/model.ts';
import type { ShareInterval } from '../../../analysis/audit/prevalence.ts';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import { type FollowerSample, readFollowerSample } from '../../../crawlers/live-read/follower-sample.ts';
import { wasLimited } from '../../../crawlers/live-read/live-queue.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { FOLLOWS_PLATFORMS } from '../../../platforms/index.ts';
import { liveKey, parseAccountRef } from '../../contract/account-ref.ts';
import { addressOf } from '../../contract/live-call.ts';
import { accountFields, canBeCausedByOthers, levelField } from '../../contract/schemas/tools.ts';
import { checkAuditable, refuseUnauditable } from './audit-refusals.ts';
import { inputOf, tool } from './define-tool.ts';

const LEVEL = 0.95;
const USUAL_SAMPLE = 500;
const MOST_SAMPLE = 3_000;
const STRATA = 5;

const NOT_KNOWN = [
  'whether any one follower is operated by a bot: these are shares of an audience',
  'who paid for followers that were bought, or whether anybody of the account did',
];

const share = z.number().min(0).max(1);
const position = z.int().describe('Position in the list; 0 is the newest follower.');
const intervalSchema = z.object({
  estimate: share,
  low: share,
  high: share,
  distinguishable: z.boolean().describe('false: the share can’t be distinguished from 0.'),
});
const trueShareSchema = intervalSchema
  .nullable()
  .describe(
    'Share with its 95 % interval; null without a labelled sample, or if the list does not show the required traits.',
  );
const classifiedSchema = z.object({ share, low: share, high: share });
const signal = share.nullable().describe('null: the list does not show it.');

const clusterSchema = z
  .object({
    kind: z
      .enum(['bought', 'organic', 'undecided'])
      .describe(
        'bought: most of its members are suspicious for reasons other than their age. organic: most are not.',
      ),
    can_be_caused_by_others: canBeCausedByOthers,
    followers_n: z.int(),
    first_position: position,
    last_position: position,
    created_from: z.iso.datetime(),
    created_to: z.iso.datetime(),
    false_alarm: share.describe('Upper bound on the probability of such a run by chance.'),
  })
  .meta({ id: 'CreationCluster' });

const shownShare = (found: ShareInterval | null): z.input<typeof trueShareSchema> =>
  found === null ? null : { ...found, distinguishable: found.low > 0 };

const shownClassified = ({ estimate, low, high }: ShareInterval) => ({ share: estimate, low, high });

/** @param positions of the followers that were classified, in the list. */
const shownCluster = (
  { kind, members, createdFromMs, createdToMs, p }: CreationCluster,
  positions: readonly number[],
) => ({
  kind,
  can_be_caused_by_others: CAUSED_BY_OTHERS['follower-audit'][kind],
  followers_n: members.length,
  first_position: positions[members[0] as number] as number,
  last_position: positions[members.at(-1) as number] as number,
  created_from: isoOf(createdFromMs),
  created_to: isoOf(createdToMs),
  false_alarm: p,
});

/** Followers that were classified, and those that sensitivity and specificity are of. */
const calibrationOf = (model: AuditModel | null) => {
  if (model === null) return null;
  const { sensitivity, specificity } = errorRatesOf(model);
  return {
    model: model.source.name,
    year: 'year' in model.source ? model.source.year : null,
    transfer_error: 'transfer' in model.source ? model.source.transfer : null,
    fitted_n: model.fitted,
    held_out_suspicious: model.heldOut.suspicious,
    held_out_inactive: model.heldOut.inactive,
    held_out_genuine: model.heldOut.genuine,
    sensitivity,
    specificity,
  };
};

/** Where the audience is another one than the sample was labelled in, errors were never counted in such. */
export const OUTSIDE_LABELS = 'traits_outside_labels';

const warningsOf = (model: AuditModel | null, audit: Audit): readonly string[] =>
  model === null
    ? ['uncalibrated']
    : [
        ...(model.source.name === 'operator' ? [] : ['labels_of_other_lists']),
        ...(audit.isFamiliar === false ? [OUTSIDE_LABELS] : []),
      ];

const notKnownOf = (
  sample: FollowerSample,
  stated: number | null,
  audit: Audit,
  model: AuditModel | null,
): readonly string[] => [
  ...NOT_KNOWN,
  ...(model !== null && model.heldOut.inactive === 0
    ? ['how many followers are abandoned: none are labelled so']
    : []),
  ...(sample.isWhole
    ? []
    : [
        `followers before the newest ${sample.listed}${stated === null ? '' : ` of ${stated}`}: lists are read from their newest end, and older followers may be others`,
      ]),
  ...(sample.unshown > 0 ? [`${sample.unshown} listed followers whose profiles the platform hides`] : []),
  ...(audit.signals.without_posts === null
    ? ['how many accounts each follower follows, is followed by, and has posted: the list does not show it']
    : []),
];

export default tool({
  operation: 'runFollowerAudit',
  name: 'follower-audit',
  title: 'How much of an audience is suspicious or inactive',
  description:
    'Reads the newest followers of an account and estimates the shares that are suspicious and inactive, with 95 % intervals. It also finds blocks of followers that were created together, with their dates. The shares describe an audience; the answer names no follower. Without a labelled sample from the operator, shares on X rest on a default model of accounts that were labelled in 2017 (`labels_of_other_lists`), and shares of other platforms are null (`uncalibrated`). `traits_outside_labels`: the audience looks like no mixture of the labelled classes. On X, a session of the operator is required.',
  method:
    'Logistic scores of splines, prevalence by Rogan and Gladen with the interval of Lang and Reiczigel for a census, and a scan statistic of creation times, as in docs/methods/tools.md.',
  platforms: FOLLOWS_PLATFORMS,
  upstreamReads: 40,
  version: '4',
  body: z.strictObject({
    ...accountFields(FOLLOWS_PLATFORMS),
    sample_size: z
      .int()
      .min(100)
      .max(MOST_SAMPLE)
      .optional()
      .describe(`Maximum followers to read, newest first; default ${USUAL_SAMPLE}.`),
  }),
  data: {
    level: levelField,
    platform: z.enum(FOLLOWS_PLATFORMS),
    handle: z.string(),
    followers: z.int().nonnegative().nullable(),
    sample_n: z.int(),
    sampled: z.enum(['whole_list', 'newest']).describe('Followers that the shares describe.'),
    suspicious_share: trueShareSchema,
    inactive_share: trueShareSchema,
    classified: z
      .object({ suspicious: classifiedSchema, inactive: classifiedSchema.nullable() })
      .describe('Shares of the sample by class, not corrected for errors of the classifier.'),
    strata: z
      .array(z.object({ first_position: position, last_position: position, suspicious: classifiedSchema }))
      .describe('The same share by follow order, newest first.'),
    signals: z.object({
      created_within_90_days: signal,
      without_picture: signal,
      without_bio: signal,
      follows_20_times_its_followers: signal,
      without_posts: signal,
    }),
    creation_clusters: z.array(clusterSchema),
    calibrated: z.boolean(),
    calibration: z
      .object({
        model: z.string().describe('operator: labels of the operator. x-2017: the default model of X.'),
        year: z.int().nullable().describe('When the accounts of a default model were labelled.'),
        transfer_error: z
          .object({ median: share, largest: share.describe('Largest error over the lists.') })
          .nullable()
          .describe(
            'By how much a share of 0.1 is off in audiences that are a quarter of the labelled accounts by age, followers, following or posts. The interval does not contain it. null: not measured for labels of the operator.',
          ),
        fitted_n: z.int(),
        held_out_suspicious: z.int(),
        held_out_inactive: z.int(),
        held_out_genuine: z.int(),
        sensitivity: share,
        specificity: share,
      })
      .nullable()
      .describe('The labelled sample; null without one.'),
  },
  example: {
    body: { platform: 'x', handle: 'nasa', sample_size: 500 },
    data: {
      platform: 'x',
      handle: 'nasa',
      followers: 96_000_000,
      sample_n: 498,
      sampled: 'newest',
      suspicious_share: { estimate: 0.132, low: 0.094, high: 0.176, distinguishable: true },
      inactive_share: { estimate: 0.251, low: 0.208, high: 0.294, distinguishable: true },
      classified: {
        suspicious: { share: 0.177, low: 0.146, high: 0.213 },
        inactive: { share: 0.219, low: 0.185, high: 0.257 },
      },
      strata: [
        { first_position: 0, last_position: 99, suspicious: { share: 0.25, low: 0.176, high: 0.343 } },
        { first_position: 100, last_position: 199, suspicious: { share: 0.15, low: 0.093, high: 0.233 } },
      ],
      signals: {
        created_within_90_days: 0.061,
        without_picture: 0.084,
        without_bio: 0.243,
        follows_20_times_its_followers: 0.137,
        without_posts: 0.118,
      },
      creation_clusters: [
        {
          kind: 'bought',
          can_be_caused_by_others: true,
          followers_n: 31,
          first_position: 12,
          last_position: 42,
          created_from: '2026-08-02T09:11:00.000Z',
          created_to: '2026-08-04T22:40:00.000Z',
          false_alarm: 0,
        },
      ],
      calibrated: true,
      calibration: {
        model: 'operator',
        year: null,
        transfer_error: null,
        fitted_n: 1_912,
        held_out_suspicious: 301,
        held_out_inactive: 480,
        held_out_genuine: 1_131,
        sensitivity: 0.891,
        specificity: 0.928,
      },
      level: LEVEL,
      inputs: [
        { input: 'account', observed_at: '2026-11-21T08:29:54.000Z', age_s: 6 },
        { input: 'followers', observed_at: '2026-11-21T08:29:55.000Z', age_s: 5 },
      ],
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request, call) => {
    const { platform, handle, sample_size = USUAL_SAMPLE } = body;
    const { services, nowMs } = request;
    const key = await liveKey(services, parseAccountRef(services, platform, handle, 'body.handle'));
    checkAuditable(request, key, sample_size);
    const sample = await readFollowerSample(services.live, platform, addressOf(key), sample_size, call);
    refuseUnauditable(request, key, sample_size, sample);
    const { account, followers, positions, listed, isWhole, readAtMs, error } = sample;
    const profile = account.reading.status === 'present' ? account.reading.profile : null;
    const stated = profile?.followers ?? null;
    const model = services.auditModels.get(platform) ?? null;
    const audit = auditOf(followers, model, STRATA);
    return {
      result: {
        platform,
        handle: profile?.handle ?? key.value,
        followers: stated,
        sample_n: audit.n,
        sampled: isWhole ? ('whole_list' as const) : ('newest' as const),
        suspicious_share: shownShare(audit.suspicious),
        inactive_share: shownShare(audit.inactive),
        classified: {
          suspicious: shownClassified(audit.classified.suspicious),
          inactive: audit.classified.inactive === null ? null : shownClassified(audit.classified.inactive),
        },
        strata: audit.strata.map(({ from, to, suspicious }) => ({
          first_position: positions[from] as number,
          last_position: positions[to] as number,
          suspicious: shownClassified(suspicious),
        })),
        signals: audit.signals,
        creation_clusters: audit.clusters.map((cluster) => shownCluster(cluster, positions)),
        calibrated: model !== null,
        calibration: calibrationOf(model),
        level: LEVEL,
        inputs: [inputOf('account', account.observedAtMs, nowMs), inputOf('followers', readAtMs, nowMs)],
        not_known: [...notKnownOf(sample, stated, audit, model)],
      },
      source: 'live' as const,
      coverage: {
        sampled: audit.n,
        total: isWhole ? listed : stated,
        capped: !isWhole && sample.status === 'active' && (error === null || wasLimited(call)),
      },
      warnings: [
        ...warningsOf(model, audit),
        ...(isWhole ? [] : ['newest_followers_only']),
        ...(error === null ? [] : ['pages_unread']),
      ],
    };
  },
});
