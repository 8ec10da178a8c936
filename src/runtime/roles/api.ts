import { DEFAULT_MODELS } from '../../analysis/audit/default-models.ts';
import type { Endpoint } from '../../api/contract/endpoint.ts';
import { Intake } from '../../api/intake.ts';
import { startServer } from '../../api/server/app.ts';
import { startOperations } from '../../api/server/listen.ts';
import type { Services } from '../../api/services.ts';
import { countLiveTraffic, createLiveTraffic } from '../../crawlers/engine/live-traffic.ts';
import type { RateLimitedHttp, SharedCircuit } from '../../crawlers/http/rate-limited-http.ts';
import type { LiveHttp } from '../../crawlers/live-read/live-queue.ts';
import { createLiveReader } from '../../crawlers/live-read/reader.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { createDemandOutlook } from '../../crawlers/pools/demand.ts';
import { withGracePeriod } from '../../kernel/abort.ts';
import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Metrics, PeerMetrics } from '../../kernel/metrics.ts';
import { createPool, type Db, type Queryable } from '../../kernel/postgres/pool.ts';
import { type AuditModels, loadAuditModels } from '../../operations/audit/labels.ts';
import { API_ONLY, createHealth, type ProcessRoles } from '../../operations/health/health.ts';
import type { ErasureContext } from '../../operations/subjects/erase.ts';
import { createOwnHand } from '../../operations/subjects/own-hand.ts';
import { receiptKeysOf } from '../../operations/subjects/receipts.ts';
import { createAccountReads, createAccountStates } from '../../read/accounts.ts';
import type { Builds, WatchedBuilds } from '../../read/active-builds.ts';
import { createEntryReads } from '../../read/directory/entry.ts';
import { createKeyReads } from '../../read/holders.ts';
import { createProjectionLaws, createReactionNorms } from '../../read/insights/laws.ts';
import { createCohortReads, createPopulationReads } from '../../read/insights/populations.ts';
import { type CursorSecrets, createCursors } from '../../read/keyset.ts';
import { createLists, type ListReads, queueOf } from '../../read/lists.ts';
import { createMarketLaws } from '../../read/marketplace/market-laws.ts';
import { createClaimReads } from '../../read/people/claims.ts';
import { createPersonReads } from '../../read/people/person.ts';
import { createSuspectReads } from '../../read/people/suspects.ts';
import { createDigestReads } from '../../read/posts/account-digests.ts';
import { openReadPool } from '../../read/read-pool.ts';
import { createSimilarHandleReads } from '../../read/similar-handles.ts';
import { createAccessLog } from '../../write/access-log.ts';
import { withSnapshotCache } from '../../write/accounts/account.ts';
import { createDemand, type Demand } from '../../write/demand.ts';
import type { Named } from '../../write/erasure/cleanse.ts';
import { loadPlans } from '../../write/holders/load-plans.ts';
import type { Plans } from '../../write/holders/plans.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import type { EventLog } from '../../write/log/port.ts';
import { createAdmission } from '../../write/metering/admission.ts';
import { createCharges } from '../../write/metering/charges.ts';
import { METERING_SETTINGS } from '../../write/metering/entitlements.ts';
import { createIdempotencyStore } from '../../write/metering/idempotency.ts';
import { startMaintenance } from '../../write/metering/maintenance.ts';
import { createReadQuota } from '../../write/metering/quota.ts';
import { createRejectionCache, createRejectionCount } from '../../write/metering/rejections.ts';
import { cursorSecrets, verificationSecrets } from '../../write/secrets.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Serving } from './lifecycle.ts';
import { openReplica, type Replica, withFallback } from './replica.ts';

