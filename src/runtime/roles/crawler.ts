import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Counter } from 'prom-client';
import { createControls } from '../../crawlers/engine/controls.ts';
import { schedule } from '../../crawlers/engine/cron-jobs.ts';
import { createEngine, type Engine } from '../../crawlers/engine/engine.ts';
import { createLiveTraffic } from '../../crawlers/engine/live-traffic.ts';
import { probeNames } from '../../crawlers/engine/self-probe.ts';
import { createFrontier } from '../../crawlers/frontier.ts';
import { createHttpClient } from '../../crawlers/http/http-client.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import { createLinkPageCrawler } from '../../crawlers/link-pages.ts';
import { FeedEngine } from '../../crawlers/marketplace/feed-engine.ts';
import type { FeedEngineOptions } from '../../crawlers/marketplace/feed-reader.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { sweepCandidates } from '../../crawlers/pools/candidates.ts';
import { ensureSeedPool } from '../../crawlers/pools/choose-pool.ts';
import { type CurrentPools, createCurrentPools } from '../../crawlers/pools/current-pools.ts';
import { recruitDemand } from '../../crawlers/pools/demand.ts';
import { recruitFollows } from '../../crawlers/pools/recruit-follows.ts';
import { loadProxies } from '../../crawlers/proxies/proxies-file.ts';
import { createRecruiter, type Recruiter } from '../../crawlers/recruiter.ts';
import { systemClock } from '../../kernel/clock.ts';
import { type Config, userAgentOf } from '../../kernel/config.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { PLATFORMS, SOURCES } from '../../kernel/platform.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { systemRandom } from '../../kernel/random.ts';
import { pause } from '../../kernel/retry.ts';
import { retunePools } from '../../operations/pools/forecast.ts';
import { LINK_PAGE_HOSTS } from '../../platforms/link-pages.ts';
import { createAccountReads, createAccountStates } from '../../read/accounts.ts';
import type { Builds } from '../../read/active-builds.ts';
import { createMarketStates } from '../../read/marketplace/market-states.ts';
import { withSnapshotCache } from '../../write/accounts/account.ts';
import { createControlCopies } from '../../write/engines.ts';
import { createMarketRecorder } from '../../write/marketplace/listing.ts';
import { recordProxies } from '../../write/secrets.ts';
import type { Runtime } from '../open-runtime.ts';
import { whileLeased } from './leased.ts';
import type { Running } from './lifecycle.ts';

/** Crawls the platforms, and the feed of a marketplace if one is configured. */
export const startCrawl = async (
  runtime: Runtime,
  builds: Builds,
  registry: Registry,
  http: RateLimitedHttp,
): Promise<Running> => {
  const { config, asyncCommitDb, log, fence, availability, logger, metrics } = runtime;
  const readings = new Counter({
    name: 'sightline_crawl_readings_total',
    help: 'Accounts read by this process, by platform and outcome.',
    labelNames: ['platform', 'outcome'],
    registers: [metrics],
  });
  await Promise.all(PLATFORMS.map((platform) => ensureSeedPool(log, platform, systemClock.now())));
  await recordProxies(log, await loadProxies(config.PROXIES_FILE), systemClock.now());
  const worker = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const pools = createCurrentPools(asyncCommitDb, builds, logger);
  const frontier = createFrontier(asyncCommitDb, builds, pools, worker, config.CRAWL_LEASE_S * 1_000);
  const snapshots = withSnapshotCache(createAccountStates(asyncCommitDb, builds, logger));
  const accounts = createAccountReads(asyncCommitDb, builds);
  const liveTraffic = createLiveTraffic(asyncCommitDb);
  const recruiter = createRecruiter(asyncCommitDb, builds, pools, log, fence);
  const controls = createControls(asyncCommitDb);
  const controlCopies = createControlCopies(log, asyncCommitDb);
  // So that a pause is obeyed from the first request on.
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
  const linkPages = config.CRAWL_MODE === 'replay' ? null : startLinkPageCrawler(runtime, builds);
  return {
    stop: async () => {
      await Promise.all([
        stopSchedule(),
        recruiting.stop(),
        feed?.stop(),
        linkPages?.stop(),
        ...engines.map((engine) => engine.stop()),
      ]);
      await Promise.all(running);
    },
  };
};

const LEASE = { kind: ADVISORY_LOCKS.RECRUITING_LEASE, name: 'recruiting', of: 'recruiting' };
/** Interval in which demand and new parts of follower lists are checked. */
const LOOK_MS = 5_000;
/** Interval in which thresholds of pools with a daily number of requests are checked, and old names are forgotten. */
const RETUNE_MS = 600_000;

