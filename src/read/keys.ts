import { createBatcher } from '../kernel/batch.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Scope } from '../write/holders/events.ts';
import type { Builds } from './builds.ts';

/** A key as authentication needs it. */
export interface KnownKey {
  readonly keyId: string;
  readonly holder: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly revoked: boolean;
}

export interface KeyReads {
  /** From memory where this process may still trust it; undefined where the database must be asked. */
  peek(hash: string): KnownKey | null | undefined;
  find(hash: string): Promise<KnownKey | null>;
}

/** A process that could not confirm its keys for this long trusts none of them. */
const TRUST_MS = 1_000;
const MOST_KEPT = 100_000;

interface Row {
  readonly key_hash: string;
  readonly key_id: string;
  readonly holder: string;
  readonly scopes: readonly Scope[];
  readonly revoked: boolean;
}

/**
 * Keys by their hash, kept in memory. What changed in the holders' log is dropped with the next refresh of the
 * builds, four times a second; without refreshes nothing is trusted.
 */
export const createKeyReads = (db: Queryable, builds: Builds, nowMs: () => number = Date.now): KeyReads => {
  const kept = new Map<string, KnownKey>();
  let seen = '';

  builds.onRefresh(() => {
    // Holders change seldom: when anything did, everything is looked up anew, in batches.
    const now = `${builds.schema('holders')} ${builds.progress('holders')?.position}`;
    if (now !== seen) kept.clear();
    seen = now;
  });

  const find = createBatcher<string, KnownKey | null>(async (hashes) => {
    const schema = builds.schema('holders');
    // A change that comes in while the rows are under way must not be outlived by them.
    const asked = seen;
    const { rows } = await db.query<Row>({
      name: `${schema}.keys by hash`,
      text: `select key_hash, key_id, holder, scopes, revoked_at is not null as revoked
             from ${schema}.keys where key_hash = any($1)`,
      values: [hashes],
    });
    const found = new Map<string, KnownKey>(
      rows.map((row) => [
        row.key_hash,
        { keyId: row.key_id, holder: row.holder, scopes: new Set(row.scopes), revoked: row.revoked },
      ]),
    );
    if (kept.size > MOST_KEPT) kept.clear();
    if (asked === seen) for (const [hash, key] of found) kept.set(hash, key);
    return hashes.map((hash) => found.get(hash) ?? null);
  });

  return {
    peek: (hash) => (nowMs() - builds.confirmedAtMs() < TRUST_MS ? kept.get(hash) : undefined),
    find,
  };
};
