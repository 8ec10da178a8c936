import type { Queryable } from '../../kernel/postgres/pool.ts';

export interface HolderListing {
  readonly holder: string;
  readonly name: string;
  /** Null until one is chosen: the default plan applies. */
  readonly plan: string | null;
  readonly registered_at: string;
  /** Keys in use: neither revoked nor rotated. */
  readonly keys: number;
}

export interface HolderTerms extends HolderListing {
  /** Start of the holder's first period on the plan. */
  readonly plan_started_at: string;
  readonly overage_on: boolean;
  /** Maximum overage of a period in micro-dollars; null if uncapped. */
  readonly cap_micro_usd: string | null;
  /** Sum of all wallet credits in micro-dollars. */
  readonly credit_micro_usd: string;
}

export interface KeyListing {
  readonly key_id: string;
  readonly holder: string;
  readonly label: string | null;
  /** `replaced`: a rotated key whose grace period is over. */
  readonly state: 'in_use' | 'in_grace' | 'replaced' | 'revoked';
  readonly scopes: readonly string[];
  /** IP allowlist (CIDR); empty allows any address. */
  readonly allowlist: readonly string[];
  readonly issued_at: string;
  readonly revoked_at: string | null;
  /** End of a rotated key's grace period. */
  readonly expires_at: string | null;
  readonly replaced_by: string | null;
}

/** Rows as the driver returns them: times are dates. */
type Raw<Row, Times extends keyof Row> = Omit<Row, Times> & { readonly [K in Times]: Date | (null & Row[K]) };

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

const holderColumns = (schema: string): string => `h.holder, h.name, h.plan, h.registered_at,
  (select count(*)::int from ${schema}.keys k
   where k.holder = h.holder and k.revoked_at is null and k.replaced_by is null) as keys`;

/** All holders, by ID. */
export const listHolders = async (db: Queryable, schema: string): Promise<readonly HolderListing[]> => {
  const { rows } = await db.query<Raw<HolderListing, 'registered_at'>>(
    `select ${holderColumns(schema)} from ${schema}.holders h order by h.holder`,
  );
  return rows.map((row) => ({ ...row, registered_at: row.registered_at.toISOString() }));
};

/** A holder's terms; null if it does not exist. */
export const findHolder = async (
  db: Queryable,
  schema: string,
  holder: string,
): Promise<HolderTerms | null> => {
  const { rows } = await db.query<Raw<HolderTerms, 'registered_at' | 'plan_started_at'>>(
    `select ${holderColumns(schema)}, h.plan_started_at, h.overage_on, h.cap_micro_usd::text, h.credit_micro_usd::text
     from ${schema}.holders h where h.holder = $1`,
    [holder],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { registered_at, plan_started_at } = row;
  return {
    ...row,
    registered_at: registered_at.toISOString(),
    plan_started_at: plan_started_at.toISOString(),
  };
};

type RawKey = Raw<KeyListing, 'issued_at' | 'revoked_at' | 'expires_at'>;

// Neither the key, which is not stored, nor its hash.
const KEY_COLUMNS = `key_id, holder, label, scopes, allowlist, issued_at, revoked_at, expires_at, replaced_by,
  case when revoked_at is not null then 'revoked' when replaced_by is null then 'in_use'
       when expires_at > clock_timestamp() then 'in_grace' else 'replaced' end as state`;

const keyOf = (row: RawKey): KeyListing => ({
  ...row,
  issued_at: row.issued_at.toISOString(),
  revoked_at: isoOrNull(row.revoked_at),
  expires_at: isoOrNull(row.expires_at),
});

/** Keys of one holder or of all, newest first. */
export const listKeys = async (
  db: Queryable,
  schema: string,
  holder: string | null,
): Promise<readonly KeyListing[]> => {
  const { rows } = await db.query<RawKey>(
    `select ${KEY_COLUMNS} from ${schema}.keys
     where $1::text is null or holder = $1 order by issued_at desc, key_id`,
    [holder],
  );
  return rows.map(keyOf);
};

/** A key by its ID; null if it does not exist. */
export const findKey = async (db: Queryable, schema: string, keyId: string): Promise<KeyListing | null> => {
  const { rows } = await db.query<RawKey>(`select ${KEY_COLUMNS} from ${schema}.keys where key_id = $1`, [
    keyId,
  ]);
  return rows[0] === undefined ? null : keyOf(rows[0]);
};
