import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import {
  type HolderRow,
  holderTable,
  type KeyRow,
  keyTable,
} from '../../projections/views/holders/tables.ts';

export interface HolderListing extends Pick<HolderRow, 'holder' | 'name' | 'plan' | 'registered_at'> {
  /** Keys in use: neither revoked nor rotated. */
  readonly keys: number;
}

/** Amounts are micro-dollars; the plan's start is that of the holder's first period on it. */
export interface HolderTerms
  extends HolderListing,
    Pick<HolderRow, 'plan_started_at' | 'overage_on' | 'cap_micro_usd' | 'credit_micro_usd'> {}

const KEY_COLUMNS = columnsExcept(keyTable, ['key_hash']);

/** A key by its ID: neither the key, which is not stored, nor its hash. */
export interface KeyListing extends Pick<KeyRow, (typeof KEY_COLUMNS)[number]> {
  /** `replaced`: a rotated key whose grace period is over. */
  readonly state: 'in_use' | 'in_grace' | 'replaced' | 'revoked';
}

const holderOf = driverReader(holderTable);
const keyOf = driverReader(keyTable);

const holderColumns = (schema: string): string => `h.holder, h.name, h.plan, h.registered_at,
  (select count(*)::int from ${schema}.keys k
   where k.holder = h.holder and k.revoked_at is null and k.replaced_by is null) as keys`;

/** All holders, by ID. */
export const listHolders = async (db: Queryable, schema: string): Promise<readonly HolderListing[]> => {
  const { rows } = await db.query<DriverRow<HolderListing>>(
    sql`select ${raw(holderColumns(schema))} from ${ident(schema)}.holders h order by h.holder`,
  );
  return rows.map((row) => holderOf<HolderListing>(row));
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
  case when revoked_at is not null then 'revoked' when replaced_by is null then 'in_use'
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
