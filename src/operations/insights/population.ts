import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { FIGURES_WINDOW_DAYS, spanOf } from '../../read/analysis/account-figures.ts';
import {
  addDependence,
  type Dependence,
  dependenceOf,
  NO_DEPENDENCE,
} from '../../read/analysis/engagement.ts';
import type { PlatformMove } from '../../read/analysis/growth.ts';
import { type PaceLaw, paceLawOf, type WindowCounts } from '../../read/analysis/pace.ts';
import { platformMoves } from '../../read/analysis/platform-moves.ts';
import { type PopulationPatterns, populationPatterns } from '../../read/analysis/population-patterns.ts';
import { sampleOf } from '../../read/analysis/sample.ts';
import { type SampledDigest, sampleDigests, sampleFollowers } from '../../read/insights/digest-sample.ts';
import {
  type Distribution,
  type PopulationCounts,
  readCounts,
  readDistributions,
} from '../../read/insights/figure-counts.ts';

const DAY_MS = 86_400_000;

/** Fewer accounts make no ladder. */
const MIN_ACCOUNTS = 30;
/** Accounts whose posts, and whose followers, are sampled. */
const SAMPLED_ACCOUNTS = 3_000;
/** Accounts whose followers show a change of 0.2 %. */
const LEAST_FOLLOWERS = 1_000;

/** Schemas of the read models that a population is computed from. */
export interface PopulationSchemas {
  readonly posts: string;
  readonly directory: string;
}

/** What is computed of a platform's accounts in one snapshot. */
export interface Population {
  readonly platform: Platform;
  readonly counts: PopulationCounts;
  readonly distributions: readonly Distribution[];
  readonly patterns: PopulationPatterns;
  readonly dependence: Dependence;
  readonly pace: PaceLaw;
  readonly moves: readonly PlatformMove[];
}

/** Numbers of posts are compared over windows of at least so many days. */
const LEAST_DAYS = 5;

/** Originals of the last window and of the one before, as long as the posts of an account reach back. */
const windowCountsOf = (platform: Platform, { posts, anchorMs }: SampledDigest): readonly WindowCounts[] => {
  const known = sampleOf(posts, { platform, anchorMs, windowDays: 2 * FIGURES_WINDOW_DAYS });
  const windowMs = spanOf(known) / 2;
  if (windowMs < LEAST_DAYS * DAY_MS || known.published.length === 0) return [];
  const now = known.published.filter(({ atMs }) => atMs > anchorMs - windowMs).length;
  return [{ now, before: known.published.length - now, weeks: windowMs / (7 * DAY_MS) }];
};

/** A platform's population; null if the catalog has no account of it. @param db in one snapshot. */
export const readPopulation = async (
  db: Queryable,
  schemas: PopulationSchemas,
  platform: Platform,
): Promise<Population | null> => {
  const counts = await readCounts(db, schemas.posts, platform);
  if (counts === null) return null;
  const size = { accounts: SAMPLED_ACCOUNTS, of: counts.accounts };
  const digests = await sampleDigests(db, schemas.posts, platform, size);
  const followers = { ...size, leastFollowers: LEAST_FOLLOWERS };
  const windowDays = FIGURES_WINDOW_DAYS;
  return {
    platform,
    counts,
    distributions: (await readDistributions(db, schemas.posts, platform)).filter(
      ({ n }) => n >= MIN_ACCOUNTS,
    ),
    patterns: populationPatterns(digests, platform, windowDays),
    dependence: digests
      .map(({ posts, anchorMs }) => dependenceOf(sampleOf(posts, { platform, anchorMs, windowDays })))
      .reduce(addDependence, NO_DEPENDENCE),
    pace: paceLawOf(digests.flatMap((each) => windowCountsOf(platform, each))),
    moves: platformMoves(await sampleFollowers(db, schemas.directory, platform, followers)),
  };
};
