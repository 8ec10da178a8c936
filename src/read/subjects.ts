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
