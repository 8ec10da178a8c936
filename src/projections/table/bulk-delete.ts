import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { arraysOf, parameters } from './bulk-insert.ts';
import type { Columns, Table } from './table.ts';

/** Deletes the rows with these keys, if a condition holds for them. */
export const deleteRows = async <Row>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  rows: readonly Partial<Row>[],
  condition = 'true',
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.fromEntries(table.key.map((name) => [name, table.columns[name]]));
  const keys: Table<Row> = { ...table, columns: columns as unknown as Columns<Row> };
  await db.query(
    numbered(
      `delete from ${schema}.${table.name} where ${condition} and (${table.key.join(', ')}) in
         (select * from unnest(${parameters(keys)}))`,
      arraysOf(keys, rows as readonly Row[]),
      { name: `delete ${schema}.${table.name}` },
    ),
  );
};
