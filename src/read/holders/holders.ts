import type { Queryable } from '../../kernel/postgres/pool.ts';

export interface HolderListing {
  readonly holder: string;
  readonly name: string;
  /** Null until one is chosen: the lowest plan in force then. */
  readonly plan: string | null;
  readonly registered_at: string;
  /** Keys in use: neither revoked nor rotated away. */
  readonly keys: number;
}

export interface HolderTerms extends HolderListing {
  /** When the holder's first period on the plan began. */
  readonly plan_started_at: string;
  readonly overage_on: boolean;
  /** Most overage of a period, in micro-dollars; null where there is no cap. */
  readonly cap_micro_usd: string | null;
  /** All that was ever credited to the wallet, in micro-dollars. */
  readonly credit_micro_usd: string;
}

export interface KeyListing {
  readonly key_id: string;
  readonly holder: string;
  readonly label: string | null;
  /** `replaced` is a rotated key whose grace is over. */
  readonly state: 'in_use' | 'in_grace' | 'replaced' | 'revoked';
  readonly scopes: readonly string[];
  /** Networks (CIDR) that it is good from; from anywhere where there are none. */
  readonly allowlist: readonly string[];
  readonly issued_at: string;
  readonly revoked_at: string | null;
  /** When the grace of a rotated key ends. */
  readonly expires_at: string | null;
  readonly replaced_by: string | null;
}

/** Rows as Postgres gives them: times are dates. */
type Raw<Row, Times extends keyof Row> = Omit<Row, Times> & { readonly [K in Times]: Date | (null & Row[K]) };

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

const holderColumns = (schema: string): string => `h.holder, h.name, h.plan, h.registered_at,
  (select count(*)::int from ${schema}.keys k
   where k.holder = h.holder and k.revoked_at is null and k.replaced_by is null) as keys`;

/** All holders, by id. */
export const listHolders = async (db: Queryable, schema: string): Promise<readonly HolderListing[]> => {
  const { rows } = await db.query<Raw<HolderListing, 'registered_at'>>(
    `select ${holderColumns(schema)} from ${schema}.holders h order by h.holder`,
  );
  return rows.map((row) => ({ ...row, registered_at: row.registered_at.toISOString() }));
};

/** One holder's terms; null where there is no such holder. */
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

// Never the key itself, which nobody has, nor its hash, which is of no use to anybody who may read this.
const KEY_COLUMNS = `key_id, holder, label, scopes, allowlist, issued_at, revoked_at, expires_at, replaced_by,
  case when revoked_at is not null then 'revoked' when replaced_by is null then 'in_use'
       when expires_at > clock_timestamp() then 'in_grace' else 'replaced' end as state`;

const keyOf = (row: RawKey): KeyListing => ({
  ...row,
  issued_at: row.issued_at.toISOString(),
  revoked_at: isoOrNull(row.revoked_at),
  expires_at: isoOrNull(row.expires_at),
});

/** Keys of one holder or of all, the newest first. */
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

/** One key by its id; null where there is none. */
export const findKey = async (db: Queryable, schema: string, keyId: string): Promise<KeyListing | null> => {
  const { rows } = await db.query<RawKey>(`select ${KEY_COLUMNS} from ${schema}.keys where key_id = $1`, [
    keyId,
  ]);
  return rows[0] === undefined ? null : keyOf(rows[0]);
};
