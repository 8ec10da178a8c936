import { createBatcher } from '../../kernel/batch.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Scope } from '../../write/holders/events.ts';
import type { Builds } from '../active-builds.ts';

/** A key as authentication needs it. */
export interface KnownKey {
  readonly keyId: string;
  readonly holder: string;
  /** Null until one is chosen: the lowest plan in force then. */
  readonly plan: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly revoked: boolean;
  /** Milliseconds of this process's own steady clock (`performance.now`) at which a rotated key ends; else null. */
  readonly endsAtMs: number | null;
  /** Addresses (CIDR) that it is good from; from anywhere where there are none. */
  readonly allowlist: readonly string[];
}

export interface KeyReads {
  /** From memory where this process may still trust it; undefined where the database must be asked. */
  peek(hash: string): KnownKey | null | undefined;
  find(hash: string): Promise<KnownKey | null>;
}

/** A process that could not confirm its keys for this long trusts none of them. */
const TRUST_MS = 1_000;
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

/**
 * Keys by their SHA-256, kept in memory: a look-up's time says nothing of a key that its caller does not have. What
 * changed in the holders' log is dropped with the next refresh of the builds, four times a second; without refreshes
 * nothing is trusted.
 */
export const createKeyReads = (
  db: Queryable,
  builds: Builds,
  steadyMs: () => number = () => performance.now(),
): KeyReads => {
  const kept = new Map<string, KnownKey>();
  /** Hashes of no key: who tries keys costs the database one look-up each. */
  const misses = new Set<string>();
  let seen = '';

  builds.onRefresh(() => {
    // When anything changed, everything is looked up anew, in batches. The place in the log moves for others' events
    // too, once a second at the most: that costs one look-up of those who call just then.
    const progress = builds.progress('holders');
    // While there is no build there are no keys to keep.
    const now = progress === null ? '' : `${builds.schema('holders')} ${progress.position}`;
    if (now !== seen) {
      kept.clear();
      misses.clear();
    }
    seen = now;
  });

  const find = createBatcher<string, KnownKey | null>(async (hashes) => {
    const schema = builds.schema('holders');
    // A change that comes in while the rows are under way must not be outlived by them.
    const asked = seen;
    const askedAt = steadyMs();
    const { rows } = await db.query<Row>({
      name: `${schema}.keys by hash`,
      // What is left of a rotated key is measured by the database's clock, which all processes share.
      text: `select k.key_hash, k.key_id, k.holder, h.plan, k.scopes, k.revoked_at is not null as revoked,
               (extract(epoch from k.expires_at - clock_timestamp()) * 1000)::float8 as left_ms, k.allowlist
             from ${schema}.keys k join ${schema}.holders h using (holder) where k.key_hash = any($1)`,
      values: [hashes],
    });
    const found = new Map<string, KnownKey>(
      rows.map((row) => [
        row.key_hash,
        {
          keyId: row.key_id,
          holder: row.holder,
          plan: row.plan,
          scopes: new Set(row.scopes),
          revoked: row.revoked,
          endsAtMs: row.left_ms === null ? null : askedAt + row.left_ms,
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
    find,
  };
};
