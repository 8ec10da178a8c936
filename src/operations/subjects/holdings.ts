/** Everything besides the log and the read models that may hold an account. */

import type { Platform } from '../../kernel/platform.ts';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { ident, type Statement, sql } from '../../kernel/postgres/statement.ts';
import { accountStream } from '../../write/accounts/account.ts';

/** What names an account. */
export interface Names {
  readonly platform: Platform;
  readonly nativeId: string | null;
  readonly handles: readonly string[];
}

/** All of its names: handles, its ID, and its ID as callers write it. */
export const wordsOf = ({ nativeId, handles }: Names): readonly string[] =>
  nativeId === null ? handles : [...handles, nativeId, `id:${nativeId}`];

/** Names as they stand in a text, in any letters: longer than two characters, since shorter ones are part of everything. */
export const patternsOf = (names: Names): readonly string[] =>
  wordsOf(names)
    .filter((word) => word.length > 2)
    .map((word) => `%${word.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`);

/** A table that may hold an account, and how its rows go. */
interface Holding {
  readonly table: string;
  readonly forget: (names: Names) => Statement;
}

const ofAccount =
  (table: Statement) =>
  (names: Names): Statement =>
    sql`delete from ${table} where platform = ${names.platform} and handle = any(${wordsOf(names)})`;

const streamsOf = (names: Names): readonly string[] =>
  wordsOf(names).map((word) => accountStream(names.platform, word));

/** A table with names that is missing here is found by the test that looks into every table. */
const HOLDINGS: readonly Holding[] = [
  { table: 'crawl.leases', forget: ofAccount(sql`crawl.leases`) },
  { table: 'crawl.demand', forget: ofAccount(sql`crawl.demand`) },
  {
    table: 'crawl.candidates',
    forget: (names) => sql`
      delete from crawl.candidates where (platform = ${names.platform} and handle = any(${wordsOf(names)}))
        or namer = any(${streamsOf(names)})`,
  },
  {
    table: 'crawl.namings',
    forget: (names) => sql`
      delete from crawl.namings where (platform = ${names.platform} and handle = any(${wordsOf(names)}))
        or namer = any(${streamsOf(names)})`,
  },
  { table: 'crawl.follow_sweeps', forget: ofAccount(sql`crawl.follow_sweeps`) },
  { table: 'metering.accesses', forget: ofAccount(sql`metering.accesses`) },
  {
    table: 'erasure.requests',
    forget: (names) => sql`
      delete from erasure.requests where platform = ${names.platform} and account = any(${wordsOf(names)})`,
  },
  {
    table: 'metering.idempotent_responses',
    // A stored answer that names it is not given again: the request is carried out anew, and charged once.
    forget: (names) => sql`
      delete from metering.idempotent_responses where lower(body) like any(${patternsOf(names)}::text[])`,
  },
  {
    table: 'projections.parked',
    forget: (names) => sql`delete from projections.parked where stream = any(${streamsOf(names)})`,
  },
  {
    table: 'projections.stalls',
    forget: (names) => sql`delete from projections.stalls where stream = any(${streamsOf(names)})`,
  },
];

/** Removes an account from all of them. @returns the rows that went, by table. */
export const forgetHoldings = async (db: Queryable, names: Names): Promise<Record<string, number>> => {
  const rows: Record<string, number> = {};
  for (const { table, forget } of HOLDINGS) {
    const { rowCount } = await db.query(forget(names));
    if (rowCount !== null && rowCount > 0) rows[table] = rowCount;
  }
  return rows;
};

/** Frees what removed and rewritten rows leave behind in their pages. */
export const vacuumHoldings = async (db: Db): Promise<void> => {
  for (const table of ['log.events', ...HOLDINGS.map((holding) => holding.table)])
    await db.query(sql`vacuum ${ident(table)}`);
};