/** Serves the API. Endpoints answer with an error while their read models are being built. */
export const startApi = async (
  runtime: Runtime,
  builds: WatchedBuilds,
  registry: Registry,
  http: RateLimitedHttp,
  listen: Listen,
  { processRoles = API_ONLY, operationsAt, peerMetrics, endpoints, isSuspended }: ApiOptions = {},
): Promise<ServingApi> => {
  const { config, db, asyncCommitDb, log, fence, availability, logger, url, metrics } = runtime;
  const plans = await loadPlans(config);
  const auditModels = await loadAuditModels(config);
  const slots = Math.max(2, Math.floor(config.DATABASE_POOL / 2));
  const lists = await openReadPool(url, slots);
  const secrets = await watchSecrets(db, logger);
  const counting = countLiveTraffic(http, createLiveTraffic(asyncCommitDb), logger);
  const demand = createDemand(asyncCommitDb, logger, fence);
  const pool = { max: config.DATABASE_POOL, logger, timeoutMs: READ_MS };
  const primary = createPool(url, { ...pool, name: 'reads' });
  const replica = await openReplica(config, { ...pool, name: 'replica reads' });
  const replicaLists = replica === null ? null : await openReadPool(config.READ_DATABASE_URL ?? url, slots);
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
  const own = { db: primary, builds, lists };
  const remote = replica === null || replicaLists === null ? null : { ...replica, lists: replicaLists };
  const reads = remote === null ? own : remote.mayFallBack ? withFallback(remote, own, logger) : remote;
  const services = createServices({
    log,
    fence,
    availability,
    logger,
    metrics,
    peerMetrics,
    reads,
    replica,
    primary: { db: primary, builds },
    registry,
    intake,
    http,
    liveStop: aborting.signal,
    circuit: http.circuit,
    liveConcurrency: config.LIVE_CONCURRENCY,
    slots,
    subjects: runtime,
    secrets: () => secrets.current().cursors,
    verificationSecrets: () => secrets.current().verification,
    demand,
    keepsAccesses: config.ACCESS_LOG,
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
      await Promise.all([lists.end(), replicaLists?.end()]);
    },
  };
};

/** Creates the services that endpoints use. */
export const createServices = ({
  log,
  fence,
  availability,
  reads,
  primary,
  registry,
  http,
  circuit,
  secrets,
  metering,
  meteringTime,
  processRoles = API_ONLY,
  intake = new Intake(),
  liveStop = new AbortController().signal,
  replica = null,
  subjects = null,
  slots = 2,
  keepsAccesses = false,
  ...parts
}: Parts): Services => {
  const catalog = reads.builds.withStandIns;
  const accounts = createAccountReads(reads.db, catalog);
  const entries = createEntryReads(reads.db, catalog);
  const populations = createPopulationReads(reads.db, catalog);
  const refused = createRejectionCount(metering, parts.logger, meteringTime);
  const live = createLiveReader({
    adapterOf: registry.adapterOf,
    http,
    circuit,
    log,
    accounts,
    snapshots: withSnapshotCache(createAccountStates(primary.db, primary.builds, parts.logger)),
    availability,
    clock: systemClock,
    concurrency: parts.liveConcurrency ?? 8,
    stop: liveStop,
  });
  const { unfencedOf } = registry;
  const codes = { live, unfencedOf, secrets: parts.verificationSecrets };
  return {
    ...parts,
    auditModels: parts.auditModels ?? DEFAULT_MODELS,
    intake,
    queuedReads: createLists(reads.lists, queueOf(slots)),
    refusals: createRejectionCache(() => entitlementsVersion(primary.builds), refused, clockOf(meteringTime)),
    builds: catalog,
    accounts,
    entries,
    digests: createDigestReads(reads.db, catalog),
    cohorts: createCohortReads(reads.db, catalog),
    populations,
    projectionLaws: createProjectionLaws(reads.db, catalog, populations),
    reactionNorms: createReactionNorms(reads.db, catalog, populations),
    market: createMarketLaws(reads.db, catalog),
    people: createPersonReads(reads.db, catalog),
    claims: createClaimReads(reads.db, catalog),
    suspects: createSuspectReads(reads.db, catalog),
    similarHandles: createSimilarHandleReads(reads.db, catalog, entries),
    keys: createKeyReads(metering, primary.builds),
    cursors: createCursors(secrets),
    adapterOf: registry.adapterOf,
    demandOutlook: createDemandOutlook(primary.db, primary.builds, fence),
    live,
    receiptKeys: async () => (subjects === null ? [] : receiptKeysOf(subjects)),
    accessLog: keepsAccesses ? createAccessLog(metering, fence) : null,
    ownHand: subjects === null ? null : createOwnHand({ context: subjects, ...codes }),
    health: createHealth({
      ...primary,
      log,
      processRoles: { serves: true, ...processRoles },
      ...(replica === null ? {} : { replica: { ...replica, builds: reads.builds } }),
    }),
    admission: createAdmission(metering, () => primary.builds.schema('holders'), parts.plans, meteringTime),
    charges: createCharges(metering, parts.logger),
    readQuota: createReadQuota(metering, () => primary.builds.schema('holders'), parts.plans, meteringTime),
    answers: createIdempotencyStore(metering, parts.logger),
  };
};

