import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';

const PAGE = 5_000;

/** An active listing, and whether it was last seen before a time. */
export interface ActiveListing {
  readonly id: string;
  readonly isBefore: boolean;
}

/**
 * The active listings of a source, in pages in the order of their IDs.
 * @param schema of the build of `listings`.
 */
export async function* activeListings(
  db: Queryable,
  schema: string,
  source: string,
  before: string,
): AsyncGenerator<readonly ActiveListing[], void, undefined> {
  for (let after = ''; ; ) {
    const { rows } = await db.query<ActiveListing>(sql.named(`${schema}.listings of a source`)`
      select id, observed_at < ${before} as "isBefore" from ${ident(schema)}.listings
      where source = ${source} and status = 'active' and id > ${after} order by id limit ${raw(PAGE)}`);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? '';
  }
}
