import { z } from 'zod';
import {
  FIGURES_WINDOW_DAYS,
  postsPerWeek,
  postsPerWeekInterval,
} from '../../../analysis/account-figures.ts';
import { dependenceWarnings, engagementFigures } from '../../../analysis/engagement.ts';
import type { PaceLaw } from '../../../analysis/pace.ts';
import type { Estimate } from '../../../analysis/percentiles.ts';
import { lackOf, type Sample } from '../../../analysis/sample.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import {
  accountFields,
  bodyWindowDays,
  EXAMPLE_INPUTS,
  handleField,
  levelField,
  toolPlatform,
} from '../../contract/schemas/tools.ts';
import { findAccount, inputOf, oldestPostMs, readSample, type ToolAccount, tool } from './define-tool.ts';

const LEVEL = 0.95;
/** Accounts that are compared. */
const [LEAST, MOST] = [2, 5];
const METRICS = [
  'engagement_rate_followers',
  'engagement_rate_views',
  'median_engagement',
  'median_views',
  'posts_per_week',
] as const;

/** The figures of engagement among these. */
const MEASURES = ['engagement_rate_followers', 'engagement_rate_views', 'engagement', 'views'] as const;

type Metric = (typeof METRICS)[number];
type Figure = Pick<Estimate, 'value' | 'low' | 'high'> | null;

const figureSchema = z
  .object({ value: z.number(), low: z.number(), high: z.number() })
  .nullable()
  .describe('With its 95 % interval; null if too few posts show it.');

const figures = {
  engagement_rate_followers: figureSchema,
  engagement_rate_views: figureSchema,
  median_engagement: figureSchema,
  median_views: figureSchema,
  posts_per_week: figureSchema.describe(
    'Original posts of the window by its weeks, with the 95 % interval of the rate in the long run; null if too few posts show it, and until the population of the platform was computed.',
  ),
};

const rowSchema = z.object({
  platform: platformSchema,
  handle: z.string().nullable(),
  followers: z.int().nonnegative().nullable(),
  posts_n: z.int(),
  ...figures,
});

interface Compared {
  /** Of the handle in the body, for errors. */
  readonly path: string;
  /** Of the account: equal for two that are one, however they were named. */
  readonly key: string;
  readonly row: z.input<typeof rowSchema>;
  readonly observedMs: number;
  readonly warnings: readonly string[];
}

const plain = (found: Figure): Figure =>
  found === null ? null : { value: found.value, low: found.low, high: found.high };

const paceOf = (sample: Sample, law: PaceLaw | null): Figure => {
  const [value, interval] = [postsPerWeek(sample), postsPerWeekInterval(sample, law)];
  return value === null || interval === null ? null : { value, ...interval };
};

const compared = async (
  request: EndpointRequest<unknown, unknown, unknown>,
  account: ToolAccount,
  path: string,
  days: number,
): Promise<Compared> => {
  const found = await findAccount(request, account, path);
  const sample = await readSample(request, found, days);
  const { platform, handle, followers } = found.entry;
  const laws = await readLaws(request.services.populations, platform);
  const isEnough = lackOf(sample) === null;
  const shown = engagementFigures(sample, laws.persistences, MEASURES);
  return {
    path,
    key: `${platform} ${found.key}`,
    row: {
      platform,
      handle,
      followers,
      posts_n: sample.ripe.length,
      engagement_rate_followers: plain(shown.engagement_rate_followers),
      engagement_rate_views: plain(shown.engagement_rate_views),
      median_engagement: plain(shown.engagement),
      median_views: plain(shown.views),
      posts_per_week: isEnough ? paceOf(sample, laws.pace) : null,
    },
    observedMs: Math.min(Date.parse(found.oldest_at), oldestPostMs(sample) ?? Number.POSITIVE_INFINITY),
    warnings: dependenceWarnings(shown),
  };
};

/** @throws {ServiceError} if two accounts are one. */
const refuseRepeated = (all: readonly Compared[]): void => {
  const repeated = all.find(({ key }, i) => all.slice(0, i).some((other) => other.key === key));
  if (repeated === undefined) return;
  throw new ServiceError('invalid_request', 'An account is compared with itself.', {
    details: [{ path: repeated.path, message: 'each account once' }],
  });
};

