import { z } from 'zod';
import { growthOf, MIN_POINTS } from '../../../analysis/growth.ts';
import { INSIGHTS_METHOD_VERSION } from '../../../analysis/sample.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { MAX_POINTS, readFollowers } from '../../../read/insights/followers.ts';
import { movesOf } from '../../../read/insights/populations.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { time } from '../../contract/parse-request.ts';
import { insightParams } from '../../contract/schemas/insights.ts';
import { findSubject, PLATFORM } from './insight-answers.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 90;

const instant = z.iso.datetime();
const slope = z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable();

export default endpoint({
  operation: 'getXGrowth',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/growth',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Follower growth of an account of X',
  description: `Readings of the followers, the change from the first to the last, the median slope of all pairs of readings (Theil and Sen) with its 95 % interval, and changes that are far larger than usual. A change that all accounts of X share, such as a purge of bots, is attributed to the platform. A slope requires ${MIN_POINTS} readings.`,
  params: insightParams,
  query: z.strictObject({
    from: time().optional().describe(`Default ${USUAL_DAYS} days before \`to\`.`),
    to: time().optional().describe('Default: the last sighting of the account.'),
  }),
  queryRules: [{ kind: 'ordered', least: 'from', most: 'to' }],
  data: z.object({
    platform: z.literal('x'),
    handle: z.string().nullable(),
    from: instant.describe('The first reading.'),
    to: instant.describe('The last reading.'),
    followers_from: z.int(),
    followers_to: z.int(),
    delta: z.int(),
    change_pct: z.number().nullable(),
    per_day_pct: slope.describe('Slope of ln(followers) per day, in percent; null for too few readings.'),
    per_day: slope.describe('The same in followers.'),
    anomalies: z.array(
      z.object({
        from: instant,
        to: instant,
        followers: z.int(),
        change_pct: z.number(),
        z: z.number().describe('Distance from the median change, in robust standard deviations.'),
        cause: z.enum(['own', 'platform']),
      }),
    ),
    points: z.array(z.object({ at: instant, followers: z.int() })),
  }),
  errors: ['not_found'],
  example: {
    params: { handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      from: '2026-08-23T08:00:00.000Z',
      to: '2026-11-21T08:16:00.000Z',
      followers_from: 95_100_000,
      followers_to: 96_000_000,
      delta: 900_000,
      change_pct: 0.95,
      per_day_pct: { value: 0.0102, low: 0.0061, high: 0.0144 },
      per_day: { value: 9_750, low: 5_830, high: 13_760 },
      anomalies: [
        {
          from: '2026-11-02T08:10:00.000Z',
          to: '2026-11-03T08:12:00.000Z',
          followers: -1_210_000,
          change_pct: -1.26,
          z: -31,
          cause: 'platform',
        },
      ],
      points: [{ at: '2026-08-23T08:00:00.000Z', followers: 95_100_000 }],
    },
  },
  handler: async (request) => {
    const { services, queuedReads, query } = request;
    const found = await findSubject(request);
    const to = query.to ?? found.last_seen_at;
    const from = query.from ?? isoOf(Date.parse(to) - USUAL_DAYS * DAY_MS);
    if (Date.parse(from) > Date.parse(to))
      throw new ServiceError('invalid_request', 'The time ends before it begins.', {
        details: [{ path: 'query.from', message: 'must not be later than to' }],
      });
    const [points, population] = await Promise.all([
      readFollowers(queuedReads, services.builds, found, { from, to }),
      services.populations.of(PLATFORM),
    ]);
    const moves = movesOf(population);
    const growth = growthOf(points, moves, PLATFORM);
    const [first, last] = [points[0], points.at(-1)];
    if (growth === null || first === undefined || last === undefined)
      throw insufficient('readings', { had: points.length, needs: 2 });
    const { n, anomalies, ...figures } = growth;
    return figureAnswer({
      data: {
        platform: PLATFORM,
        handle: found.entry.handle,
        from: isoOf(first.atMs),
        to: isoOf(last.atMs),
        followers_from: first.followers,
        followers_to: last.followers,
        ...figures,
        anomalies: anomalies.map(({ fromMs, toMs, ...anomaly }) => ({
          from: isoOf(fromMs),
          to: isoOf(toMs),
          ...anomaly,
        })),
        points: points.map(({ atMs, followers }) => ({ at: isoOf(atMs), followers })),
      },
      readAtMs: last.atMs,
      coverage: { sampled: n, total: null, capped: n === MAX_POINTS },
      warnings: [
        ...(n < MIN_POINTS ? ['few_readings'] : []),
        ...(population === null ? ['population_unknown'] : []),
      ],
    });
  },
});
