import { FIGURES_WINDOW_DAYS, windowCountsOf } from '../../analysis/account-figures.ts';
import { addDependence, type Dependence, dependenceOf, NO_DEPENDENCE } from '../../analysis/engagement.ts';
import type { PlatformMove } from '../../analysis/growth.ts';
import { type PaceLaw, paceLawOf } from '../../analysis/pace.ts';
import { platformMoves } from '../../analysis/platform-moves.ts';
import { type PopulationPatterns, populationPatterns } from '../../analysis/population-patterns.ts';
import { lackOf, type Sample, sampleOf } from '../../analysis/sample.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { SampleCountRow } from '../../projections/views/posts/tables.ts';
import { sampleDigests, sampleFollowers } from '../../read/insights/digest-sample.ts';
import { type Distribution, readCounts, readDistributions } from '../../read/insights/figure-counts.ts';

/** Fewer accounts make no ladder. */
const MIN_ACCOUNTS = 30;
/** Accounts whose posts, and whose followers, are sampled. */
const SAMPLED_ACCOUNTS = 1_500;
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
  readonly counts: SampleCountRow;
  /** The time that the posts of the sampled accounts with figures are of; null if none has any. */
  readonly window: { readonly fromMs: number; readonly toMs: number } | null;
  readonly distributions: readonly Distribution[];
  readonly patterns: PopulationPatterns;
  readonly dependence: Dependence;
  readonly pace: PaceLaw;
  readonly moves: readonly PlatformMove[];
}

/** From the first window of the accounts with figures to the last. */
const windowOf = (samples: readonly Sample[]): Population['window'] => {
  const withFigures = samples.filter((sample) => lackOf(sample) === null);
  if (withFigures.length === 0) return null;
  return {
    fromMs: Math.min(...withFigures.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...withFigures.map(({ anchorMs }) => anchorMs)),
  };
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
  const samples = digests.map(({ posts, ...known }) => sampleOf(posts, { platform, windowDays, ...known }));
  return {
    platform,
    counts,
    window: windowOf(samples),
    distributions: (await readDistributions(db, schemas.posts, platform)).filter(
      ({ n }) => n >= MIN_ACCOUNTS,
    ),
    patterns: populationPatterns(digests, platform, windowDays),
    dependence: samples.map(dependenceOf).reduce(addDependence, NO_DEPENDENCE),
    pace: paceLawOf(
      digests
        .map(({ posts, ...known }) =>
          windowCountsOf(sampleOf(posts, { platform, windowDays: 2 * windowDays, ...known })),
        )
        .filter((counts) => counts !== null),
    ),
    moves: platformMoves(await sampleFollowers(db, schemas.directory, platform, followers)),
  };
};
