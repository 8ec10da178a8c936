import { z } from 'zod';
import { postsPerWeek } from '../../../analysis/account-figures.ts';
import {
  accountAgeOf,
  accountScore,
  GRADES,
  MIN_KNOWN_POINTS,
  SCORE_PARTS,
} from '../../../analysis/account-scores.ts';
import {
  AUTHENTICITY_WINDOW_DAYS,
  compareReactions,
  reactionFigures,
} from '../../../analysis/authenticity.ts';
import { engagementFigures } from '../../../analysis/engagement.ts';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import { growthOf } from '../../../analysis/growth.ts';
import { percentileAmong, rankInLadder } from '../../../analysis/percentiles.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import { readFollowers } from '../../../read/insights/followers.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { movesOf } from '../../../read/insights/populations.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import {
  accountFields,
  accountStatus,
  canBeCausedByOthers,
  EXAMPLE_INPUTS,
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

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365.25;
const WINDOW_DAYS = AUTHENTICITY_WINDOW_DAYS;

const NOT_KNOWN = ['what an account is worth to anybody: the weights are a convention'];

type Request = EndpointRequest<unknown, unknown, unknown>;

const knownOf = async (request: Request, found: FoundEntry) => {
  const { services, queuedReads, nowMs } = request;
  const { entry, last_seen_at: to } = found;
  const { platform, followers } = entry;
  const from = isoOf(Date.parse(to) - WINDOW_DAYS * DAY_MS);
  const [sample, laws, drawn, points] = await Promise.all([
    readSample(request, found, WINDOW_DAYS),
    readLaws(services.populations, platform),
    services.reactionNorms.of(platform),
    readFollowers(queuedReads, services.builds, found, { from, to }),
  ]);
  const ladderOf = (metric: string, band: number | null) =>
    laws.population?.ladders.find((ladder) => ladder.metric === metric && ladder.band === band);
  const sizes = ladderOf('followers', null);
  const rate = engagementFigures(sample, laws.persistences, [
    'engagement_rate_followers',
  ]).engagement_rate_followers;
  const rates = followers === null ? undefined : ladderOf('engagement_rate_followers', sizeBandOf(followers));
  const figures = reactionFigures(sample.ripe, laws.persistences.engagement);
  const { ageDays, isLeast } = accountAgeOf(entry, nowMs);
  const compared = drawn === null ? null : compareReactions(figures, drawn.norms);
  const isCompared = compared !== null && compared.percentiles.dispersion !== null;
  return {
    sample,
    points,
    population: [...populationInput(laws.population, nowMs), ...drawnInput('norms', drawn, nowMs)],
    account: {
      followersPercentile:
        followers === null || sizes === undefined
          ? null
          : rankInLadder(sizes.points, sizes.n, followers).percentile,
      engagementPercentile:
        rate === null || rates === undefined ? null : (percentileAmong(rate, rates.points)?.value ?? null),
      growthPerDayPct: growthOf(points, movesOf(laws.population), platform)?.per_day_pct?.value ?? null,
      postsPerWeek: postsPerWeek(sample),
      ageYears: isLeast ? null : ageDays / YEAR_DAYS,
      reactionFlags: isCompared ? compared.flags.length : null,
    },
  };
};

export default tool({
  operation: 'runAccountScore',
  name: 'account-score',
  title: 'A score of an account, with its parts',
  description: `0 to 100 points: the weighted sum of reach, engagement, growth, activity, age and reactions; the answer shows the weights. An unknown part is null, and its weight is distributed over the others in proportion: \`known_points\` and \`meta.coverage\` state the points that the score rests on. Fewer than ${MIN_KNOWN_POINTS} are refused. The score is a convention, not an estimate.`,
  method: 'A sum of six parts with fixed weights, in docs/methods/tools.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  version: '3',
  usesReadQueue: true,
  body: z.strictObject(accountFields()),
  data: {
    platform: platformSchema,
    handle: z.string().nullable(),
    status: accountStatus,
    score: z.number().min(0).max(100),
    grade: z.enum(GRADES).describe('A from 80 points, B from 65, C from 50, D from 35.'),
    components: z.array(
      z.object({
        name: z.enum(SCORE_PARTS),
        value: z.number().min(0).max(1).nullable().describe('Null if unknown; the part then has no weight.'),
        weight: z.number().min(0).max(100),
        points: z.number().min(0).max(100),
        can_be_caused_by_others: canBeCausedByOthers,
      }),
    ),
    known_points: z.number().describe('Total weight of the known parts, out of 100.'),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      status: 'active',
      score: 75.9,
      grade: 'B',
      components: [
        { name: 'reach', value: 0.99, weight: 25, points: 24.75, can_be_caused_by_others: true },
        { name: 'engagement', value: 0.38, weight: 30, points: 11.4, can_be_caused_by_others: true },
        { name: 'growth', value: 0.65, weight: 15, points: 9.75, can_be_caused_by_others: true },
        { name: 'activity', value: 1, weight: 10, points: 10, can_be_caused_by_others: false },
        { name: 'age', value: 1, weight: 10, points: 10, can_be_caused_by_others: false },
        { name: 'reactions', value: 1, weight: 10, points: 10, can_be_caused_by_others: true },
      ],
      known_points: 100,
      inputs: EXAMPLE_INPUTS,
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    const found = await findAccount(request, body);
    const { sample, points, population, account } = await knownOf(request, found);
    const { total, parts, known } = accountScore(account);
    if (total === null) throw insufficient('points', { had: known, needs: MIN_KNOWN_POINTS });
    const { platform, handle, status } = found.entry;
    return {
      result: {
        platform,
        handle,
        status,
        ...total,
        components: parts.map((part) => ({
          ...part,
          can_be_caused_by_others: CAUSED_BY_OTHERS['account-score'][part.name],
        })),
        known_points: known,
        inputs: [
          inputOf('account', Date.parse(found.oldest_at), request.nowMs),
          inputOf('posts', oldestPostMs(sample), request.nowMs),
          inputOf('followers', points[0]?.atMs ?? null, request.nowMs),
          ...population,
        ],
        not_known: [
          ...NOT_KNOWN,
          ...parts
            .filter(({ value }) => value === null)
            .map(({ name }) => `${name}: too little is known of it`),
        ],
      },
      coverage: { sampled: known, total: 100, capped: false },
      warnings: sample.warnings,
    };
  },
});
