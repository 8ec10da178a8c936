import { sql } from '../../kernel/postgres/statement.ts';
import type { OperationsContext } from '../context.ts';
import { projectionsNamed } from './builds.ts';
import { activeSchema } from './read-model.ts';

/** A column of a table or view that a projection makes. */
export interface TableColumn {
  readonly projection: string;
  /** Schema of the active build. */
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** Its type in Postgres. */
  readonly type: string;
  readonly nullable: boolean;
  /** Whether it is part of the primary key. */
  readonly key: boolean;
}

/**
 * The tables and views of the active builds with their columns, as SQL sees them; partitions are left out.
 * @param names projections; all by default.
 * @throws {OperatorError} `projection_unknown`, `read_model_behind` before the first build.
 */
export const projectionTables = async (
  { db }: Pick<OperationsContext, 'db'>,
  names?: readonly string[],
): Promise<readonly TableColumn[]> => {
  const columns: TableColumn[] = [];
  for (const projection of projectionsNamed(names)) {
    const schema = await activeSchema(db, projection);
    const { rows } = await db.query<Omit<TableColumn, 'projection' | 'schema'>>(sql`
      select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
        not a.attnotnull as nullable, coalesce(a.attnum = any(i.indkey), false) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
      where n.nspname = ${schema} and c.relkind in ('r', 'p', 'v') and not c.relispartition
      order by c.relname, a.attnum`);
    columns.push(...rows.map((row) => ({ projection: projection.name, schema, ...row })));
  }
  return columns;
};
