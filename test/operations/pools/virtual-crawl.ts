import { createWorld } from '../../../infra/simulator/world/world.ts';
import { createFrontier, type Lease } from '../../../src/crawlers/frontier.ts';
import { createCurrentPools } from '../../../src/crawlers/pools/current-pools.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import { parseConfig } from '../../../src/kernel/config.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import type { OperationsContext } from '../../../src/operations/context.ts';
import { withThreshold } from '../../../src/operations/pools/forecast.ts';
import { waitForProjection } from '../../../src/operations/projections/read-model.ts';
import { frontier as frontierView } from '../../../src/projections/views/frontier/projection.ts';
import { pools as poolsView } from '../../../src/projections/views/pools/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import { engineReportStream } from '../../../src/write/engines.ts';
import {
  type PoolEvent,
  type PoolTuning,
  poolStream,
  recruitMembers,
} from '../../../src/write/pools/pool.ts';
import { reportOf } from '../../support/engines.ts';
import { poolCreated } from '../../support/pools.ts';
import { createTestProgram, sighted, unavailable, unchanged } from '../../support/program.ts';

export const DAY_S = 86_400;
const DAY = 1_000 * DAY_S;
/** A Monday. */
const BEGIN = Date.UTC(2026, 2, 2);
const STEP = DAY / 8;

/** A pool of X in a mix. */
export interface MixedPool {
  readonly pool: string;
  readonly accounts: number;
  /** Share of its accounts that do not exist. */
  readonly absent?: number;
  /** Most requests of a reading; the least is one. */
  readonly requests: number;
  readonly settings: Partial<PoolTuning>;
}

/** Pools that share a platform, and a change of one of them. */
export interface Mix {
  readonly seed: number;
  readonly requestsPerDay: number;
  readonly pools: readonly MixedPool[];
  readonly tuned: string;
  readonly change: Partial<PoolTuning>;
}

/** What a crawl did for a pool. */
export interface Measured {
  readonly requestsPerDay: number;
  readonly ageP50S: number;
  readonly ageP95S: number;
}

/** Readings without a result, which cost a request; the service tries again within a step. */
const INCONCLUSIVE = 0.04;

const quantile = (sorted: Float64Array, q: number): number =>
  sorted[Math.floor(q * (sorted.length - 1))] as number;

/**
 * Crawls accounts of the simulated world in virtual time: the frontier, the turns of pools and the fold of readings are those
 * of the service; the answers of the platform and the rate of requests are the mix's.
 */
