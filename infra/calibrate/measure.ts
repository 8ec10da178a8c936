import { postsPerWeek, postsPerWeekInterval } from '../../src/analysis/account-figures.ts';
import { contentEffects, TRAITS } from '../../src/analysis/content-effects.ts';
import { engagementFigures, MEASURES, type Measure, observationOf } from '../../src/analysis/engagement.ts';
import { type GrowthPoint, growthOf, theilSen } from '../../src/analysis/growth.ts';
import { fixedOffset } from '../../src/analysis/local-time.ts';
import { percentileAmong } from '../../src/analysis/percentiles.ts';
import { postingPatterns } from '../../src/analysis/posting-patterns.ts';
import { isLack, MIN_POSTS, type Sample } from '../../src/analysis/sample.ts';
import { sizeBandOf } from '../../src/kernel/size-bands.ts';
import type { World } from '../simulator/world/world.ts';
import { bootstrapWidth } from './bootstrap.ts';
import { hiddenMedians } from './estimands.ts';
import { AT, cellOf, drawOf, timingOf } from './observed.ts';
import { FEW, type Member, type Population, type PopulationOptions, populationOf } from './population.ts';
import type { Decision, Result } from './records.ts';

const DAY = 86_400_000;
/** Different numbers of followers, below which a slope takes few values. */
const FEW_NUMBERS = 12;
const NEIGHBOURS = 200;
/** Share of accounts whose intervals are compared with a bootstrap. */
const BOOTSTRAPPED = 0.3;
const WIDE: readonly Measure[] = ['likes', 'views', 'engagement_rate_followers', 'engagement_rate_views'];

export interface Measured {
  readonly results: readonly Result[];
  readonly decisions: readonly Decision[];
  readonly population: Population;
}

const aboutOf = ({ seen, isCommon }: Member) => ({
  common: isCommon,
  band: sizeBandOf(seen.followers),
  bots: seen.bots,
});

const widthOf = (sample: Sample, measure: Measure, width: number, seed: number): number | null => {
  const values = sample.ripe.flatMap((post) => {
    const one = observationOf(post, measure);
    return one === null ? [] : [one.count / one.per];
  });
  const reference = bootstrapWidth(values, seed);
  return reference === 0 ? null : width / reference;
};

const medianResults = ({ world, options, persistences, members }: Population): readonly Result[] =>
  members.flatMap((member): Result[] => {
    const { seen, sample } = member;
    const figures = engagementFigures(sample, persistences);
    const truths =
      sample.ripe.length < MIN_POSTS ? null : hiddenMedians(world, options.platform, seen, sample.ripe);
    const isCompared = drawOf(seen.traits, 1) < BOOTSTRAPPED;
    return MEASURES.map((measure) => {
      const figure = figures[measure];
      const base = { figure: measure, few: false, width: null, ...aboutOf(member) };
      if (figure === null || truths === null) return { ...base, value: null, low: 0, high: 0, truth: 0 };
      const { value, low, high } = figure;
      const few = (measure.startsWith('engagement') ? truths.engagement : truths[measure]) < FEW;
      const width =
        isCompared && !few && WIDE.includes(measure)
          ? widthOf(sample, measure, high - low, seen.traits.key)
          : null;
      return { ...base, value, low, high, truth: truths[measure], few, width };
    });
  });

/** Slope of the path without the random walk and without purges, as the method defines its estimand. */
const driftOf = (world: World, { seen: { traits } }: Member, points: readonly GrowthPoint[]): number => {
  const { growth } = world.hidden;
  const first = points[0]?.atMs ?? 0;
  const purges = growth.purges(traits.platform, first - DAY, AT);
  return theilSen(
    points.map(({ atMs }) => {
      const purged = purges.reduce((sum, purge) => {
        const done = (at: number) => Math.min(1, Math.max(0, (at - purge.at) / DAY));
        return sum + Math.log(1 - growth.lossAt(purge, traits.key)) * (done(atMs) - done(first));
      }, 0);
      const calm = growth.at(traits.platform, { ...traits, volatility: 0 }, atMs);
      return { x: atMs / DAY, y: Math.log(calm + 0.5) - purged };
    }),
  );
};

const growthResults = ({ world, members, moves }: Population): readonly Result[] =>
  members.flatMap((member): Result[] => {
    const slope = growthOf(member.points, moves)?.per_day_pct ?? null;
    if (slope === null) return [];
    const truth = 100 * driftOf(world, member, member.points);
    const few = new Set(member.points.map(({ followers }) => followers)).size < FEW_NUMBERS;
    return [{ figure: 'growth_per_day_pct', ...slope, truth, few, width: null, ...aboutOf(member) }];
  });

