import { AUTHENTICITY_WINDOW_DAYS, dispersionOf, reactionFigures } from '../../src/analysis/authenticity.ts';
import { addDependence, dependenceOf, NO_DEPENDENCE, persistencesOf } from '../../src/analysis/engagement.ts';
import { type DatedPost, MIN_POSTS, type Sample, sampleOf } from '../../src/analysis/sample.ts';
import { normal } from '../simulator/world/draws.ts';
import { mix } from '../simulator/world/hash.ts';
import type { World } from '../simulator/world/world.ts';
import { AT } from './observed.ts';
import { readAccount } from './readings.ts';

const DAY = 86_400_000;
const PLATFORM = 'x';
const HOUR = 3_600_000;
/** Number of posts drawn to compute a true value. */
const DRAWS = 1_500;
/** Reactions of a median post below which they are few values. */
const FEW = 5;
/** Days between readings. */
const INTERVAL = 4;
/** Deviations of a post's parts around those of its account, as the world draws them: a mean is larger than a median. */
const PART = Math.exp(0.3 ** 2 / 2);
const VIEWS_PART = Math.exp(0.25 ** 2 / 2);

export const REACTION_FIGURES = [
  'dispersion',
  'comments_per_like',
  'reposts_per_like',
  'views_per_like',
] as const;

/** A figure of reactions beside its true value. */
export interface ReactionResult {
  readonly figure: (typeof REACTION_FIGURES)[number];
  readonly error: number;
  readonly isCovered: boolean;
}

export interface ReactionsMeasured {
  readonly results: readonly ReactionResult[];
  readonly lacking: number;
}

/**
 * How posts vary that the account might have published in the window: each of its posts again and again, with the noise and
 * the streaks of the world, at the age at which it was read.
 */
const trueDispersion = (world: World, index: number, ripe: readonly DatedPost[]): number => {
  const { posts, age } = world.parameters;
  const values: number[] = [];
  for (let k = 0; k < DRAWS; k++) {
    const post = ripe[k % ripe.length] as DatedPost;
    const { engagement, streak, outlier } = world.hidden.causes(PLATFORM, index, Number(post.id));
    const halfLives = (post.observedMs - post.atMs) / (age.halfLife[PLATFORM] * HOUR);
    const grown = 1 - 2 ** -(halfLives ** age.shape);
    const noise = Math.exp(posts.sigma * normal(mix(index + 1, k), 3));
    values.push(Math.round((engagement / (streak * outlier)) * grown * noise));
  }
  return dispersionOf(values);
};

/** Figures of reactions of accounts with enough of them, beside their true values. */
export const measureReactions = (world: World, accounts: number): ReactionsMeasured => {
  const results: ReactionResult[] = [];
  const members: { readonly index: number; readonly sample: Sample }[] = [];
  let dependence = NO_DEPENDENCE;
  for (let index = 0; index < world.size && members.length < accounts; index++) {
    const { dormantFrom, rate, size, engagement } = world.hidden.traits(PLATFORM, index);
    const isBusy = (rate * AUTHENTICITY_WINDOW_DAYS) / 7 >= MIN_POSTS;
    if (dormantFrom < Infinity || engagement.rate * size < FEW || !isBusy) continue;
    const account = world.account(PLATFORM, index, AT);
    if (account.status !== 'active') continue;
    const fromMs = AT - (AUTHENTICITY_WINDOW_DAYS + INTERVAL) * DAY;
    const { posts } = readAccount(world, PLATFORM, index, { anchorMs: AT, fromMs, interval: INTERVAL * DAY });
    const sample = sampleOf([...posts.digest.values()], {
      platform: PLATFORM,
      anchorMs: AT,
      windowDays: AUTHENTICITY_WINDOW_DAYS,
      span: posts.span,
    });
    dependence = addDependence(dependence, dependenceOf(sample));
    members.push({ index, sample });
  }
  const { engagement: persistence } = persistencesOf(dependence);
  let lacking = 0;
  for (const { index, sample } of members) {
    const { commentsPerLike, repostsPerLike, viewsPerLike } = world.hidden.traits(PLATFORM, index).engagement;
    const figures = reactionFigures(sample.ripe, persistence);
    if (figures.dispersion === null) lacking += 1;
    const truths = {
      dispersion: figures.dispersion === null ? null : trueDispersion(world, index, sample.ripe),
      comments_per_like: commentsPerLike * PART,
      reposts_per_like: repostsPerLike * PART,
      views_per_like: viewsPerLike * VIEWS_PART,
    };
    for (const figure of REACTION_FIGURES) {
      const [found, truth] = [figures[figure], truths[figure]];
      if (found === null || truth === null) continue;
      results.push({
        figure,
        error: Math.log(Math.max(found.value, 1e-9) / truth),
        isCovered: found.low <= truth && truth <= found.high,
      });
    }
  }
  return { results, lacking };
};
