/** What the catalog knows of an account that is to be erased: its ID, its names, and the streams that are not named after it. */

import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, sql } from '../kernel/postgres/statement.ts';

/** Schemas of the read models that are asked. */
export interface SubjectSchemas {
  readonly accounts: string;
  readonly people: string;
  readonly listings: string;
}

/** The native ID of the account that has a handle; null if none is known. */
export const nativeIdOf = async (
  db: Queryable,
  { accounts }: Pick<SubjectSchemas, 'accounts'>,
  platform: Platform,
  handle: string,
): Promise<string | null> => {
  const { rows } = await db.query<{ native_id: string | null }>(sql`
    select native_id from ${ident(accounts)}.accounts where platform = ${platform} and handle = ${handle}`);
  return rows[0]?.native_id ?? null;
};

/** All names that an account was seen under, the newest first. */
export const namesOf = async (
  db: Queryable,
  { accounts, people }: SubjectSchemas,
  platform: Platform,
  nativeId: string,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(sql`
    select name from (
      select name, seen_at from ${ident(people)}.accounts where platform = ${platform} and native_id = ${nativeId}
      union all
      select handle, last_seen_at from ${ident(accounts)}.accounts
        where platform = ${platform} and native_id = ${nativeId}
    ) n group by name order by max(seen_at) desc nulls last, name`);
  return rows.map(({ name }) => name);
};

/** Listings and placements that offer an account, by their IDs. */
export const listingsOf = async (
  db: Queryable,
  { listings }: Pick<SubjectSchemas, 'listings'>,
  platform: Platform,
  handles: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ id: string }>(sql`
    select id from ${ident(listings)}.listings where platform = ${platform} and handle = any(${handles})
    union select id from ${ident(listings)}.placements where platform = ${platform} and handle = any(${handles})
    order by id`);
  return rows.map(({ id }) => id);
};

/** An account that was read, and was absent when it was read last. */
export interface AbsentAccount {
  readonly platform: Platform;
  readonly handle: string;
  readonly native_id: string | null;
}

/**
 * Accounts that no reading has shown since a time, and that are absent under all of their names, in the order of their names.
 * @param accounts schema of the read model.
 * @param last the last one of the page before.
 */
export const longAbsent = async (
  db: Queryable,
  accounts: string,
  before: string,
  last: AbsentAccount | null,
  limit: number,
): Promise<readonly AbsentAccount[]> => {
  const from = ident(accounts);
  const { rows } = await db.query<AbsentAccount>(sql`
    select platform, handle, native_id from ${from}.accounts a
    where status = 'absent' and last_seen_at < ${before}
      and (platform, handle) > (${last?.platform ?? ''}, ${last?.handle ?? ''})
      and not exists (select from ${from}.accounts b
        where b.native_id = a.native_id and b.platform = a.platform and b.status <> 'absent')
    order by platform, handle limit ${limit}`);
  return rows;
};