/**
 * Recruits accounts from follower lists and demand into the pools with such rules, and keeps pools to their daily number of
 * requests, in the process that holds the lease.
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

  const look = async (until: AbortSignal): Promise<void> => {
    if (availability.isUnavailable()) return;
    const nowMs = systemClock.now();
    await recruitDemand(db, pools, recruiter, nowMs);
    await recruitFollows({ db, builds, log, pools, recruiter }, nowMs, until);
  };
  let retuneAtMs = systemClock.now() + RETUNE_MS;
  let sweepAtMs = 0;
  const sweep = async (): Promise<void> => {
    if (systemClock.now() < sweepAtMs) return;
    sweepAtMs = systemClock.now() + RETUNE_MS;
    await sweepCandidates(db, builds, systemClock.now());
  };
  const retune = async (): Promise<void> => {
    if (availability.isUnavailable() || systemClock.now() < retuneAtMs) return;
    retuneAtMs = systemClock.now() + RETUNE_MS;
    for (const pool of await retunePools(runtime))
      logger.info({ pool }, 'refresh threshold adapted to the daily requests of the pool');
  };
  const work = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      await look(until).catch((error: unknown) =>
        logger.warn(
          { err: errorMessage(error) },
          'recruiting from follower lists and demand failed; it will be retried',
        ),
      );
      await retune().catch((error: unknown) =>
        logger.warn(
          { err: errorMessage(error) },
          'refresh thresholds could not be computed; they stay unchanged',
        ),
      );
      await sweep().catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'old names could not be forgotten; it will be retried'),
      );
      await pause(LOOK_MS, until);
    }
  };
  const running = whileLeased(url, LEASE, signal, logger, work);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

/** HTTP to sites that are no platform's. Their crawlers repeat failed requests at their own rate. */
const httpOf = (config: Config, hosts: readonly string[], maxBytes: number) =>
  createHttpClient<string>({
    hostsOf: () => hosts,
    userAgent: userAgentOf(config),
    simulatorUrl: config.SIMULATOR_URL ?? null,
    limits: { retries: 0, maxBytes },
    clock: systemClock,
    random: systemRandom,
  });

/** A link page is a list: more are no such page. */
const LINK_PAGE_BYTES = 2 * 1_024 * 1_024;

/** Reads the link pages of profiles, in the process that holds the lease. */
const startLinkPageCrawler = (runtime: Runtime, builds: Builds): Running => {
  const { config, asyncCommitDb: db, url, log, availability, logger, metrics } = runtime;
  const readings = new Counter({
    name: 'sightline_crawl_link_pages_total',
    help: 'Link pages read by this process, by outcome.',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const http = httpOf(config, LINK_PAGE_HOSTS, LINK_PAGE_BYTES);
  const crawler = createLinkPageCrawler({
    http,
    db,
    schema: () => builds.schema('people'),
    log,
    availability,
    clock: systemClock,
    logger,
    ratePerS: config.CRAWL_RATE_PER_S,
    onReading: (outcome) => readings.inc({ outcome }),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const lease = { kind: ADVISORY_LOCKS.LINK_PAGE_LEASE, name: 'link pages', of: 'link pages' };
  const running = whileLeased(url, lease, signal, logger, (leased) => crawler.run(leased));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([http.close(), running]);
    },
  };
};

const REPORT_CRON = '30 * * * * *';

/** Crawls the feed of a marketplace, in the process that holds the lease. */
const startFeedCrawler = (
  runtime: Runtime,
  builds: Builds,
  feedUrl: string,
  control: Pick<FeedEngineOptions, 'controls' | 'controlCopies'>,
): Running => {
  const { config, asyncCommitDb, url: database, log, availability, logger, metrics } = runtime;
  const { hostname: host } = new URL(feedUrl);
  const pages = new Counter({
    name: 'sightline_crawl_feed_pages_total',
    help: 'Pages of the marketplace feed read by this process, by outcome.',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const http = httpOf(config, [host], config.MARKETPLACE_PAGE_MB * 1_024 * 1_024);
  const engine = new FeedEngine({
    url: feedUrl,
    source: host,
    worker: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    http,
    db: asyncCommitDb,
    schema: () => builds.schema('listings'),
    recorder: createMarketRecorder(log, createMarketStates(asyncCommitDb, builds, logger), systemClock),
    log,
    availability,
    ...control,
    clock: systemClock,
    random: systemRandom,
    logger,
    ratePerS: config.CRAWL_RATE_PER_S,
    retryMs: config.CRAWL_RETRY_S * 1_000,
    intervals: {
      pollMs: config.MARKETPLACE_POLL_S * 1_000,
      sweepMs: config.MARKETPLACE_SWEEP_H * 3_600_000,
    },
    caps: { pages: config.MARKETPLACE_MAX_PAGES, listings: config.MARKETPLACE_MAX_LISTINGS },
    onReading: (outcome) => pages.inc({ outcome }),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const lease = { kind: ADVISORY_LOCKS.FEED_LEASE, name: `feed ${host}`, of: 'the feed' };
  const running = whileLeased(database, lease, signal, logger, (leased) => engine.run(leased));
  const stopSchedule = schedule(
    [{ name: 'feed report', at: REPORT_CRON, run: () => engine.report() }],
    logger,
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([stopSchedule(), http.close(), running]);
      await engine.report();
    },
  };
};
