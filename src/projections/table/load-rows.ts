import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, join, type Statement, sql } from '../../kernel/postgres/statement.ts';
import type { DriverRow } from './rows.ts';
import type { Table } from './table.ts';

/** Rows that are wanted: those with these values of a column, each on the platform beside it. */
export interface WantedRows {
  readonly column: string;
  readonly platforms: readonly string[];
  readonly values: readonly string[];
}

/**
 * Loads rows of a table with a partition per platform; those wanted by two columns come twice.
 *
 * Each partition has an arm of its own: a join is planned as if every row were looked up in every partition, so that all of them are
 * read whole. It is planned each time, since a partition grows from nothing before Postgres has statistics of it.
 */
export const loadRows = async <Row>(
  db: Queryable,
  schema: string,
  { name, platforms: partitions = [] }: Table<Row>,
  wanted: readonly WantedRows[],
): Promise<readonly DriverRow<Row>[]> => {
  const arms: Statement[] = [];
  for (const { column, platforms, values: all } of wanted) {
    const byPlatform = Map.groupBy(all.keys(), (i) => platforms[i] as string);
    for (const [platform, indexes] of byPlatform) {
      if (!partitions.includes(platform)) continue;
      const found = indexes.map((i) => all[i]);
      arms.push(sql`
        select * from ${ident(schema)}.${ident(`${name}_${platform}`)} where ${ident(column)} = any(${found}::text[])`);
    }
  }
  if (arms.length === 0) return [];
  return (await db.query<DriverRow<Row>>(join(arms, ' union all '))).rows;
};
