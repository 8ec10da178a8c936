import type { LiveReader } from '../crawlers/live-read/reader.ts';
import type { PlatformAdapter } from '../crawlers/platforms/adapter.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Platform } from '../kernel/platform.ts';
import type { AccountKey, AccountReads } from '../read/accounts/account-reads.ts';
import type { Builds } from '../read/active-builds.ts';
import type { Cursors } from '../read/cursor.ts';
import type { FoundEntry } from '../read/directory/entry.ts';
import type { KeyReads } from '../read/holders/keys.ts';
import type { Lists } from '../read/lists/lists.ts';
import type { ReplicaLag } from '../read/replica-lag.ts';
import type { Demand } from '../write/demand/demand.ts';
import type { Plans } from '../write/holders/plans.ts';
import type { EventCount } from '../write/log/events-between.ts';
import type { Admission } from '../write/metering/admission/admission.ts';
import type { RejectionCache } from '../write/metering/admission/rejection-cache.ts';
import type { Charges } from '../write/metering/charges.ts';
import type { IdempotencyStore } from '../write/metering/idempotency-store.ts';

/** All that endpoints and plugins work with. */
export interface Services {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The builds that reads of the catalog go to. */
  readonly builds: Builds;
  readonly accounts: AccountReads;
  readonly entries: { find(key: AccountKey): Promise<FoundEntry | null> };
  readonly lists: Lists;
  readonly keys: KeyReads;
  readonly cursors: Cursors;
  readonly adapterOf: (platform: Platform) => PlatformAdapter;
  readonly live: LiveReader;
  readonly demand: Demand;
  readonly health: Health;
  /** The plans in force. */
  readonly plans: Plans;
  readonly admission: Admission;
  /** Whom the metering refuses for the rest of a minute. */
  readonly refusals: RejectionCache;
  readonly charges: Charges;
  readonly answers: IdempotencyStore;
  /** Addresses whose `X-Forwarded-For` is believed; none where it is empty. */
  readonly trustedProxies: readonly string[];
  /** Who brings it sees on the API's own port how the process does; nobody does where there is none. */
  readonly operationsToken?: string | undefined;
}

/** One thing that readiness looks at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** What readiness and metrics ask. */
export interface Health {
  /** Whether this process answers callers: then only what answers need decides whether it is ready. */
  readonly serves: boolean;
  /** Whether this process keeps read models. */
  readonly projects: boolean;
  /** The builds that this process reads from: the replica's, where it reads from one. */
  readonly builds: Builds;
  /** Asks the database itself. @throws where it does not answer. */
  refresh(): Promise<void>;
  /** Position of the log's last event. @throws where the log does not answer. */
  head(): Promise<bigint>;
  /** Events of the log after a position and up to another. */
  eventsBetween(from: bigint, to: bigint): Promise<EventCount>;
  /** The projections of this program's versions that stand before an event, or partitions of them. */
  stalls(): Promise<
    readonly { readonly projection: string; readonly partition: string; readonly position: bigint }[]
  >;
  /** How many streams the projections of this program's versions have parked; none where they have none. */
  parked(): Promise<readonly { readonly projection: string; readonly streams: number }[]>;
  /** How far the relay has come; null where it has never run. */
  relayed(): Promise<bigint | null>;
  /** How far the replica is behind, where this process reads from one. */
  readonly replica?: (() => Promise<ReplicaLag>) | undefined;
  /** How what else runs in this process does; parts that start later are added. */
  readonly parts: readonly (() => Check)[];
}