const paceResults = ({ world, members, options, law, originals }: Population): readonly Result[] =>
  members.flatMap((member): Result[] => {
    const { dormantFrom, createdAt, rate } = member.seen.traits;
    const span = options.windowDays * DAY;
    const isThere = dormantFrom === Infinity && createdAt < member.seen.anchorMs - span;
    if (!isThere || !member.isCommon) return [];
    // Weeks of holidays are one and a half in the mean of the accounts that have them.
    const holidays = (1.5 / 52) * world.parameters.posting.holidays;
    const pace = postsPerWeekInterval(member.sample, law);
    return [
      {
        figure: 'posts_per_week',
        value: pace === null ? null : postsPerWeek(member.sample),
        low: pace?.low ?? 0,
        high: pace?.high ?? 0,
        truth: rate * originals * (1 - holidays),
        few: false,
        width: null,
        ...aboutOf(member),
      },
    ];
  });

const patternsOf = (member: Member, { persistences }: Population): [Result[], Decision[]] => {
  const { traits } = member.seen;
  const patterns = postingPatterns(member.long, fixedOffset(traits.zone * 60), persistences);
  if (patterns === null || isLack(patterns)) return [[], []];
  const ln = timingOf(traits);
  const { ripe } = member.long;
  const usual =
    ripe.reduce((sum, { atMs }) => sum + (ln[cellOf(atMs, traits.zone)] as number), 0) / ripe.length;
  // One cell an account, so that accounts count alike.
  const cell = Math.floor(drawOf(traits, 2) * 168);
  const { effect_pct: value, low, high } = patterns.cells[cell] as (typeof patterns.cells)[number];
  const truth = 100 * (Math.exp((ln[cell] as number) - usual) - 1);
  return [
    [{ figure: 'hour_effect_pct', value, low, high, truth, few: false, width: null, ...aboutOf(member) }],
    [{ test: 'hour and weekday', is: traits.effects.timing !== null, found: patterns.significant }],
  ];
};

const contentOf = (member: Member, { persistences }: Population): [Result[], Decision[]] => {
  const { factor } = member.seen.traits.effects;
  const content = contentEffects(member.long, fixedOffset(member.seen.traits.zone * 60), persistences);
  if (content === null || isLack(content) || content.effects.length === 0) return [[], []];
  const results = content.effects.map(({ trait, effect_pct: value, low, high }) => ({
    figure: `${trait}_effect_pct`,
    value,
    low,
    high,
    truth: 100 * (factor[trait] - 1),
    few: false,
    width: null,
    ...aboutOf(member),
  }));
  const tests = content.effects.map(({ trait, significant }) => ({
    test: trait,
    is: factor[trait] !== 1,
    found: significant,
  }));
  const any = {
    test: 'any of content',
    is: TRAITS.some((trait) => factor[trait] !== 1),
    found: tests.some(({ found }) => found),
  };
  return [results, [...tests, any]];
};

const percentileResults = ({ world, options, persistences, members }: Population): readonly Result[] => {
  const answered = members
    .flatMap((member) => {
      const { sample, seen } = member;
      const figure = engagementFigures(sample, persistences).engagement_rate_followers;
      if (figure === null) return [];
      const truths = hiddenMedians(world, options.platform, seen, sample.ripe);
      return truths.engagement < FEW ? [] : [{ member, figure, truth: truths.engagement_rate_followers }];
    })
    .toSorted((a, b) => a.member.seen.followers - b.member.seen.followers);
  const around = (i: number, n: number) => {
    const from = Math.max(0, Math.min(answered.length - n - 1, i - (n >> 1)));
    return answered.slice(from, from + n + 1).filter((other) => other !== answered[i]);
  };
  return answered.flatMap(({ member, figure, truth }, i): Result[] => {
    const neighbours = around(i, NEIGHBOURS).map((other) => other.figure.value);
    const ranked = percentileAmong(
      figure,
      neighbours.sort((a, b) => a - b),
    );
    if (ranked === null) return [];
    const wide = around(i, NEIGHBOURS);
    const below = wide.filter((other) => other.truth < truth).length / wide.length;
    const { value, low, high } = ranked;
    return [
      {
        figure: 'percentile',
        value,
        low,
        high,
        truth: 100 * below,
        few: false,
        width: null,
        ...aboutOf(member),
      },
    ];
  });
};

/** Figures of a world's accounts beside the truth. */
export const measureWorld = (world: World, options: PopulationOptions): Measured => {
  const population = populationOf(world, options);
  const effects = population.members.flatMap((member) => [
    patternsOf(member, population),
    contentOf(member, population),
  ]);
  return {
    population,
    results: [
      ...medianResults(population),
      ...percentileResults(population),
      ...paceResults(population),
      ...growthResults(population),
      ...effects.flatMap(([results]) => results),
    ],
    decisions: effects.flatMap(([, decisions]) => decisions),
  };
};
