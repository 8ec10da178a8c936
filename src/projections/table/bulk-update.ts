import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { arraysOf, parameters } from './bulk-insert.ts';
import type { Columns, Table } from './table.ts';

/** Maximum rows of a statement: its arrays are in memory several times. */
const MAX_ROWS = 5_000;

/**
 * Updates some columns of rows that exist. Cheaper than an upsert where most columns remain, as long texts and JSON. Each
 * row is looked up by its key (`lateral`, and `offset 0` keeps that), whatever the planner estimates.
 */
export const updateRows = async <Row>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  updated: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Promise<void> => {
  const names = [...table.key, ...updated];
  const columns = Object.fromEntries(names.map((name) => [name, table.columns[name]]));
  const part: Table<Row> = { ...table, columns: columns as unknown as Columns<Row> };
  const set = updated
    .map((name) => `${name} = v.${name}${table.columns[name].type === 'jsonb' ? '::jsonb' : ''}`)
    .join(', ');
  const key = table.key.map((name) => `${name} = v.${name}`).join(' and ');
  for (let from = 0; from < rows.length; from += MAX_ROWS)
    await db.query(
      numbered(
        `update ${schema}.${table.name} t set ${set} from unnest(${parameters(part)}) as v(${names.join(', ')})
         cross join lateral (select ctid as at from ${schema}.${table.name} where ${key} offset 0) l where t.ctid = l.at`,
        arraysOf(part, rows.slice(from, from + MAX_ROWS)),
        { name: `update ${schema}.${table.name} ${updated.length}` },
      ),
    );
};
