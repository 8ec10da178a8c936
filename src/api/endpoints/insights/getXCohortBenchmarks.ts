import { z } from 'zod';
import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import type { Ladder } from '../../../read/insights/populations.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { bandSchema } from '../../contract/schemas/insights.ts';
import { bandOf, FRAMING, oldestSightingMs, PLATFORM, requirePopulation } from './insight-answers.ts';

const METRICS = [
  'engagement_rate_followers',
  'engagement_rate_views',
  'median_likes',
  'median_views',
  'posts_per_week',
] as const;

const ladderSchema = z
  .object({
    n: z.int(),
    p10: z.number(),
    p25: z.number(),
    p50: z.number(),
    p75: z.number(),
    p90: z.number(),
  })
  .meta({ id: 'Percentiles' })
  .nullable()
  .describe('Percentiles, accurate to 1 %; null for fewer than 30 accounts.');

const shown = (ladder: Ladder | undefined): z.input<typeof ladderSchema> => {
  if (ladder === undefined) return null;
  const at = (percent: number): number => ladder.points[percent] ?? 0;
  return { n: ladder.n, p10: at(10), p25: at(25), p50: at(50), p75: at(75), p90: at(90) };
};

const figures = z.object({
  engagement_rate_followers: ladderSchema,
  engagement_rate_views: ladderSchema,
  median_likes: ladderSchema,
  median_views: ladderSchema,
  posts_per_week: ladderSchema,
});

const figuresOf = (ladders: readonly Ladder[], of: number | null): z.input<typeof figures> => {
  const find = (metric: string) =>
    shown(ladders.find(({ metric: name, band }) => name === metric && band === of));
  return Object.fromEntries(METRICS.map((metric) => [metric, find(metric)])) as z.input<typeof figures>;
};

const EXAMPLE = { n: 812, p10: 0.0003, p25: 0.0006, p50: 0.0012, p75: 0.0025, p90: 0.0049 };
const EXAMPLE_FIGURES = {
  engagement_rate_followers: EXAMPLE,
  engagement_rate_views: null,
  median_likes: null,
  median_views: null,
  posts_per_week: { n: 812, p10: 1.9, p25: 2.3, p50: 3.5, p75: 6.1, p90: 10.9 },
};

export default endpoint({
  operation: 'getXCohortBenchmarks',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/cohort-benchmarks',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Benchmarks for accounts of X by size',
  description:
    'Percentiles of the figures of `/insights/x/{handle}` for eight size bands and for all accounts, as last computed. Bands and figures of fewer than 30 accounts are omitted. `framing` describes the sample.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.object({
    platform: z.literal('x'),
    framing: z.string(),
    computed_at: z.iso.datetime(),
    window_days: z.int(),
    all: figures,
    bands: z.array(z.object({ ...bandSchema.shape, accounts: z.int(), ...figures.shape })),
  }),
  errors: [],
  example: {
    data: {
      platform: 'x',
      framing: FRAMING,
      computed_at: '2026-11-21T06:41:00.000Z',
      window_days: 30,
      all: EXAMPLE_FIGURES,
      bands: [{ min_followers: 10_000, max_followers: 49_999, accounts: 9_310, ...EXAMPLE_FIGURES }],
    },
  },
  handler: async ({ services }) => {
    const population = await requirePopulation(services);
    const { ladders, counts } = population;
    const sizes = ladders.filter(({ metric, band }) => metric === 'followers' && band !== null);
    return figureAnswer({
      data: {
        platform: PLATFORM,
        framing: FRAMING,
        computed_at: counts.computed_at,
        window_days: FIGURES_WINDOW_DAYS,
        all: figuresOf(ladders, null),
        bands: sizes
          .toSorted((a, b) => (a.band as number) - (b.band as number))
          .map(({ band, n }) => ({
            ...bandOf(band as number),
            accounts: n,
            ...figuresOf(ladders, band),
          })),
      },
      readAtMs: oldestSightingMs(population),
      coverage: { sampled: counts.with_figures, total: counts.accounts, capped: false },
      warnings: [],
    });
  },
});
