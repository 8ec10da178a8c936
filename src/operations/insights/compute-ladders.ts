import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { DIRECTORY_PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { withReadSnapshot } from '../../kernel/postgres/read-snapshot.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { checkpointOf } from '../../projections/checkpoints/checkpoint-store.ts';
import { posts } from '../../projections/views/posts/projection.ts';
import { FIGURES_WINDOW_DAYS } from '../../read/analysis/account-figures.ts';
import { addDependence, type Dependence, dependenceOf, NO_DEPENDENCE } from '../../read/analysis/engagement.ts';
import { type PopulationPatterns, populationPatterns } from '../../read/analysis/population-patterns.ts';
import { INSIGHTS_METHOD_VERSION } from '../../read/analysis/post.ts';
import { sampleOf } from '../../read/analysis/sample.ts';
import { sampleDigests } from '../../read/insights/digest-sample.ts';
import {
  type Distribution,
  type PopulationCounts,
  readCounts,
  readDistributions,
} from '../../read/insights/figure-counts.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import { ladderStream } from '../../write/insights/events.ts';
import type { EventLog, NewEvent } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';

/** Fewer accounts make no ladder. */
export const MIN_ACCOUNTS = 30;
/** Accounts whose posts are sampled for the hours of the week. */
const SAMPLED_ACCOUNTS = 2_000;

const POPULATION = 'catalog';

const DAY_MS = 86_400_000;

/** What is computed of a platform in one snapshot. */
interface PlatformFigures {
  readonly platform: Platform;
  readonly counts: PopulationCounts;
  readonly distributions: readonly Distribution[];
  readonly patterns: PopulationPatterns;
  readonly dependence: Dependence;
}

const readPlatform = async (
  db: Queryable,
  schema: string,
  platform: Platform,
): Promise<PlatformFigures | null> => {
  const counts = await readCounts(db, schema, platform);
  if (counts === null) return null;
  const digests = await sampleDigests(db, schema, platform, {
    accounts: SAMPLED_ACCOUNTS,
    of: counts.with_figures,
  });
  return {
    platform,
    counts,
    distributions: (await readDistributions(db, schema, platform)).filter(({ n }) => n >= MIN_ACCOUNTS),
    patterns: populationPatterns(digests, platform, FIGURES_WINDOW_DAYS),
    dependence: digests
      .map(({ posts: own, anchorMs }) =>
        dependenceOf(sampleOf(own, { platform, anchorMs, windowDays: FIGURES_WINDOW_DAYS })),
      )
      .reduce(addDependence, NO_DEPENDENCE),
  };
};

/** The ID of the event at a position; null if the log can't be read from there, or has none there. */
const eventAt = async (log: EventLog, position: bigint): Promise<string | null> => {
  if (log.canSeekAnyPosition === false || position < 1n) return null;
  for await (const { events } of log.readAll(position - 1n, { to: position, pageSize: 1, raw: true }))
    return events[0]?.id ?? null;
  return null;
};

/** The events of a platform's figures, the count last. */
const eventsOf = (
  { platform, counts, distributions, patterns, dependence }: PlatformFigures,
  atMs: number,
  through: string | null,
): readonly NewEvent[] => {
  const method = INSIGHTS_METHOD_VERSION;
  const computed = { at: isoOf(atMs), platform, population: POPULATION, through, method };
  const { firstMs, lastMs, platform: _, ...counted } = counts;
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
        window_start: firstMs === null ? null : isoOf(firstMs - FIGURES_WINDOW_DAYS * DAY_MS),
        window_end: lastMs === null ? null : isoOf(lastMs),
      } satisfies EventDataOf<'PopulationCounted'>,
    },
  ].map((event) => ({ id: uuidV7(atMs), ...event }));
};

/** What was computed: platforms with accounts, and their ladders. */
export interface ComputedLadders {
  readonly platform: Platform;
  readonly accounts: number;
  readonly withFigures: number;
  readonly ladders: number;
}

/**
 * Computes the ladders of all platforms in one snapshot of the view of posts, and appends them, a platform at a time.
 * @throws {OperatorError} `read_model_behind` while the view is being built.
 */
export const computeLadders = async ({
  db,
  log,
}: Pick<OperationsContext, 'db' | 'log'>): Promise<readonly ComputedLadders[]> => {
  const build = await activeBuild(db, posts.name, posts.version);
  if (build === null)
    throw new OperatorError('read_model_behind', 'The read model posts is still being built: try again later.');
  const { figures, nowMs, position } = await withReadSnapshot(db, async (client) => {
    const { rows } = await client.query<{ now: Date }>('select now() as now');
    const found: (PlatformFigures | null)[] = [];
    for (const platform of DIRECTORY_PLATFORMS)
      found.push(await readPlatform(client, build.schema, platform));
    return {
      figures: found.flatMap((one) => one ?? []),
      nowMs: (rows[0] as { now: Date }).now.getTime(),
      position: await checkpointOf(client, build.schema),
    };
  });
  const through = await eventAt(log, position);
  const appends = figures.map((each) => ({
    stream: ladderStream(each.platform),
    events: eventsOf(each, nowMs, through),
    expected: 'any' as const,
  }));
  if (appends.length > 0) await log.appendMany(appends);
  return figures.map(({ platform, counts, distributions }) => ({
    platform,
    accounts: counts.accounts,
    withFigures: counts.with_figures,
    ladders: distributions.length,
  }));
};
