import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { createControls } from '../../crawlers/engine/controls.ts';
import { schedule } from '../../crawlers/engine/cron-jobs.ts';
import { createEngine, type Engine } from '../../crawlers/engine/engine.ts';
import { createLiveTraffic } from '../../crawlers/engine/live-traffic.ts';
import { probeNames } from '../../crawlers/engine/probe-names.ts';
import { createFrontier } from '../../crawlers/frontier.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { type CurrentPools, createCurrentPools } from '../../crawlers/pools/current-pools.ts';
import { recruitDemand } from '../../crawlers/pools/recruit-demand.ts';
import { recruitFollows } from '../../crawlers/pools/recruit-follows.ts';
import { createRecruiter, type Recruiter } from '../../crawlers/recruiter.ts';
import { ensureSeedPool } from '../../crawlers/seed-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { PLATFORMS, SOURCES } from '../../kernel/platform.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { systemRandom } from '../../kernel/random.ts';
import { retunePools } from '../../operations/pools/retune-pools.ts';
import { createAccountReads, createAccountStates } from '../../read/accounts.ts';
import type { Builds } from '../../read/active-builds.ts';
import { withSnapshotCache } from '../../write/accounts/account.ts';
import { createControlCopies } from '../../write/engines.ts';
import type { Runtime } from '../open-runtime.ts';
import { startFeedCrawler } from './feed-crawler.ts';
import type { Running } from './lifecycle.ts';

const LEASE = { kind: ADVISORY_LOCKS.RECRUITING_LEASE, name: 'recruiting' };
/** How often demand and new parts of follower lists are looked at. */
const LOOK_MS = 5_000;
const AGAIN_MS = 1_000;
/** How often thresholds of pools with requests a day are looked at. */
const RETUNE_MS = 600_000;

/**
 * Recruits out of follower lists and demand for the pools with such rules, and lets pools keep to their requests a day, in the
 * process that has the lease.
 */
const startPoolRecruiting = (
  runtime: Runtime,
  builds: Builds,
  pools: CurrentPools,
  recruiter: Recruiter,
): Running => {
  const { asyncCommitDb: db, url, log, availability, logger } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number, until: AbortSignal) =>
    sleep(ms, undefined, { signal: until }).catch(() => undefined);

  const look = async (until: AbortSignal): Promise<void> => {
    if (availability.isUnavailable()) return;
    const nowMs = systemClock.now();
    await recruitDemand(db, pools, recruiter, nowMs);
    await recruitFollows({ db, builds, log, pools, recruiter }, nowMs, until);
  };
  let retuneAtMs = systemClock.now() + RETUNE_MS;
  const retune = async (): Promise<void> => {
    if (availability.isUnavailable() || systemClock.now() < retuneAtMs) return;
    retuneAtMs = systemClock.now() + RETUNE_MS;
    for (const pool of await retunePools(runtime))
      logger.info({ pool }, 'the refresh threshold of the pool follows its requests a day');
  };
  const work = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      await look(until).catch((error: unknown) =>
        logger.warn(
          { err: errorMessage(error) },
          'recruiting out of follower lists and demand failed; it is tried again',
        ),
      );
      await retune().catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'refresh thresholds stay: they could not be computed'),
      );
      await pause(LOOK_MS, until);
    }
  };
  const keepRunning = async () => {
    while (!signal.aborted) {
      await withLease(url, LEASE, signal, work).catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'the lease of recruiting was lost; waiting for it'),
      );
      await pause(AGAIN_MS, signal);
    }
  };
  const running = keepRunning();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

/** Crawls the platforms, and the feed of a marketplace if one is configured. */
export const startCrawl = async (
  runtime: Runtime,
  builds: Builds,
  registry: Registry,
  http: RateLimitedHttp,
): Promise<Running> => {
  const { config, asyncCommitDb, log, availability, logger, metrics } = runtime;
  const readings = new Counter({
    name: 'sightline_crawl_readings_total',
    help: 'Accounts read by this process, by platform and outcome.',
    labelNames: ['platform', 'outcome'],
    registers: [metrics],
  });
  await Promise.all(PLATFORMS.map((platform) => ensureSeedPool(log, platform, systemClock.now())));
  const worker = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const pools = createCurrentPools(asyncCommitDb, builds, logger);
  const frontier = createFrontier(asyncCommitDb, builds, pools, worker, config.CRAWL_LEASE_S * 1_000);
  const snapshots = withSnapshotCache(createAccountStates(asyncCommitDb, builds, logger));
  const accounts = createAccountReads(asyncCommitDb, builds);
  const liveTraffic = createLiveTraffic(asyncCommitDb);
  const recruiter = createRecruiter(asyncCommitDb, builds, pools, log);
  const controls = createControls(asyncCommitDb);
  const controlCopies = createControlCopies(log, asyncCommitDb);
  // A pause is obeyed from the first request on.
  await Promise.all(SOURCES.map((source) => controlCopies.copy(source)));
  const engines: Engine[] = registry.adapters.map((adapter) =>
    createEngine({
      adapter,
      worker,
      http,
      liveTraffic,
      log,
      snapshots,
      accounts,
      availability,
      frontier,
      pools,
      controls,
      controlCopies,
      recruiter,
      clock: systemClock,
      random: systemRandom,
      logger,
      concurrency: config.CRAWL_CONCURRENCY,
      posts: config.CRAWL_POSTS,
      postPages: config.CRAWL_POSTS_PAGES,
      probes: probeNames(config, adapter),
      retryMs: config.CRAWL_RETRY_S * 1_000,
      onReading: (outcome) => readings.inc({ platform: adapter.platform, outcome }),
    }),
  );
  const stopSchedule = schedule(
    engines.flatMap((engine, i) => [
      { name: `report ${i}`, at: config.CRAWL_REPORT_CRON, run: () => engine.report() },
      { name: `probe ${i}`, at: config.CRAWL_PROBE_CRON, run: () => engine.selfProbe() },
    ]),
    logger,
  );
  const running = engines.map((engine) => engine.run());
  const recruiting = startPoolRecruiting(runtime, builds, pools, recruiter);
  const feed =
    config.MARKETPLACE_URL === undefined || config.CRAWL_MODE === 'replay'
      ? null
      : startFeedCrawler(runtime, builds, config.MARKETPLACE_URL, { controls, controlCopies });
  return {
    stop: async () => {
      await Promise.all([
        stopSchedule(),
        recruiting.stop(),
        feed?.stop(),
        ...engines.map((engine) => engine.stop()),
      ]);
      await Promise.all(running);
    },
  };
};
