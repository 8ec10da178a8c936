import { createBatcher } from '../../kernel/batch.ts';
import { realMs } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { byDeadline } from '../../kernel/retry.ts';
import type { Scope } from '../../write/holders/plans.ts';
import type { Builds } from '../active-builds.ts';

/** A key as authentication needs it. */
export interface KnownKey {
  readonly keyId: string;
  readonly holder: string;
  /** Null until one is chosen: the default plan applies. */
  readonly plan: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly revoked: boolean;
  /**
   * Expiry of a rotated key, by this process's monotonic clock (`performance.now`) in milliseconds; null otherwise.
   */
  readonly endsAtMs: number | null;
  /** IP allowlist (CIDR); empty allows any address. */
  readonly allowlist: readonly string[];
}

export interface KeyReads {
  /** The cached key if the cache is fresh; undefined if the database must be queried. */
  peek(hash: string): KnownKey | null | undefined;
  find(hash: string): Promise<KnownKey | null>;
}

/** Maximum age of the last refresh at which the cache is trusted. */
const TRUST_MS = 1_000;
/** Time for a look-up, its wait for a connection included. */
const FIND_MS = 5_000;
const MAX_KEPT = 100_000;
const MAX_MISSES = 10_000;

interface Row {
  readonly key_hash: string;
  readonly key_id: string;
  readonly holder: string;
  readonly plan: string | null;
  readonly scopes: readonly Scope[];
  readonly revoked: boolean;
  readonly left_ms: number | null;
  readonly allowlist: readonly string[];
}

const lookUpLate = () =>
  new ServiceError('service_unavailable', 'Your key could not be looked up in time. Try again.', {
    retryAfterS: 5,
  });

/**
 * Keys by their SHA-256, cached, so that the time of a look-up reveals nothing about other keys. The cache is
 * cleared when a refresh of the builds, four times a second, shows changes of holders; without refreshes it is not
 * trusted.
 */
export const createKeyReads = (
  db: Queryable,
  builds: Builds,
  steadyMs: () => number = () => performance.now(),
): KeyReads => {
  const kept = new Map<string, KnownKey>();
  /** Cached negative look-ups: guessing keys costs the database one query each. */
  const misses = new Set<string>();
  let seen = '';

  builds.onRefresh(() => {
    // Any change clears the cache; keys are then loaded in batches. Events of other categories also advance the
    // position, at most once a second, which costs active keys a query each.
    const progress = builds.progress('holders');
    // Without a build there is nothing to cache.
    const now = progress === null ? '' : `${builds.schema('holders')} ${progress.position}`;
    if (now !== seen) {
      kept.clear();
      misses.clear();
    }
    seen = now;
  });

  const find = createBatcher<string, KnownKey | null>(async (hashes) => {
    const schema = builds.schema('holders');
    // A change during the query must invalidate its result.
    const asked = seen;
    const askedAt = steadyMs();
    const { rows } = await db.query<Row>(sql.named(`${schema}.keys by hash`)`
      select k.key_hash, k.key_id, k.holder, h.plan, k.scopes, k.revoked_at is not null as revoked,
        (extract(epoch from k.expires_at - clock_timestamp()) * 1000)::float8 as left_ms, k.allowlist
      from ${ident(schema)}.keys k join ${ident(schema)}.holders h using (holder) where k.key_hash = any(${hashes})`);
    const found = new Map<string, KnownKey>(
      rows.map((row) => [
        row.key_hash,
        {
          keyId: row.key_id,
          holder: row.holder,
          plan: row.plan,
          scopes: new Set(row.scopes),
          revoked: row.revoked,
          endsAtMs: row.left_ms === null ? null : askedAt + realMs(row.left_ms),
          allowlist: row.allowlist,
        },
      ]),
    );
    if (kept.size > MAX_KEPT) kept.clear();
    if (misses.size > MAX_MISSES) misses.clear();
    if (asked === seen) {
      for (const [hash, key] of found) kept.set(hash, key);
      for (const hash of hashes) if (!found.has(hash)) misses.add(hash);
    }
    return hashes.map((hash) => found.get(hash) ?? null);
  });

  return {
    peek: (hash) => {
      if (steadyMs() - builds.confirmedAtMs() >= TRUST_MS) return undefined;
      return misses.has(hash) ? null : kept.get(hash);
    },
    find: (hash) => byDeadline(find(hash), FIND_MS, lookUpLate),
  };
};
