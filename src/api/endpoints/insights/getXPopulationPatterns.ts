import { z } from 'zod';
import { MIN_AUTHORS } from '../../../analysis/posting-patterns.ts';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { FRAMING, oldestSightingMs, PLATFORM, requirePopulation } from './insight-answers.ts';

const DAY_HOURS = 24;

const percentOf = (factor: number | null): number | null => (factor === null ? null : 100 * (factor - 1));

const figure = z.number().nullable();

export default endpoint({
  operation: 'getXPopulationPatterns',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/posting-patterns',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'When posts on X get more engagement',
  description: `Engagement by hour of the week (UTC) over a sample of authors. The posts of an hour are compared with the median of their author; the figure is the median over authors, with its 95 % interval, and null for fewer than ${MIN_AUTHORS} authors. Authors live in many time zones and choose when they post: the figures say nothing about causes.`,
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.object({
    platform: z.literal('x'),
    framing: z.string(),
    computed_at: z.iso.datetime(),
    timezone: z.literal('UTC'),
    authors: z.int(),
    posts: z.int(),
    cells: z
      .array(
        z.object({
          weekday: z.int().min(1).max(7),
          hour: z.int().min(0).max(23),
          n: z.int(),
          authors: z.int(),
          effect_pct: figure,
          low: figure,
          high: figure,
        }),
      )
      .describe('Hours with posts.'),
  }),
  errors: [],
  example: {
    data: {
      platform: 'x',
      framing: FRAMING,
      computed_at: '2026-11-21T06:41:00.000Z',
      timezone: 'UTC',
      authors: 2_110,
      posts: 24_310,
      cells: [{ weekday: 2, hour: 19, n: 241, authors: 186, effect_pct: 4.1, low: 0.6, high: 8.3 }],
    },
  },
  handler: async ({ services }) => {
    const population = await requirePopulation(services);
    const { patterns, counts } = population;
    return figureAnswer({
      data: {
        platform: PLATFORM,
        framing: FRAMING,
        computed_at: patterns?.computed_at ?? counts.computed_at,
        timezone: 'UTC' as const,
        authors: patterns?.authors ?? 0,
        posts: patterns?.posts ?? 0,
        cells:
          patterns?.cells.map(({ hour, n, authors, effect, low, high }) => ({
            weekday: Math.floor(hour / DAY_HOURS) + 1,
            hour: hour % DAY_HOURS,
            n,
            authors,
            effect_pct: percentOf(effect),
            low: percentOf(low),
            high: percentOf(high),
          })) ?? [],
      },
      readAtMs: oldestSightingMs(population),
      coverage: {
        sampled: patterns?.posts ?? 0,
        total: counts.sampled,
        capped: (patterns?.posts ?? 0) < counts.sampled,
      },
      warnings: [],
    });
  },
});
