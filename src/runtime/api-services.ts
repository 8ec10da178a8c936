import { Intake } from '../api/intake.ts';
import type { Services } from '../api/services.ts';
import type { SharedCircuit } from '../crawlers/http/rate-limited-http.ts';
import type { LiveHttp } from '../crawlers/live-read/live-queue.ts';
import { createLiveReader } from '../crawlers/live-read/reader.ts';
import type { Registry } from '../crawlers/platforms/registry.ts';
import { createDemandOutlook } from '../crawlers/pools/demand-outlook.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics, PeerMetrics } from '../kernel/metrics.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { AuditModels } from '../operations/audit/labels.ts';
import { API_ONLY, createHealth, type ProcessRoles } from '../operations/health/health.ts';
import { createAccountReads, createAccountStates } from '../read/accounts.ts';
import type { Builds } from '../read/active-builds.ts';
import { createEntryReads } from '../read/directory/entry.ts';
import { createKeyReads } from '../read/holders.ts';
import { createProjectionLaws, createReactionNorms } from '../read/insights/laws.ts';
import { createCohortReads, createPopulationReads } from '../read/insights/populations.ts';
import { type CursorSecrets, createCursors } from '../read/keyset.ts';
import { createLists } from '../read/lists.ts';
import { createMarketLaws } from '../read/marketplace/market-laws.ts';
import { createPersonReads } from '../read/people/person.ts';
import { createSuspectReads } from '../read/people/suspects.ts';
import { createDigestReads } from '../read/posts/account-digests.ts';
import type { ReadPool } from '../read/read-pool.ts';
import { createSimilarHandleReads } from '../read/similar-handles.ts';
import { withSnapshotCache } from '../write/accounts/account.ts';
import type { Demand } from '../write/demand.ts';
import type { Plans } from '../write/holders/plans.ts';
import type { LogAvailability } from '../write/log/availability.ts';
import type { EventLog } from '../write/log/port.ts';
import { createAdmission } from '../write/metering/admission.ts';
import { createCharges } from '../write/metering/charges.ts';
import { createIdempotencyStore } from '../write/metering/idempotency.ts';
import { createReadQuota } from '../write/metering/quota.ts';
import { createRejectionCache, createRejectionCount } from '../write/metering/rejections.ts';

/** Components of the API's services; the caller closes them. */
interface Parts {
  readonly log: EventLog;
  readonly availability: LogAvailability;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Metrics of the other process, where the API has one of its own. */
  readonly peerMetrics?: PeerMetrics | undefined;
  /** Database of the directory reads: the primary, or a replica. */
  readonly reads: { readonly db: Queryable; readonly builds: Builds };
  /** Keys and entitlements are read from the primary: a revocation must not be delayed by a replica. */
  readonly primary: { readonly db: Queryable; readonly builds: Builds };
  readonly registry: Registry;
  /** Takes all work by default. */
  readonly intake?: Intake;
  readonly http: LiveHttp;
  /** Fires when live reads in flight are ended, as the process stops; never by default. */
  readonly liveStop?: AbortSignal;
  /** Open circuits of platforms, which live reads respect too. */
  readonly circuit: Pick<SharedCircuit, 'openForMs'>;
  /** Concurrent live reads of a holder per platform. */
  readonly liveConcurrency?: number;
  readonly lists: ReadPool;
  readonly secrets: CursorSecrets;
  readonly verificationSecrets: Services['verificationSecrets'];
  readonly demand: Demand;
  readonly plans: Plans;
  /** Separate connections for the metering: waiting for a holder's lock must not block reads. */
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

/** Version of all holders' entitlements as seen by this process; changes with any of them. */
const entitlementsVersion = (builds: Builds): string => {
  const progress = builds.progress('holders');
  return progress === null ? '' : `${builds.schema('holders')} ${progress.position}`;
};

/** Clock of the metering's windows; a test's if it sets one. */
const clockOf = (time: Parts['meteringTime']) => (): number => {
  const at = time?.() ?? null;
  return at === null ? performance.now() : Date.parse(at);
};

/** Creates the services that endpoints use. */
export const createServices = ({
  log,
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
  lists,
  ...parts
}: Parts): Services => {
  const accounts = createAccountReads(reads.db, reads.builds);
  const entries = createEntryReads(reads.db, reads.builds);
  const populations = createPopulationReads(reads.db, reads.builds);
  const refused = createRejectionCount(metering, parts.logger, meteringTime);
  return {
    ...parts,
    auditModels: parts.auditModels ?? new Map(),
    intake,
    lists: createLists(lists),
    refusals: createRejectionCache(() => entitlementsVersion(primary.builds), refused, clockOf(meteringTime)),
    builds: reads.builds,
    accounts,
    entries,
    digests: createDigestReads(reads.db, reads.builds),
    cohorts: createCohortReads(reads.db, reads.builds),
    populations,
    projectionLaws: createProjectionLaws(reads.db, reads.builds, populations),
    reactionNorms: createReactionNorms(reads.db, reads.builds, populations),
    market: createMarketLaws(reads.db, reads.builds),
    people: createPersonReads(reads.db, reads.builds),
    suspects: createSuspectReads(reads.db, reads.builds),
    similarHandles: createSimilarHandleReads(reads.db, reads.builds, entries),
    keys: createKeyReads(metering, primary.builds),
    cursors: createCursors(secrets),
    adapterOf: registry.adapterOf,
    demandOutlook: createDemandOutlook(primary.db, primary.builds),
    live: createLiveReader({
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
    }),
    health: createHealth({
      ...primary,
      log,
      processRoles: { serves: true, ...processRoles },
      ...(reads.db === primary.db ? {} : { replica: reads }),
    }),
    admission: createAdmission(metering, () => primary.builds.schema('holders'), parts.plans, meteringTime),
    charges: createCharges(metering, parts.logger),
    readQuota: createReadQuota(metering, () => primary.builds.schema('holders'), parts.plans, meteringTime),
    answers: createIdempotencyStore(metering, parts.logger),
  };
};
