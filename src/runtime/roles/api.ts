import { startOperations, startServer } from '../../api/server/server.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { createPool } from '../../kernel/postgres/pool.ts';
import { requireSessions } from '../../kernel/postgres/session.ts';
import { API_ONLY } from '../../operations/health/health.ts';
import { type Builds, watchBuilds } from '../../read/active-builds.ts';
import { openReadPool } from '../../read/read-pool.ts';
import { createDemand } from '../../write/demand/demand.ts';
import { loadPlans } from '../../write/holders/load-plans.ts';
import { METERING_SETTINGS } from '../../write/metering/entitlements.ts';
import { startMaintenance } from '../../write/metering/maintenance.ts';
import { loadCursorSecrets } from '../../write/secrets/cursor-secrets.ts';
import { createServices } from '../api-services.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Serving } from './lifecycle.ts';

const SECRETS_MS = 30_000;
const STOP_MS = 3_000;
/** One for each admission queue; refunds, settlements, idempotent responses and maintenance share the others. */
const METERING_CONNECTIONS = 6;
/** Timeout of reads; the caller gets an error then. */
const READ_MS = 10_000;
/** Timeout of the metering; the charge is in doubt then, and the request is rejected. */
const METERING_MS = 5_000;

/** Serves the API. Endpoints whose read models are still being built answer with an error. */
export const startApi = async (
  runtime: Runtime,
  builds: Builds,
  registry: Registry,
  http: RateLimitedHttp,
  listen: Listen,
  duties = API_ONLY,
  operationsAt: Listen | null = null,
): Promise<Serving> => {
  const { config, db, asyncCommitDb, log, availability, logger, url, metrics } = runtime;
  const plans = await loadPlans(config);
  const { READ_DATABASE_URL: replicaUrl } = config;
  const readUrl = replicaUrl ?? url;
  const lists = await openReadPool(readUrl, Math.max(2, Math.floor(config.DATABASE_POOL / 2)));
  let secrets = await loadCursorSecrets(db);
  const refresh = setInterval(() => {
    loadCursorSecrets(db).then(
      (loaded) => {
        secrets = loaded;
      },
      (error: Error) => logger.warn({ err: error.message }, 'cursor secrets could not be read'),
    );
  }, SECRETS_MS);
  refresh.unref();
  const demand = createDemand(asyncCommitDb, logger);
  const pool = { max: config.DATABASE_POOL, logger, timeoutMs: READ_MS };
  const primary = createPool(url, { ...pool, name: 'reads' });
  const replica =
    replicaUrl === undefined ? null : createPool(replicaUrl, { ...pool, name: 'replica reads' });
  // A replica that lags may lack a new build: it determines its builds itself.
  const replicaBuilds = replica === null ? null : await watchBuilds(replica, logger);
  if (replicaUrl !== undefined) await requireSessions(replicaUrl, 'READ_DATABASE_URL');
  const metering = createPool(url, {
    max: METERING_CONNECTIONS,
    logger,
    name: 'metering',
    timeoutMs: METERING_MS,
    settings: METERING_SETTINGS,
  });
  const schema = () => (builds.progress('holders') === null ? null : builds.schema('holders'));
  const maintenance = startMaintenance({ db: metering, log, schema, plans, logger });
  const givingUp = new AbortController();
  const services = createServices({
    log,
    availability,
    logger,
    metrics,
    reads: { db: replica ?? primary, builds: replicaBuilds ?? builds },
    primary: { db: primary, builds },
    registry,
    http: {
      fetch: (request) => http.fetch(request, { signal: givingUp.signal, trafficClass: 'live' }),
      close: () => http.close(),
    },
    pauses: http.pauses,
    lists,
    secrets: () => secrets,
    demand,
    plans,
    metering,
    trustedProxies: config.TRUSTED_PROXIES ?? [],
    duties,
    operationsToken: config.OPERATIONS_TOKEN,
  });
  const server = await startServer(services, listen, {
    perAddress: config.CONNECTIONS_PER_ADDRESS,
  });
  const operations =
    operationsAt === null
      ? null
      : await startOperations(services.health, [metrics, server.counted], logger, operationsAt, {
          token: config.OPERATIONS_TOKEN,
        }).catch(async (error: unknown) => {
          await server.close();
          throw error;
        });
  return {
    url: server.url,
    operationsUrl: operations?.url ?? server.url,
    stop: async () => {
      // Live reads of an unresponsive platform are not awaited.
      const patience = setTimeout(() => givingUp.abort(), STOP_MS);
      await Promise.all([server.close(), operations?.close()]);
      clearTimeout(patience);
      clearInterval(refresh);
      await demand.close();
      await maintenance.stop();
      await services.refusals.close();
      replicaBuilds?.close();
      await Promise.all([metering.end(), primary.end(), replica?.end()]);
      await lists.end();
    },
  };
};
