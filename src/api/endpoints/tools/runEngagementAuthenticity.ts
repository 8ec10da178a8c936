import { z } from 'zod';
import {
  AUTHENTICITY_RULES,
  AUTHENTICITY_WINDOW_DAYS,
  compareReactions,
  type ReactionFigure,
  reactionFigures,
  TRAITS_OF_REACTIONS,
} from '../../../analysis/authenticity.ts';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import type { Percentile } from '../../../analysis/percentiles.ts';
import { MIN_POSTS } from '../../../analysis/sample.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import {
  accountFields,
  bodyWindowDays,
  canBeCausedByOthers,
  EXAMPLE_INPUTS,
  levelField,
} from '../../contract/schemas/tools.ts';
import {
  drawnInput,
  findAccount,
  inputOf,
  oldestPostMs,
  populationInput,
  readSample,
  tool,
} from './define-tool.ts';

const LEVEL = 0.95;
const RATIOS = ['comments_per_like', 'reposts_per_like', 'views_per_like'] as const;

const NOT_KNOWN = [
  'why a figure is rare: a contest, a raid and a language differ from the platform as bought reactions do',
  'who reacted: bought reactions that are spread like others are not seen',
];

const figure = {
  value: z.number(),
  low: z.number(),
  high: z.number(),
  posts_n: z.int(),
};
const comparedSchema = z
  .object({
    ...figure,
    percentile: z
      .object({ value: z.number(), low: z.number(), high: z.number(), accounts: z.int() })
      .nullable()
      .describe(
        'Percentile among accounts of the platform, with its 95 % interval; null if too few are known.',
      ),
  })
  .nullable()
  .describe('With its 95 % interval; null if too few posts show it.');

const comparedOf = (found: ReactionFigure | null, percentile: Percentile | null) =>
  found === null
    ? null
    : {
        value: found.value,
        low: found.low,
        high: found.high,
        posts_n: found.n,
        percentile:
          percentile === null
            ? null
            : {
                value: percentile.value,
                low: percentile.low,
                high: percentile.high,
                accounts: percentile.neighbours,
              },
      };

const NO_NORMS = { dispersion: [], comments_per_like: [], reposts_per_like: [], views_per_like: [] };

export default tool({
  operation: 'runEngagementAuthenticity',
  name: 'engagement-authenticity',
  title: 'Whether reactions are unusual for the platform',
  description:
    'How much the reactions of an account’s posts vary, and their comments, reposts and views per like, compared with accounts of the platform. A figure is flagged if its whole interval lies beyond the figures of 97.5 % of these accounts: each rule flags at most one account in forty, whatever the reason. A flag is not a verdict on a person.',
  method:
    'Gini’s mean difference of ln reactions, ratios of totals, and percentiles among a sample of the platform’s accounts, as in docs/methods/tools.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  version: '2',
  body: z.strictObject({
    ...accountFields(),
    window_days: bodyWindowDays(AUTHENTICITY_WINDOW_DAYS),
  }),
  data: {
    level: levelField,
    platform: platformSchema,
    handle: z.string().nullable(),
    window_days: z.int(),
    posts_n: z.int(),
    variance: comparedSchema.describe(
      'Standard deviation of ln(1 + reactions) over posts, with its 95 % interval.',
    ),
    ratios: z.object({
      comments_per_like: comparedSchema,
      reposts_per_like: comparedSchema,
      views_per_like: comparedSchema,
    }),
    flags: z.array(
      z.object({
        rule: z.enum(AUTHENTICITY_RULES),
        trait: z.enum(TRAITS_OF_REACTIONS),
        can_be_caused_by_others: canBeCausedByOthers,
        threshold: z.number().describe('The limit that it exceeds, from accounts of the platform.'),
        evidence: z.object(figure),
      }),
    ),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      window_days: 90,
      posts_n: 118,
      variance: {
        value: 0.94,
        low: 0.82,
        high: 1.08,
        posts_n: 118,
        percentile: { value: 48, low: 31, high: 66, accounts: 412 },
      },
      ratios: {
        comments_per_like: {
          value: 0.0021,
          low: 0.0018,
          high: 0.0024,
          posts_n: 118,
          percentile: { value: 0.7, low: 0, high: 5.1, accounts: 412 },
        },
        reposts_per_like: null,
        views_per_like: null,
      },
      flags: [
        {
          rule: 'few_comments',
          trait: 'comments_per_like',
          can_be_caused_by_others: true,
          threshold: 0.0031,
          evidence: { value: 0.0021, low: 0.0018, high: 0.0024, posts_n: 118 },
        },
      ],
      level: LEVEL,
      inputs: EXAMPLE_INPUTS,
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ window_days = AUTHENTICITY_WINDOW_DAYS, ...account }, request) => {
    const { populations, reactionNorms } = request.services;
    const found = await findAccount(request, account);
    const { platform, handle } = found.entry;
    const [sample, laws, drawn] = await Promise.all([
      readSample(request, found, window_days),
      readLaws(populations, platform),
      reactionNorms.of(platform),
    ]);
    const figures = reactionFigures(sample.ripe, laws.persistences.engagement);
    if (figures.dispersion === null)
      throw insufficient('posts', {
        had: sample.ripe.filter(({ likes }) => likes !== null).length,
        needs: MIN_POSTS,
      });
    const { percentiles, flags } = compareReactions(figures, drawn?.norms ?? NO_NORMS);
    const compared = (trait: (typeof TRAITS_OF_REACTIONS)[number]) =>
      comparedOf(figures[trait], percentiles[trait]);
    const hasLikes = sample.ripe.some(({ likes }) => likes !== null && likes > 0);
    const isCompared = TRAITS_OF_REACTIONS.some((trait) => percentiles[trait] !== null);
    return {
      result: {
        platform,
        handle,
        window_days,
        posts_n: figures.dispersion.n,
        variance: compared('dispersion'),
        ratios: {
          comments_per_like: compared('comments_per_like'),
          reposts_per_like: compared('reposts_per_like'),
          views_per_like: compared('views_per_like'),
        },
        flags: flags.map(({ rule, trait, threshold, evidence: { value, low, high, n } }) => ({
          rule,
          trait,
          can_be_caused_by_others: CAUSED_BY_OTHERS['engagement-authenticity'][rule],
          threshold,
          evidence: { value, low, high, posts_n: n },
        })),
        level: LEVEL,
        inputs: [
          inputOf('account', Date.parse(found.oldest_at), request.nowMs),
          inputOf('posts', oldestPostMs(sample), request.nowMs),
          ...populationInput(laws.population, request.nowMs),
          ...drawnInput('norms', drawn, request.nowMs),
        ],
        not_known: [
          ...NOT_KNOWN,
          ...RATIOS.filter((ratio) => figures[ratio] === null).map(
            (ratio) => `${ratio}, ${hasLikes ? 'which its posts do not show' : 'as its posts have no likes'}`,
          ),
        ],
      },
      coverage: {
        sampled: figures.dispersion.n,
        total: sample.isCovered ? sample.published.length : null,
        capped: false,
      },
      warnings: [...sample.warnings, ...(isCompared ? [] : ['population_unknown'])],
    };
  },
});
