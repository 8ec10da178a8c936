import { z } from 'zod';
import { courseOf, MIN_HISTORY_DAYS, MIN_HISTORY_POINTS } from '../../../analysis/growth.ts';
import { lackAlone, MOST_FOLLOWERS, projectionOf } from '../../../analysis/growth-projection.ts';
import { isLack } from '../../../analysis/sample.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { readFollowers } from '../../../read/insights/followers.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { accountFields, accountStatus, EXAMPLE_INPUTS, levelField } from '../../contract/schemas/tools.ts';
import { drawnInput, findAccount, inputOf, tool } from './define-tool.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 180;
/** Readings that are looked at: those of the time that a projection rests on, and a little more. */
const READ_DAYS = 100;
const LEVEL = 0.95;

const NOT_KNOWN = [
  'what the account will do, and what will be done to it: bands hold what such accounts had before',
  'changes of the platform that it has not had in the time that the catalog has readings of',
];

/** The refusal of a projection whose band says nothing. */
const tooWide = (days: number): ServiceError =>
  new ServiceError('insufficient_data', `These followers vary too much to be projected over ${days} days.`, {
    details: [
      {
        path: 'bands',
        message: `the band of 95 % reaches beyond ${MOST_FOLLOWERS} followers; fewer days have a narrower one`,
      },
    ],
  });

export default tool({
  operation: 'runGrowthProjection',
  name: 'growth-projection',
  title: 'Projected followers of an account',
  description: `Followers some days after the last reading, with bands of 50 % and 95 % probability. It requires ${MIN_HISTORY_POINTS} readings of followers over ${MIN_HISTORY_DAYS} days; until enough accounts of the platform can be compared, over twice the days that are projected.`,
  method:
    'A random walk with the share of the trend that persists on the platform, and quantiles of the errors of earlier projections for similar accounts, as in docs/methods/tools.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  version: '3',
  usesReadQueue: true,
  body: z.strictObject({
    ...accountFields(),
    days: z.int().min(1).max(MAX_DAYS).describe('Days after the last reading.'),
  }),
  data: {
    level: levelField,
    platform: platformSchema,
    handle: z.string().nullable(),
    status: accountStatus,
    followers: z.int().nonnegative().describe('At the last reading.'),
    at: z.iso.datetime().describe('The time of the projection.'),
    projected: z.int().nonnegative(),
    low: z.int().nonnegative().describe('Lower end of the 95 % band.'),
    high: z.int().nonnegative(),
    bands: z.array(z.object({ level: z.number(), low: z.int().nonnegative(), high: z.int().nonnegative() })),
    daily_slope: z.number().describe('Followers per day from the last reading to the projected number.'),
    trend: z.number().describe('Followers per day over the readings used.'),
    persistence: z.number().min(0).max(1).describe('The share of the trend that is assumed to persist.'),
    comparisons: z
      .int()
      .nullable()
      .describe(
        'Number of earlier projections that the bands are computed from; null: the bands are computed from this account alone.',
      ),
    readings: z.int(),
  },
  example: {
    body: { platform: 'x', handle: 'nasa', days: 30 },
    data: {
      platform: 'x',
      handle: 'nasa',
      status: 'active',
      followers: 96_000_000,
      at: '2026-12-21T08:16:00.000Z',
      projected: 96_211_000,
      low: 94_870_000,
      high: 97_640_000,
      bands: [
        { level: 0.5, low: 95_960_000, high: 96_450_000 },
        { level: 0.95, low: 94_870_000, high: 97_640_000 },
      ],
      daily_slope: 7_033,
      trend: 9_800,
      persistence: 0.72,
      comparisons: 400,
      readings: 84,
      level: LEVEL,
      inputs: [{ input: 'followers', observed_at: EXAMPLE_INPUTS[0]?.observed_at ?? null, age_s: 840 }],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ days, ...account }, request) => {
    const { services, queuedReads } = request;
    const found = await findAccount(request, account);
    const { platform, handle, status } = found.entry;
    const to = found.last_seen_at;
    const from = isoOf(Date.parse(to) - READ_DAYS * DAY_MS);
    const points = await readFollowers(queuedReads, services.builds, found, { from, to });
    const course = courseOf(points, platform);
    if (isLack(course)) throw insufficient(course.what, course);
    const drawn = await services.projectionLaws.over(platform, days);
    const lack = drawn === null ? lackAlone(course, days) : null;
    if (lack !== null) throw insufficient('days', lack);
    const projection = projectionOf(course, drawn?.law ?? null, days);
    if (projection === null) throw tooWide(days);
    const { followers, bands, dailySlope, trend, persistence, trials } = projection;
    const widest = bands.at(-1);
    return {
      result: {
        platform,
        handle,
        status,
        followers: course.followers,
        at: isoOf(course.atMs + days * DAY_MS),
        projected: followers,
        low: widest?.low ?? 0,
        high: widest?.high ?? 0,
        bands: [...bands],
        daily_slope: dailySlope,
        trend,
        persistence,
        comparisons: trials,
        readings: course.readings,
        level: LEVEL,
        inputs: [
          inputOf('followers', course.fromMs, request.nowMs),
          ...drawnInput('comparisons', drawn, request.nowMs),
        ],
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: course.readings, total: null, capped: false },
      warnings: [
        ...(course.isRounded ? ['counts_rounded'] : []),
        ...(trials === null ? ['population_unknown'] : []),
      ],
    };
  },
});