/** The row with the most of a figure, and whether its interval is above those of all others. */
const bestOf = (rows: readonly z.input<typeof rowSchema>[], metric: Metric) => {
  const known = rows.flatMap((row, index) => {
    const figure = row[metric];
    return figure === null ? [] : [{ index, ...figure }];
  });
  const [first, ...others] = known.toSorted((a, b) => b.value - a.value);
  if (first === undefined || others.length === 0) return { metric, index: null, distinguishable: false };
  return { metric, index: first.index, distinguishable: others.every(({ high }) => high < first.low) };
};

const EXAMPLE_FIGURE = { value: 0.00016, low: 0.00013, high: 0.0002 };
const EXAMPLE_ROW = {
  platform: 'x' as const,
  handle: 'nasa',
  followers: 96_000_000,
  posts_n: 41,
  engagement_rate_followers: EXAMPLE_FIGURE,
  engagement_rate_views: null,
  median_engagement: { value: 15_400, low: 12_900, high: 19_100 },
  median_views: null,
  posts_per_week: { value: 12.1, low: 9.2, high: 15.6 },
};
const NOT_KNOWN = ['whether a difference within the intervals is one'];

export default tool({
  operation: 'runAccountCompare',
  name: 'account-compare',
  title: 'Accounts compared side by side',
  description:
    'Followers and post figures of two to five accounts, with 95 % intervals, and for each figure the account with the highest value. It is `distinguishable` if its interval is above all others. A figure known for too few posts is null, and the account is left out of that comparison.',
  method: 'The figures of engagement-rate; intervals that do not overlap.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  body: z
    .strictObject({
      ...z.object(accountFields()).partial().shape,
      accounts: z
        .array(z.strictObject({ platform: toolPlatform(), handle: handleField }))
        .min(1)
        .max(MOST)
        .describe(
          'The accounts to compare: two to five, including the account of `handle` if that is given.',
        ),
      window_days: bodyWindowDays(FIGURES_WINDOW_DAYS),
    })
    .refine(({ platform, handle }) => (platform === undefined) === (handle === undefined), {
      error: 'platform and handle are expected together',
    })
    .refine(({ handle, accounts: { length } }) => (handle === undefined ? length >= LEAST : length < MOST), {
      path: ['accounts'],
      error: `${LEAST} to ${MOST} accounts are expected, that of handle included`,
    })
    .meta({
      dependentRequired: { platform: ['handle'], handle: ['platform'] },
      if: { required: ['handle'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { accounts: { maxItems: MOST - 1 } } },
      else: { properties: { accounts: { minItems: LEAST } } },
    }),
  data: {
    level: levelField,
    rows: z.array(rowSchema),
    best_by_metric: z.array(
      z.object({
        metric: z.enum(METRICS),
        index: z
          .int()
          .nullable()
          .describe('Account of the row; null if fewer than two accounts show the figure.'),
        distinguishable: z.boolean(),
      }),
    ),
  },
  example: {
    body: {
      accounts: [
        { platform: 'x', handle: 'nasa' },
        { platform: 'x', handle: 'esa' },
      ],
    },
    data: {
      rows: [EXAMPLE_ROW, { ...EXAMPLE_ROW, handle: 'esa', followers: 1_900_000 }],
      best_by_metric: [{ metric: 'engagement_rate_followers', index: 0, distinguishable: false }],
      level: LEVEL,
      inputs: EXAMPLE_INPUTS,
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    const { platform, handle, max_age_s, window_days = FIGURES_WINDOW_DAYS } = body;
    const named = body.accounts.map((account, i) => ({ account, path: `body.accounts.${i}.handle` }));
    if (platform !== undefined && handle !== undefined)
      named.unshift({ account: { platform, handle }, path: 'body.handle' });
    const all = await Promise.all(
      named.map(({ account, path }) => compared(request, { ...account, max_age_s }, path, window_days)),
    );
    refuseRepeated(all);
    const rows = all.map(({ row }) => row);
    const withFigures = rows.filter((row) => METRICS.some((metric) => row[metric] !== null)).length;
    if (withFigures < 2) throw insufficient('accounts', { had: withFigures, needs: 2 });
    return {
      result: {
        rows,
        best_by_metric: METRICS.map((metric) => bestOf(rows, metric)),
        level: LEVEL,
        inputs: all.map(({ row, observedMs }) =>
          inputOf(`${row.platform}:${row.handle ?? ''}`, observedMs, request.nowMs),
        ),
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: withFigures, total: all.length, capped: false },
      warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
    };
  },
});
