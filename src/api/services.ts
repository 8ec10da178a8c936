import type { LiveReader } from '../crawlers/live-read/port.ts';
import type { PlatformAdapter } from '../crawlers/platforms/adapter.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics, PeerMetrics } from '../kernel/metrics.ts';
import type { Platform } from '../kernel/platform.ts';
import type { AuditModels } from '../operations/audit/labels.ts';
import type { Health } from '../operations/health/health.ts';
import type { OwnHand } from '../operations/subjects/own-hand.ts';
import type { PublicKey } from '../operations/subjects/receipts.ts';
import type { AccountReads } from '../read/accounts.ts';
import type { Builds } from '../read/active-builds.ts';
import type { EntryReads } from '../read/directory/entry.ts';
import type { KeyReads } from '../read/holders.ts';
import type { ProjectionLaws, ReactionNormReads } from '../read/insights/laws.ts';
import type { CohortReads, PopulationReads } from '../read/insights/populations.ts';
import type { Cursors } from '../read/keyset.ts';
import type { Lists } from '../read/lists.ts';
import type { MarketLaws } from '../read/marketplace/market-laws.ts';
import type { ClaimReads } from '../read/people/claims.ts';
import type { PersonReads } from '../read/people/person.ts';
import type { SuspectReads } from '../read/people/suspects.ts';
import type { DigestReads } from '../read/posts/account-digests.ts';
import type { SimilarHandleReads } from '../read/similar-handles.ts';
import type { Access, AccessLog } from '../write/access-log.ts';
import type { Demand, DemandOutlook } from '../write/demand.ts';
import type { Plans } from '../write/holders/plans.ts';
import type { Admission } from '../write/metering/admission.ts';
import type { Charges } from '../write/metering/charges.ts';
import type { IdempotencyStore } from '../write/metering/idempotency.ts';
import type { ReadQuota } from '../write/metering/quota.ts';
import type { RejectionCache } from '../write/metering/rejections.ts';
import type { Intake } from './intake.ts';

/** Services of endpoints and plugins. */
export interface Services {
  readonly intake: Intake;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Metrics of the other process, if the API has a process of its own. */
  readonly peerMetrics?: PeerMetrics | undefined;
  /** Active builds for directory reads. */
  readonly builds: Builds;
  readonly accounts: AccountReads;
  readonly entries: EntryReads;
  /** Digests of the newest posts of accounts. */
  readonly digests: DigestReads;
  readonly cohorts: CohortReads;
  readonly populations: PopulationReads;
  readonly market: MarketLaws;
  readonly projectionLaws: ProjectionLaws;
  readonly reactionNorms: ReactionNormReads;
  readonly people: PersonReads;
  readonly claims: ClaimReads;
  /** Models of labelled followers, by platform. */
  readonly auditModels: AuditModels;
  readonly similarHandles: SimilarHandleReads;
  readonly suspects: SuspectReads;
  readonly queuedReads: Lists;
  readonly keys: KeyReads;
  readonly cursors: Cursors;
  readonly adapterOf: (platform: Platform) => PlatformAdapter;
  readonly live: LiveReader;
  /** Secrets of ownership codes, newest first. */
  readonly verificationSecrets: () => readonly { readonly secret: Buffer }[];
  /** What people may do with their own accounts; null if the page for it is off. */
  readonly ownHand: OwnHand | null;
  /** Public keys that receipts of erasures are signed with; none before the first erasure. */
  readonly receiptKeys: () => Promise<readonly PublicKey[]>;
  /** Who asked for whom; null if that is not kept. */
  readonly accessLog: AccessLog | null;
  /** Notes an account that a request asks for; absent if that is not kept. */
  readonly asked?: (account: Pick<Access, 'platform' | 'account'>) => void;
  readonly demand: Demand;
  readonly demandOutlook: DemandOutlook;
  readonly health: Health;
  /** The active plans. */
  readonly plans: Plans;
  readonly admission: Admission;
  /** Remembered rejections of the running minute. */
  readonly refusals: RejectionCache;
  readonly charges: Charges;
  readonly readQuota: ReadQuota;
  readonly answers: IdempotencyStore;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the API from a browser, or `*`. */
  readonly corsOrigins: readonly string[];
  /** Bearer token for operational details on the API's port; unset disables them there. */
  readonly operationsToken?: string | undefined;
}
