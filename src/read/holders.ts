/** Reads of holders and their keys, and the cache of keys for authentication. */

import { createBatcher } from '../kernel/batch.ts';
import { realMs } from '../kernel/clock.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../kernel/postgres/statement.ts';
import { byDeadline } from '../kernel/retry.ts';
import { columnsExcept, type DriverRow, driverReader } from '../projections/table/table.ts';
import { type HolderRow, holderTable, type KeyRow, keyTable } from '../projections/views/holders/tables.ts';
import type { Scope } from '../write/holders/plans.ts';
import type { Builds } from './active-builds.ts';

export interface HolderListing
  extends Pick<HolderRow, 'holder' | 'name' | 'plan' | 'registered_at' | 'suspended_at' | 'suspended_why'> {
  /** Keys in use: neither revoked nor rotated nor expired. */
  readonly keys: number;
}

/** Amounts are micro-dollars; the plan's start is that of the holder's first period on it. */
export interface HolderTerms
  extends HolderListing,
    Pick<HolderRow, 'plan_started_at' | 'overage_on' | 'cap_micro_usd' | 'credit_micro_usd'> {}

const KEY_COLUMNS = columnsExcept(keyTable, ['key_hash']);

/** A key by its ID, without the key, which is not stored, and without its hash. */
export interface KeyListing extends Pick<KeyRow, (typeof KEY_COLUMNS)[number]> {
  /** `replaced`: a rotated key whose grace period is over. */
  readonly state: 'in_use' | 'expired' | 'in_grace' | 'replaced' | 'revoked';
}

const holderOf = driverReader(holderTable);
const keyOf = driverReader(keyTable);

const holderColumns = (schema: string): string => `h.holder, h.name, h.plan, h.registered_at,
  h.suspended_at, h.suspended_why, (select count(*)::int from ${schema}.keys k
   where k.holder = h.holder and k.revoked_at is null and k.replaced_by is null
     and (k.expires_at is null or k.expires_at > clock_timestamp())) as keys`;

/** All holders, by ID. */
export const listHolders = async (db: Queryable, schema: string): Promise<readonly HolderListing[]> => {
  const { rows } = await db.query<DriverRow<HolderListing>>(
    sql`select ${raw(holderColumns(schema))} from ${ident(schema)}.holders h order by h.holder`,
  );
  return rows.map((row) => holderOf<HolderListing>(row));
};

/** The lowest balances of wallets: credits less charges, in US dollars. */
export const listBalances = async (
  db: Queryable,
  schema: string,
): Promise<readonly { readonly holder: string; readonly usd: number }[]> => {
  const { rows } = await db.query<{ holder: string; usd: number }>(sql`
    select h.holder, (h.credit_micro_usd - coalesce(a.charged_micro_usd, 0))::float8 / 1e6 as usd
    from ${ident(schema)}.holders h left join metering.accounts a on a.holder = h.holder
    where h.credit_micro_usd > 0 order by 2, 1 limit 20`);
  return rows;
};

/** A holder's terms; null if it does not exist. */
export const findHolder = async (
  db: Queryable,
  schema: string,
  holder: string,
): Promise<HolderTerms | null> => {
  const { rows } = await db.query<DriverRow<HolderTerms>>(sql`
    select ${raw(holderColumns(schema))}, h.plan_started_at, h.overage_on, h.cap_micro_usd, h.credit_micro_usd
    from ${ident(schema)}.holders h where h.holder = ${holder}`);
  return rows[0] === undefined ? null : holderOf<HolderTerms>(rows[0]);
};

const keySelection = `${KEY_COLUMNS.join(', ')},
  case when revoked_at is not null then 'revoked'
       when replaced_by is null and coalesce(expires_at > clock_timestamp(), true) then 'in_use'
       when replaced_by is null then 'expired'
       when expires_at > clock_timestamp() then 'in_grace' else 'replaced' end as state`;

/** Keys of one holder or of all, newest first. */
export const listKeys = async (
  db: Queryable,
  schema: string,
  holder: string | null,
): Promise<readonly KeyListing[]> => {
  const { rows } = await db.query<DriverRow<KeyListing>>(sql`
    select ${raw(keySelection)} from ${ident(schema)}.keys
    where ${holder}::text is null or holder = ${holder} order by issued_at desc, key_id`);
  return rows.map((row) => keyOf<KeyListing>(row));
};

/** A key by its ID; null if it does not exist. */
export const findKey = async (db: Queryable, schema: string, keyId: string): Promise<KeyListing | null> => {
  const { rows } = await db.query<DriverRow<KeyListing>>(
    sql`select ${raw(keySelection)} from ${ident(schema)}.keys where key_id = ${keyId}`,
  );
  return rows[0] === undefined ? null : keyOf<KeyListing>(rows[0]);
};

/** The columns of a key that authentication needs. */
export interface KnownKey {
  readonly keyId: string;
  readonly holder: string;
  /** Null until one is chosen: the default plan applies. */
  readonly plan: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly revoked: boolean;
  /** Whether its holder is suspended. */
  readonly suspended: boolean;
  /** Whether it was rotated. */
  readonly replaced: boolean;
  /**
   * Expiry, by this process's monotonic clock (`performance.now`) in milliseconds; null for never.
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

/** The cache is trusted if the last refresh is not older than this. */
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
  readonly suspended: boolean;
  readonly replaced: boolean;
  readonly left_ms: number | null;
  readonly allowlist: readonly string[];
}

const lookUpLate = () =>
  new ServiceError('service_unavailable', 'Your key could not be looked up in time. Try again.', {
    retryAfterS: 5,
  });

/**
 * Keys by their SHA-256, cached. The time of a look-up reveals nothing about other keys. The cache is cleared when a refresh of the
 * builds, four times a second, shows changes of holders. Without refreshes it is not trusted.
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
    // Any change clears the cache, and keys are then loaded in batches. Events of other categories also advance the position, at
    // most once a second, which costs active keys a query each.
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
        h.suspended_at is not null as suspended, k.replaced_by is not null as replaced,
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
          suspended: row.suspended,
          replaced: row.replaced,
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
