import type { Endpoint } from '../../api/contract/endpoint.ts';
import { Intake } from '../../api/intake.ts';
import { startOperations } from '../../api/server/operations-server.ts';
import { startServer } from '../../api/server/server.ts';
import { countLiveTraffic, createLiveTraffic } from '../../crawlers/engine/live-traffic.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { withGracePeriod } from '../../kernel/abort.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Metrics, PeerMetrics } from '../../kernel/metrics.ts';
import { createPool, type Db } from '../../kernel/postgres/pool.ts';
import { loadAuditModels } from '../../operations/audit/labels.ts';
import { API_ONLY, type ProcessRoles } from '../../operations/health/health.ts';
import type { Builds } from '../../read/active-builds.ts';
import { openReadPool } from '../../read/read-pool.ts';
import { createDemand } from '../../write/demand.ts';
import { loadPlans } from '../../write/holders/load-plans.ts';
import { METERING_SETTINGS } from '../../write/metering/entitlements.ts';
import { startMaintenance } from '../../write/metering/maintenance.ts';
import { cursorSecrets, verificationSecrets } from '../../write/secrets.ts';
import { createServices } from '../api-services.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Serving } from './lifecycle.ts';
import { openReplica } from './replica.ts';

const SECRETS_MS = 5_000;
/** Time for live reads in flight on shutdown. */
const LIVE_STOP_MS = 2_000;
/** Time for settling what is in flight on shutdown, once its connections are closed. */
const SETTLE_MS = 1_500;
/**
 * One for each admission queue, and one that may hang; refunds, settlements, idempotent responses, keys and maintenance
 * share the others.
 */
const METERING_CONNECTIONS = 8;
/** Timeout of reads; the caller gets an error then. */
const READ_MS = 5_000;
/** Timeout of the metering; the charge is in doubt then, and the request is rejected. */
const METERING_MS = 5_000;

/** What the API shares its process with. */
export interface ApiOptions {
  /** Other roles of the process; none by default. */
  readonly processRoles?: Omit<ProcessRoles, 'serves'>;
  /** Where its operations endpoints are served too; nowhere by default. */
  readonly operationsAt?: Listen;
  /** Metrics of the other process, if the API has one of its own. */
  readonly peerMetrics?: PeerMetrics;
  /** Those of the contract by default. */
  readonly endpoints?: readonly Endpoint[];
  /** Whether the process that this one relies on does not respond; false by default. */
  readonly isSuspended?: () => boolean;
}

export interface ServingApi extends Serving {
  /** Registries of the process and of the API. */
  readonly counted: readonly Metrics[];
}

/** The secrets of cursors and ownership codes, read again every so often. */
const watchSecrets = async (db: Db, logger: Logger) => {
  const load = async () => ({
    cursors: await cursorSecrets.load(db),
    verification: await verificationSecrets.load(db),
  });
  let current = await load();
  const refresh = setInterval(() => {
    load().then(
      (loaded) => {
        current = loaded;
      },
      (error: Error) => logger.warn({ err: error.message }, 'secrets could not be read'),
    );
  }, SECRETS_MS);
  refresh.unref();
  return { current: () => current, stop: () => clearInterval(refresh) };
};

/** Serves the API. Endpoints whose read models are still being built answer with an error. */
export const startApi = async (
  runtime: Runtime,
  builds: Builds,
  registry: Registry,
  http: RateLimitedHttp,
  listen: Listen,
  { processRoles = API_ONLY, operationsAt, peerMetrics, endpoints, isSuspended }: ApiOptions = {},
): Promise<ServingApi> => {
  const { config, db, asyncCommitDb, log, availability, logger, url, metrics } = runtime;
  const plans = await loadPlans(config);
  const auditModels = await loadAuditModels(config);
  const lists = await openReadPool(
    config.READ_DATABASE_URL ?? url,
    Math.max(2, Math.floor(config.DATABASE_POOL / 2)),
  );
  const secrets = await watchSecrets(db, logger);
  const counting = countLiveTraffic(http, createLiveTraffic(asyncCommitDb), logger);
  const demand = createDemand(asyncCommitDb, logger);
  const pool = { max: config.DATABASE_POOL, logger, timeoutMs: READ_MS };
  const primary = createPool(url, { ...pool, name: 'reads' });
  const replica = await openReplica(config, { ...pool, name: 'replica reads' });
  const metering = createPool(url, {
    max: METERING_CONNECTIONS,
    logger,
    name: 'metering',
    timeoutMs: METERING_MS,
    settings: METERING_SETTINGS,
  });
  const schema = () => (builds.progress('holders') === null ? null : builds.schema('holders'));
  const maintenance = startMaintenance({ db: metering, log, schema, plans, logger });
  const aborting = new AbortController();
  const intake = new Intake(isSuspended);
  const services = createServices({
    log,
    availability,
    logger,
    metrics,
    peerMetrics,
    reads: replica ?? { db: primary, builds },
    primary: { db: primary, builds },
    registry,
    intake,
    http,
    liveStop: aborting.signal,
    circuit: http.circuit,
    liveConcurrency: config.LIVE_CONCURRENCY,
    lists,
    secrets: () => secrets.current().cursors,
    verificationSecrets: () => secrets.current().verification,
    demand,
    plans,
    auditModels,
    metering,
    trustedProxies: config.TRUSTED_PROXIES ?? [],
    corsOrigins: config.CORS_ORIGINS ?? [],
    processRoles,
    operationsToken: config.OPERATIONS_TOKEN,
  });
  const limits = { perAddress: config.CONNECTIONS_PER_ADDRESS };
  const server = await startServer(services, listen, limits, endpoints);
  const counted = [metrics, server.counted];
  const operations =
    operationsAt === undefined
      ? null
      : await startOperations(services.health, { own: counted, peer: peerMetrics }, logger, operationsAt, {
          token: config.OPERATIONS_TOKEN,
        }).catch(async (error: unknown) => {
          await server.close();
          throw error;
        });
  return {
    counted,
    url: server.url,
    operationsUrl: operations?.url ?? server.url,
    stop: async () => {
      intake.stop();
      // Live reads of an unresponsive platform are not awaited.
      const patience = setTimeout(() => aborting.abort(), LIVE_STOP_MS);
      await Promise.all([server.close(), operations?.close()]);
      clearTimeout(patience);
      aborting.abort();
      await withGracePeriod(intake.idle(), AbortSignal.abort(), SETTLE_MS).catch((error: unknown) =>
        logger.error({ err: errorMessage(error), in_flight: intake.inFlight() }, 'requests were not settled'),
      );
      secrets.stop();
      await Promise.all([demand.close(), counting.stop()]);
      await maintenance.stop();
      await services.refusals.close();
      await Promise.all([metering.end(), primary.end(), replica?.close()]);
      await lists.end();
    },
  };
};