const SECRETS_MS = 5_000;
/** Time for live reads in flight on shutdown. */
const LIVE_STOP_MS = 2_000;
/** Time for settling what is in flight on shutdown, once its connections are closed. */
const SETTLE_MS = 1_500;
/**
 * One for each admission queue and one that may hang; the others are shared by refunds, settlements, idempotent
 * responses, keys and maintenance.
 */
const METERING_CONNECTIONS = 8;
/** Timeout of reads; the caller gets an error then. */
const READ_MS = 5_000;
/** Timeout of the metering. The charge is then in doubt, and the request is rejected. */
const METERING_MS = 5_000;

/** How the API is served in its process. */
interface ApiOptions {
  /** Other roles of the process; none by default. */
  readonly processRoles?: Omit<ProcessRoles, 'serves'>;
  /** Separate address of its operations endpoints; none by default. */
  readonly operationsAt?: Listen;
  /** Metrics of the other process, if the API has one of its own. */
  readonly peerMetrics?: PeerMetrics;
  /** Those of the contract by default. */
  readonly endpoints?: readonly Endpoint[];
  /** Whether the main process does not respond; never by default. */
  readonly isSuspended?: () => boolean;
}

interface ServingApi extends Serving {
  /** Registries of the process and of the API. */
  readonly counted: readonly Metrics[];
}

/** The secrets of cursors and ownership codes, refreshed periodically. */
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

/** Components of the API's services; the caller closes them. */
interface Parts {
  readonly log: EventLog;
  readonly fence: Named;
  readonly availability: LogAvailability;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Metrics of the other process, where the API has one of its own. */
  readonly peerMetrics?: PeerMetrics | undefined;
  /** Database for reads of the catalog: the primary, or a replica. */
  readonly reads: { readonly db: Queryable; readonly builds: WatchedBuilds; readonly lists: ListReads };
  /** The replica, if there is one. */
  readonly replica?: Pick<Replica, 'db' | 'mayFallBack'> | null;
  /** The primary, for keys and entitlements: a replica would delay a revocation. */
  readonly primary: { readonly db: Queryable; readonly builds: WatchedBuilds };
  readonly registry: Registry;
  /** Takes all work by default. */
  readonly intake?: Intake;
  readonly http: LiveHttp;
  /** Fires to end live reads in flight when the process stops; never by default. */
  readonly liveStop?: AbortSignal;
  /** Open circuits of platforms, which live reads respect as well. */
  readonly circuit: Pick<SharedCircuit, 'openForMs'>;
  /** Concurrent live reads of a holder per platform. */
  readonly liveConcurrency?: number;
  /** Connections of list reads; two by default. */
  readonly slots?: number;
  readonly secrets: CursorSecrets;
  readonly verificationSecrets: Services['verificationSecrets'];
  /** What acts of people on their own accounts need; without it they have no page. */
  readonly subjects?: ErasureContext | null;
  readonly demand: Demand;
  /** Whether it is kept who asked for whom; false by default. */
  readonly keepsAccesses?: boolean;
  readonly plans: Plans;
  /** Connections of the metering alone, so that waiting for a holder's lock does not block reads. */
  readonly metering: Queryable;
  /** None by default. */
  readonly auditModels?: AuditModels;
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the API from a browser, or `*`. */
  readonly corsOrigins: readonly string[];
  /** Bearer token for operational details on the API's port; unset disables them there. */
  readonly operationsToken?: string | undefined;
  /** Other roles of this process; none by default. */
  readonly processRoles?: Omit<ProcessRoles, 'serves'>;
  /** Clock of the metering for tests; the database's by default. */
  readonly meteringTime?: () => string | null;
}

/** Version of all holders' entitlements as this process sees them. It changes whenever one of them does. */
const entitlementsVersion = (builds: Builds): string => {
  const progress = builds.progress('holders');
  return progress === null ? '' : `${builds.schema('holders')} ${progress.position}`;
};

/** Clock of the metering's windows; a test's if it sets one. */
const clockOf = (time: Parts['meteringTime']) => (): number => {
  const at = time?.() ?? null;
  return at === null ? performance.now() : Date.parse(at);
};
