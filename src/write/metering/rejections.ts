/** Rejections from memory, and how they are counted. */

import { elapsedMs } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type Statement, sql } from '../../kernel/postgres/statement.ts';
import type { Reason } from './admit-batch.ts';
import type { AdmissionRequest } from './entitlements.ts';
import { type Admitted, afterRefund, type Charge, type QuotaState, quotaLater } from './quota.ts';

/** Recent rejections, so that a flood of rejected requests does not become a flood of statements. */
export interface RejectionCache {
  /** The rejection of a request, if it is known without a query. It is counted. */
  find(ask: AdmissionRequest): Admitted | null;
  /** Remembers the decision if it is a rejection. */
  learn(ask: AdmissionRequest, deciding: Promise<Admitted>): Promise<Admitted>;
  /** Whether a holder was rejected within the current minute, for any reason. */
  has(holder: string): boolean;
  /** Applies a refund to the remembered state. */
  refunded(charge: Charge): void;
  /** Flushes the counts. */
  close(): Promise<void>;
}

interface Refusal {
  readonly reason: Reason;
  readonly quota: QuotaState;
  readonly atMs: number;
}

const MAX_HOLDERS = 10_000;

/**
 * The seconds of the window are rounded up, so it may end this much earlier. The database decides about the rest, so that the cache
 * never rejects a request that the database would admit.
 */
const ROUNDING_S = 1;

/**
 * Remembers rejections until their minute ends or the holders' entitlements change. Only the request rate limit is enforced from
 * memory: nothing but time or new entitlements lifts it. The database decides about an exhausted quota each time, since such
 * requests count against the rate limit, but no work is started for them before the decision.
 * @param terms identifies the version of all entitlements that this process has seen.
 * @param count records each request rejected from memory.
 */
export const createRejectionCache = (
  terms: () => string,
  count: RejectionCount,
  nowMs: () => number = elapsedMs,
): RejectionCache => {
  const refused = new Map<string, Refusal>();
  let seen = '';

  const forgetOfOtherTerms = (): void => {
    const now = terms();
    if (now !== seen) refused.clear();
    seen = now;
  };

  const find = (holder: string): Refusal | null => {
    // The usual case, several times per request.
    if (refused.size === 0) return null;
    forgetOfOtherTerms();
    const found = refused.get(holder);
    if (found === undefined) return null;
    const passedMs = nowMs() - found.atMs;
    // After the clock was set back, the window's age is unknown.
    if (passedMs >= 0 && passedMs < (found.quota.burstResetS - ROUNDING_S) * 1_000) return found;
    refused.delete(holder);
    return null;
  };

  const remember = (ask: AdmissionRequest, refusal: Refusal): void => {
    forgetOfOtherTerms();
    if (refused.size >= MAX_HOLDERS) {
      for (const holder of [...refused.keys()]) find(holder);
      if (refused.size >= MAX_HOLDERS) refused.clear();
    }
    if (find(ask.holder)?.reason !== 'burst' || refusal.reason === 'burst') refused.set(ask.holder, refusal);
  };

  return {
    find: (ask) => {
      const found = find(ask.holder);
      if (found?.reason !== 'burst') return null;
      count.add(ask);
      const quota = quotaLater(found.quota, (nowMs() - found.atMs) / 1_000);
      return { charge: null, refused: 'burst', quota };
    },
    learn: async (ask, deciding) => {
      // Read before the decision: so the remembered window never outlasts the real one, and entitlements never count as newer than
      // they are.
      const atMs = nowMs();
      const asked = terms();
      const admitted = await deciding;
      if (admitted.refused !== null && asked === terms()) {
        remember(ask, { reason: admitted.refused, quota: admitted.quota, atMs });
      }
      return admitted;
    },
    has: (holder) => find(holder) !== null,
    refunded: (charge) => {
      const found = find(charge.holder);
      if (found !== null) {
        refused.set(charge.holder, { ...found, quota: afterRefund(found.quota, charge) });
      }
    },
    close: () => count.flush(),
  };
};

/** Counts requests that were rejected without a query, and writes the counts periodically. */
export interface RejectionCount {
  add(ask: Pick<AdmissionRequest, 'holder' | 'keyId' | 'operation'>): void;
  /** Writes all counts, as far as possible. */
  flush(): Promise<void>;
}

const EVERY_MS = 250;
/** Maximum rows of a write; the rest follows later. */
const MAX_LINES = 1_000;

interface RequestGroup {
  readonly holder: string;
  readonly keyId: string;
  readonly operation: string;
  n: number;
}

/** Writes only unlocked holders. The others' counts are kept for the next write. It never blocks. */
const noting = (written: readonly RequestGroup[], at: string | null): Statement => sql.named(
  'metering refused',
)`
  with lines as materialized (
    select * from unnest(${written.map((group) => group.holder)}::text[],
      ${written.map((group) => group.keyId)}::text[], ${written.map((group) => group.operation)}::text[],
      ${written.map((group) => group.n)}::bigint[]) as l(holder, key_id, operation, refused)
  ), asked as materialized (
    select distinct holder from lines
  ), held as materialized (
    select holder from asked where metering.try_lock_holder(holder)
  ), noted as (
    insert into metering.usage_entries
    select l.holder, a.period, (coalesce(${at}::timestamptz, clock_timestamp()) at time zone 'UTC')::date, l.key_id,
      l.operation, 0, l.refused, 0, 0, 0, 0
    from lines l join held using (holder) join metering.accounts a using (holder)
  )
  select holder, set_config('synchronous_commit', 'off', true) from held`;

export const createRejectionCount = (
  db: Queryable,
  logger: Logger,
  at: () => string | null = () => null,
): RejectionCount => {
  let groups = new Map<string, RequestGroup>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const put = (group: RequestGroup): void => {
    const name = `${group.holder} ${group.keyId} ${group.operation}`;
    const found = groups.get(name);
    if (found === undefined) groups.set(name, { ...group });
    else found.n += group.n;
    schedule();
  };

  const write = async (): Promise<void> => {
    const all = [...groups.values()];
    const written = all.slice(0, MAX_LINES);
    groups = new Map();
    for (const group of all.slice(MAX_LINES)) put(group);
    if (written.length === 0) return;
    try {
      const { rows } = await db.query<{ holder: string }>(noting(written, at()));
      const held = new Set(rows.map(({ holder }) => holder));
      for (const group of written) if (!held.has(group.holder)) put(group);
    } catch (error) {
      // Whether the counts were written is unknown. They are no charges, so they are dropped rather than counted twice.
      logger.warn(
        { refused: written.reduce((sum, { n }) => sum + n, 0), err: errorMessage(error) },
        'counts of rejected requests may be missing from the usage records',
      );
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  const schedule = (): void => {
    if (timer !== undefined) return;
    timer = setTimeout(flush, EVERY_MS);
    timer.unref();
  };

  return {
    add: ({ holder, keyId, operation }) => put({ holder, keyId, operation, n: 1 }),
    flush,
  };
};
