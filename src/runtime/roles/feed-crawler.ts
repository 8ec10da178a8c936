import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { schedule } from '../../crawlers/engine/cron-jobs.ts';
import { createHttpClient } from '../../crawlers/http/http-client.ts';
import { FeedEngine } from '../../crawlers/marketplace/feed-engine.ts';
import type { FeedEngineOptions } from '../../crawlers/marketplace/feed-options.ts';
import { systemClock } from '../../kernel/clock.ts';
import { userAgentOf } from '../../kernel/config.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { systemRandom } from '../../kernel/random.ts';
import type { Builds } from '../../read/active-builds.ts';
import { createMarketStates } from '../../read/marketplace/market-states.ts';
import { createMarketRecorder } from '../../write/marketplace/listing.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

const REPORT_CRON = '30 * * * * *';
const AGAIN_MS = 1_000;

/** Crawls the feed of a marketplace, in the process that has the lease. */
export const startFeedCrawler = (
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
  const http = createHttpClient<'marketplace'>({
    hostsOf: () => [host],
    userAgent: userAgentOf(config),
    simulatorUrl: config.SIMULATOR_URL ?? null,
    // Each request waits its turn: a failed one is repeated by the engine.
    limits: { retries: 0, maxBytes: config.MARKETPLACE_PAGE_MB * 1_024 * 1_024 },
    clock: systemClock,
    random: systemRandom,
  });
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
  const lease = { kind: ADVISORY_LOCKS.FEED_LEASE, name: `feed ${host}` };
  const keepRunning = async () => {
    while (!signal.aborted) {
      await withLease(database, lease, signal, (leased) => engine.run(leased)).catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'the lease of the feed was lost; waiting for it'),
      );
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = keepRunning();
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
