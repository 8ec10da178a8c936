import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import {
  type FindingRow,
  findingTable,
  type RunRow,
  runTable,
} from '../../projections/views/research/tables.ts';

export type { FindingRow, RunRow } from '../../projections/views/research/tables.ts';

const findingOf = driverReader(findingTable);
const runOf = driverReader(runTable);

/** Findings, newest first. @param schema of the read model of research. */
export const listRecentFindings = async (
  db: Queryable,
  schema: string,
  limit: number,
): Promise<readonly FindingRow[]> => {
  const { rows } = await db.query<DriverRow<FindingRow>>(
    sql`select * from ${ident(schema)}.findings order by position desc limit ${limit}`,
  );
  return rows.map(findingOf);
};

/** Runs, newest first. */
export const listRecentRuns = async (
  db: Queryable,
  schema: string,
  limit: number,
): Promise<readonly RunRow[]> => {
  const { rows } = await db.query<DriverRow<RunRow>>(
    sql`select * from ${ident(schema)}.runs order by position desc limit ${limit}`,
  );
  return rows.map(runOf);
};

/** A finding; null if there is none. */
export const findFinding = async (db: Queryable, schema: string, id: string): Promise<FindingRow | null> => {
  const { rows } = await db.query<DriverRow<FindingRow>>(
    sql`select * from ${ident(schema)}.findings where id = ${id}`,
  );
  return rows[0] === undefined ? null : findingOf(rows[0]);
};
