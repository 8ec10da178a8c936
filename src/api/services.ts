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

/** Services of endpoints and plugins. */
export interface Services {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Active builds for directory reads. */
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
  /** The active plans. */
  readonly plans: Plans;
  readonly admission: Admission;
  /** Remembered rejections of the running minute. */
  readonly refusals: RejectionCache;
  readonly charges: Charges;
  readonly answers: IdempotencyStore;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Bearer token for operational details on the API's port; unset disables them there. */
  readonly operationsToken?: string | undefined;
}

/** A readiness check. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** What readiness and metrics query. */
export interface Health {
  /** Whether this process serves the API: then only what responses need is critical. */
  readonly serves: boolean;
  /** Whether this process maintains read models. */
  readonly projects: boolean;
  /** Builds that this process reads from, the replica's if it uses one. */
  readonly builds: Builds;
  /** Queries the database. @throws if it is unavailable. */
  refresh(): Promise<void>;
  /** Position of the log's last event. @throws if the log is unavailable. */
  head(): Promise<bigint>;
  /** Number of events after a position and up to another. */
  eventsBetween(from: bigint, to: bigint): Promise<EventCount>;
  /** Stalls of this program's versions, by projection and partition. */
  stalls(): Promise<
    readonly { readonly projection: string; readonly partition: string; readonly position: bigint }[]
  >;
  /** Number of parked streams by projection, of this program's versions; absent if none. */
  parked(): Promise<readonly { readonly projection: string; readonly streams: number }[]>;
  /** Position of the relay; null if it never ran. */
  relayed(): Promise<bigint | null>;
  /** Lag of the replica, if this process uses one. */
  readonly replica?: (() => Promise<ReplicaLag>) | undefined;
  /** States of the other components in this process, including later ones. */
  readonly parts: readonly (() => Check)[];
}
