import { FIGURES_WINDOW_DAYS, windowCountsOf } from '../../analysis/account-figures.ts';
import { addDependence, type Dependence, dependenceOf, NO_DEPENDENCE } from '../../analysis/engagement.ts';
import { type PlatformMove, platformMoves } from '../../analysis/growth.ts';
import { type PaceLaw, paceLawOf } from '../../analysis/pace.ts';
import { type PopulationPatterns, populationPatterns } from '../../analysis/posting-patterns.ts';
import { INSIGHTS_METHOD_VERSION, lackOf, type Sample, sampleOf } from '../../analysis/sample.ts';
import { isoOf } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { type Queryable, withReadSnapshot } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { DIRECTORY_PLATFORMS } from '../../platforms/index.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import { directory } from '../../projections/views/directory/projection.ts';
import { posts } from '../../projections/views/posts/projection.ts';
import type { SampleCountRow } from '../../projections/views/posts/tables.ts';
import { sampleDigests, sampleFollowers } from '../../read/insights/laws.ts';
import { type Distribution, readCounts, readDistributions } from '../../read/insights/populations.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import { ladderStream } from '../../write/insights.ts';
import type { EventLog, NewEvent } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';
import { activeSchema } from '../projections/read-model.ts';

/** The results of a platform that has accounts. */
export interface ComputedLadders {
  readonly platform: Platform;
  readonly accounts: number;
  readonly with_figures: number;
  readonly ladders: number;
}

/**
 * Computes the ladders of all platforms in one snapshot of the read models, and appends them, a platform at a time.
 * @throws {OperatorError} `read_model_behind` while a read model is being built.
 */
export const computeLadders = async ({
  db,
  log,
}: Pick<OperationsContext, 'db' | 'log'>): Promise<readonly ComputedLadders[]> => {
  const schemas = { posts: await activeSchema(db, posts), directory: await activeSchema(db, directory) };
  const { populations, nowMs, position } = await withReadSnapshot(db, async (client) => {
    // Nothing waits for the result: workers of Postgres would only take processors from requests.
    await client.query(sql`set local max_parallel_workers_per_gather = 0`);
    const { rows } = await client.query<{ now: string }>(sql`select now() as now`);
    const found: (Population | null)[] = [];
    for (const platform of DIRECTORY_PLATFORMS) found.push(await readPopulation(client, schemas, platform));
    return {
      populations: found.filter((one) => one !== null),
      nowMs: Date.parse((rows[0] as { now: string }).now),
      position: await checkpointOf(client, schemas.posts),
    };
  });
  const through = await eventAt(log, position);
  const appends = populations.map((each) => ({
    stream: ladderStream(each.platform),
    events: eventsOf(each, nowMs, through),
    expected: 'any' as const,
  }));
  if (appends.length > 0) await log.appendMany(appends);
  return populations.map(({ platform, counts, distributions }) => ({
    platform,
    accounts: counts.accounts,
    with_figures: counts.with_figures,
    ladders: distributions.length,
  }));
};

/** Fewer accounts make no ladder. */
const MIN_ACCOUNTS = 30;
/** Accounts whose posts, and whose followers, are sampled. */
const SAMPLED_ACCOUNTS = 1_500;
/** Accounts whose followers show a change of 0.2 %. */
const LEAST_FOLLOWERS = 1_000;

/** Schemas of the read models that a population is computed from. */
interface PopulationSchemas {
  readonly posts: string;
  readonly directory: string;
}

/** The figures of a platform's accounts, computed in one snapshot. */
interface Population {
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
const readPopulation = async (
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

const POPULATION = 'catalog';
/** Moves of a platform that an event has. */
const MAX_MOVES = 500;

/** The ID of the event at a position; null if the log can't be read from there, or has none there. */
const eventAt = async (log: EventLog, position: bigint): Promise<string | null> => {
  if (log.canSeekAnyPosition === false || position < 1n) return null;
  for await (const { events } of log.readAll(position - 1n, { to: position, pageSize: 1, raw: true }))
    return events[0]?.id ?? null;
  return null;
};

/** The events of a platform's population, the count last. */
const eventsOf = (population: Population, atMs: number, through: string | null): readonly NewEvent[] => {
  const { platform, counts, window, distributions, patterns, dependence, pace, moves } = population;
  const method = INSIGHTS_METHOD_VERSION;
  const computed = { at: isoOf(atMs), platform, population: POPULATION, through, method };
  const { platform: _, ...counted } = counts;
  const ladders = distributions.map(({ metric, band, n, points }) => ({
    type: 'LadderComputed',
    data: { ...computed, metric, band, n, points: [...points] } satisfies EventDataOf<'LadderComputed'>,
  }));
  return [
    ...ladders,
    {
      type: 'PopulationPatternsComputed',
      data: {
        ...computed,
        ...patterns,
        cells: [...patterns.cells],
      } satisfies EventDataOf<'PopulationPatternsComputed'>,
    },
    {
      type: 'PopulationCounted',
      data: {
        ...computed,
        ...counted,
        dependence,
        pace: { ...pace, variances: [...pace.variances] },
        moves: moves.slice(-MAX_MOVES).map(({ fromMs, toMs, change }) => ({
          from: isoOf(fromMs),
          to: isoOf(toMs),
          change,
        })),
        window_start: window === null ? null : isoOf(window.fromMs),
        window_end: window === null ? null : isoOf(window.toMs),
      } satisfies EventDataOf<'PopulationCounted'>,
    },
  ].map((event) => ({ id: uuidV7(atMs), ...event }));
};
