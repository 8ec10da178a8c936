import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Counter } from 'prom-client';
import { createControls } from '../../crawlers/engine/controls.ts';
import { schedule } from '../../crawlers/engine/cron-jobs.ts';
import { createEngine, type Engine } from '../../crawlers/engine/engine.ts';
import { createLiveTraffic } from '../../crawlers/engine/live-traffic.ts';
import { probeNames } from '../../crawlers/engine/probe-names.ts';
import { createFrontier } from '../../crawlers/frontier.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { createCurrentPools } from '../../crawlers/pools/current-pools.ts';
import { createRecruiter } from '../../crawlers/recruiter.ts';
import { ensureSeedPool } from '../../crawlers/seed-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import { PLATFORMS } from '../../kernel/platform.ts';
import { systemRandom } from '../../kernel/random.ts';
import { SOURCES } from '../../kernel/source.ts';
import { createAccountReads } from '../../read/accounts/account-reads.ts';
import { createAccountStates } from '../../read/accounts/account-states.ts';
import type { Builds } from '../../read/active-builds.ts';
import { withSnapshotCache } from '../../write/accounts/snapshot.ts';
import { createControlCopies } from '../../write/engines/controls.ts';
import type { Runtime } from '../open-runtime.ts';
import { startFeedCrawler } from './feed-crawler.ts';
import type { Running } from './lifecycle.ts';
import { startPoolRecruiting } from './pool-recruiting.ts';

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
