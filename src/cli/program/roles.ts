import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Server, startServer } from '../../api/server.ts';
import { createEngine, type Engine } from '../../crawlers/engine.ts';
import { createFrontier } from '../../crawlers/frontier.ts';
import { createPacedHttp, type PacedHttp } from '../../crawlers/http/paced.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { createRecruiter, ensureSeedPool } from '../../crawlers/pools.ts';
import { schedule } from '../../crawlers/schedule.ts';
import { createTokens } from '../../crawlers/tokens.ts';
import { systemClock } from '../../kernel/clock.ts';
import { PLATFORMS } from '../../kernel/platform.ts';
import { createPool } from '../../kernel/postgres/pool.ts';
import { systemRandom } from '../../kernel/random.ts';
import { projections } from '../../projections/registry.ts';
import { runProjection } from '../../projections/runner.ts';
import type { Builds } from '../../read/builds.ts';
import { openReadPool } from '../../read/database.ts';
import { createDemand } from '../../write/demand/demand.ts';
import { loadPlans } from '../../write/metering/plans-file.ts';
import { METERING_SETTINGS } from '../../write/metering/terms.ts';
import { startUpkeep } from '../../write/metering/upkeep.ts';
import { loadCursorSecrets } from '../../write/secrets/cursor-secrets.ts';
import type { Program } from './open.ts';
import { createServices } from './services.ts';

/** A running part of the program. */
export interface Running {
  stop(): Promise<void>;
}

/** Keeps every projection up to date. */
export const startProjections = (program: Program): Running => {
  const { scratch, log, logger, url } = program;
  const stopping = new AbortController();
  const options = { db: scratch, log, logger, connectionString: url, signal: stopping.signal };
  const running = projections.map((projection) => runProjection(projection, options));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};

/** The way to the platforms that crawling and live reads share, with the rate that all processes share. */
export const openPacedHttp = (program: Program, http: Parameters<typeof createPacedHttp>[0]): PacedHttp =>
  createPacedHttp(
    http,
    createTokens(program.scratch, program.config.CRAWL_RATE_PER_S),
    program.config.CRAWL_CONCURRENCY,
  );

const REPORT_CRON = '0 * * * * *';

/** Crawls the seven platforms. */
export const startCrawl = async (
  program: Program,
  builds: Builds,
  registry: Registry,
  http: PacedHttp,
): Promise<Running> => {
  const { config, scratch, log, logger } = program;
  for (const platform of PLATFORMS) await ensureSeedPool(log, platform, systemClock.now());
  const worker = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const frontier = createFrontier(scratch, builds, worker, config.CRAWL_LEASE_S * 1_000);
  const recruiter = createRecruiter(scratch, builds, log);
  const engines: Engine[] = registry.adapters.map((adapter) =>
    createEngine({
      adapter,
      registry,
      http,
      log,
      frontier,
      recruiter,
      clock: systemClock,
      random: systemRandom,
      logger,
      concurrency: config.CRAWL_CONCURRENCY,
      posts: config.CRAWL_POSTS,
      // A simulated population has none of the real names.
      probes: config.SIMULATOR_URL === undefined ? adapter.probes : [],
      retryMs: config.CRAWL_RETRY_S * 1_000,
    }),
  );
  const stopSchedule = schedule(
    engines.flatMap((engine, i) => [
      { name: `report ${i}`, at: REPORT_CRON, run: () => engine.report() },
      { name: `probe ${i}`, at: config.CRAWL_PROBE_CRON, run: () => engine.selfProbe() },
    ]),
    logger,
  );
  const running = engines.map((engine) => engine.run());
  return {
    stop: async () => {
      await Promise.all([stopSchedule(), ...engines.map((engine) => engine.stop())]);
      await Promise.all(running);
    },
  };
};

const SECRETS_MS = 30_000;
const STOP_MS = 3_000;
/** One for each lane of the admission; refunds, settlements, answers and the upkeep share the others. */
const METERING_CONNECTIONS = 6;
/** A read that has no answer by then has none for its caller either. */
const READ_MS = 10_000;
/** A charge that is not decided by then is in doubt, and its request is refused. */
const METERING_MS = 5_000;

/** Serves the API. */
export const startApi = async (
  program: Program,
  builds: Builds,
  registry: Registry,
  http: PacedHttp,
  listen: { readonly host: string; readonly port: number },
): Promise<Running & Pick<Server, 'url'>> => {
  const { config, db, scratch, log, logger, url } = program;
  const plans = await loadPlans(config);
  const lists = await openReadPool(url, Math.max(2, Math.floor(config.DATABASE_POOL / 2)));
  let secrets = await loadCursorSecrets(db);
  const refresh = setInterval(() => {
    loadCursorSecrets(db).then(
      (loaded) => {
        secrets = loaded;
      },
      (error: Error) => logger.warn({ err: error.message }, 'the cursor secrets could not be read'),
    );
  }, SECRETS_MS);
  refresh.unref();
  const demand = createDemand(scratch, logger);
  const reads = createPool(url, { max: config.DATABASE_POOL, logger, name: 'reads', timeoutMs: READ_MS });
  const metering = createPool(url, {
    max: METERING_CONNECTIONS,
    logger,
    name: 'metering',
    timeoutMs: METERING_MS,
    settings: METERING_SETTINGS,
  });
  const upkeep = startUpkeep({ db: metering, log, schema: () => builds.schema('holders'), plans, logger });
  const givingUp = new AbortController();
  const services = createServices({
    db: reads,
    log,
    logger,
    builds,
    registry,
    http: { fetch: (request) => http.fetch(request, givingUp.signal), close: () => http.close() },
    lists,
    secrets: () => secrets,
    demand,
    plans,
    metering,
    trustedProxies: config.TRUSTED_PROXIES ?? [],
  });
  const server = await startServer(services, listen);
  return {
    url: server.url,
    stop: async () => {
      // A live read of a platform that is silent is not waited for to its end.
      const patience = setTimeout(() => givingUp.abort(), STOP_MS);
      await server.close();
      clearTimeout(patience);
      clearInterval(refresh);
      await demand.close();
      await upkeep.stop();
      await Promise.all([metering.end(), reads.end()]);
      await lists.end();
    },
  };
};