export const openVirtualCrawl = async ({ seed, requestsPerDay, pools, tuned }: Mix) => {
  const program = await createTestProgram({ known: [frontierView, poolsView] });
  const { log, database } = program;
  const world = createWorld({ seed, size: 50_000 });
  const random = seededRandom(seed);
  let now = BEGIN;
  let tokens = 0;
  const current = createCurrentPools(database.db, program.builds, silentLogger, () => now);
  const frontier = createFrontier(database.db, program.builds, current, 'virtual', 3_600_000);
  const context: OperationsContext = {
    // Less than an operator can set.
    config: { ...parseConfig({ DATABASE_URL: database.url }), CRAWL_RATE_PER_S: requestsPerDay / DAY_S },
    logger: silentLogger,
    url: database.url,
    db: database.db,
    asyncCommitDb: database.db,
    log,
  };

  const indexOf = new Map<string, number>();
  const readAt = new Map<string, number>();
  const absent = new Set<string>();
  const schedule = await openWriter(database.db, frontierView, program.builds.schema('frontier'));
  const follow = async () => {
    const after = schedule.position();
    for await (const page of log.readAll(after, { types: frontierView.types, pageSize: 500 }))
      await schedule.write(page);
    await program.builds.refresh();
    await current.refresh();
  };
  const decide = async (pool: string, event: PoolEvent) => {
    await log.append(poolStream(pool), [{ id: uuidV7(now), ...event }], 'any');
    await waitForProjection(context, poolsView, await log.head());
  };

  /** Recruits accounts for a pool. @param missing the share of them that does not exist. */
  const recruit = async (pool: string, accounts: number, missing = 0): Promise<void> => {
    const members = Array.from({ length: accounts }, (_, n) => {
      const handle = `${pool}.${indexOf.size}`;
      indexOf.set(handle, indexOf.size);
      if (n < missing * accounts) absent.add(handle);
      return { handle, via: 'seed' as const, from: null, depth: 0 };
    });
    await recruitMembers(log, [{ platform: 'x', pool, observed_at: isoOf(now), members }]);
    await follow();
  };
  for (const { pool, accounts, absent: missing, settings } of pools) {
    await decide(pool, {
      type: 'PoolCreated',
      data: poolCreated(pool, 'x', now, { size_cap: 10_000, ...settings }),
    });
    await recruit(pool, accounts, missing);
  }

  const work = new Map<string, { requests: number; readings: number; errors: number; discovered: number }>();
  const workOf = (pool: string) => {
    const found = work.get(pool) ?? { requests: 0, readings: 0, errors: 0, discovered: 0 };
    work.set(pool, found);
    return found;
  };

  const readingOf = (handle: string) => {
    const at = isoOf(now);
    if (absent.has(handle)) return unavailable(at, 'absent');
    const followers = Math.floor(world.hidden.followers('x', indexOf.get(handle) as number, now));
    return readAt.has(handle) ? unchanged(at, { followers }) : sighted(handle, at, { followers });
  };

  const read = async (lease: Lease): Promise<void> => {
    const { handle, pool } = lease;
    const most = pools.find((each) => each.pool === pool)?.requests ?? 1;
    const isConclusive = random.next() >= INCONCLUSIVE;
    const requests = isConclusive ? 1 + random.int(most) : 1;
    tokens -= requests;
    frontier.used(lease, requests);
    const done = workOf(pool);
    done.requests += requests;
    done.readings += 1;
    if (!isConclusive) {
      done.errors += 1;
      await frontier.retry('x', lease, now + STEP);
      return;
    }
    await program.append('x', handle, readingOf(handle));
    readAt.set(handle, now);
    await frontier.done('x', handle, now);
  };

  const step = async (): Promise<void> => {
    now += STEP;
    await current.refresh();
    // What a step does not use is lost, as the token bucket saves a second's worth.
    tokens = Math.min(tokens, 0) + (requestsPerDay * STEP) / DAY;
    let readings = 0;
    while (tokens > 0) {
      const leases = await frontier.lease('x', Math.min(24, Math.max(1, Math.floor(tokens / 2))), now);
      if (leases.length === 0) break;
      readings += leases.length;
      await Promise.all(leases.map(read));
    }
    if (readings > 0) await follow();
  };

  const report = async (): Promise<void> => {
    const data = reportOf('x', 'virtual', now, [], { pools: Object.fromEntries(work) });
    await log.append(
      engineReportStream('x'),
      [{ id: uuidV7(now), type: 'CrawlBatchCompleted', data }],
      'any',
    );
    work.clear();
  };

  const ages: number[] = [];
  let requests = 0;
  const measure = () => {
    for (const [handle, at] of readAt) if (handle.startsWith(`${tuned}.`)) ages.push((now - at) / 1_000);
  };

  return {
    context,
    recruit,
    /** Folds what was decided. */
    follow,
    /** Crawls for so many days. */
    crawl: async (days: number): Promise<void> => {
      for (let day = 0; day < days; day++) {
        for (let n = 0; n < DAY / STEP; n++) {
          await step();
          measure();
        }
        requests += workOf(tuned).requests;
        await report();
      }
    },
    /** What was done for the tuned pool since the last call. @param days of the crawl since then. */
    measured: (days: number): Measured => {
      const sorted = Float64Array.from(ages).sort();
      const found = {
        requestsPerDay: requests / days,
        ageP50S: quantile(sorted, 0.5),
        ageP95S: quantile(sorted, 0.95),
      };
      ages.length = 0;
      requests = 0;
      return found;
    },
    /** The settings that a change leads to, with the threshold of a number of requests. */
    settingsOf: (change: Partial<PoolTuning>) => withThreshold(context, tuned, change),
    tune: async (settings: Partial<PoolTuning>): Promise<void> => {
      await decide(tuned, { type: 'PoolTuned', data: { at: isoOf(now), decision: null, ...settings } });
      await follow();
    },
    close: () => program.close(),
  };
};
