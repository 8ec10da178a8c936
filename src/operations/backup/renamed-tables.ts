import type { Manifest, SavedTable } from './manifest.ts';

interface Renames {
  /** New name of a table by its old one, each as `schema.table`. */
  readonly tables: Readonly<Record<string, string>>;
  /** New name of a column by its old one, by the table's old name. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Breaking migrations that leave the contents of tables as they are: a backup from before such a migration can still be
 * restored, under the new names. The ones without names here change functions, or add tables and columns with defaults.
 */
const RENAMES: Readonly<Record<string, Renames>> = {
  '0014_standard_names_break.sql': {
    tables: { 'metering.answers': 'metering.idempotent_responses' },
    columns: {
      'metering.answers': { lapses_at: 'expires_at' },
      'metering.periods': { told_at: 'published_at' },
    },
  },
  '0015_part_settlement_and_journal_break.sql': { tables: {}, columns: {} },
  '0016_platform_checkpoints_break.sql': { tables: {}, columns: {} },
  '0020_sessions_break.sql': {
    tables: { 'crawl.session_rests': 'crawl.session_limits' },
    columns: { 'crawl.session_rests': { until: 'resting_until' } },
  },
};

/** Whether rows from before a migration are valid after it, under the present names. */
export const keepsRows = (migration: string): boolean => RENAMES[migration] !== undefined;

/** A table of a backup, by the names that it and its columns have now. */
export interface PresentTable extends SavedTable {
  /** Present names of columns by those in the backup, where they differ. */
  readonly renamedColumns: Readonly<Record<string, string>>;
}

const renamed = (saved: PresentTable, { tables, columns }: Renames): PresentTable => {
  const old = `${saved.schema}.${saved.table}`;
  const [schema, table] = (tables[old] ?? old).split('.') as [string, string];
  const names = columns[old] ?? {};
  return {
    ...saved,
    schema,
    table,
    columns: saved.columns.map((column) => names[column] ?? column),
    renamedColumns: { ...saved.renamedColumns, ...names },
  };
};

/**
 * The tables of a backup by the names that they have now.
 * @param missing the migrations that were written after the backup was made, in order.
 */
export const presentTables = ({ tables }: Manifest, missing: readonly string[]): readonly PresentTable[] =>
  missing.reduce<readonly PresentTable[]>(
    (all, migration) => {
      const renames = RENAMES[migration];
      return renames === undefined ? all : all.map((table) => renamed(table, renames));
    },
    tables.map((table) => ({ ...table, renamedColumns: {} })),
  );

/**
 * A row as JSON text with its columns' present names. The text is not parsed, so that numbers stay as they were written:
 * an unescaped quote after a brace or comma begins a key, never the content of a string.
 */
export const withPresentNames = (row: string, { renamedColumns }: PresentTable): string =>
  Object.entries(renamedColumns).reduce(
    (text, [from, to]) => text.replace(new RegExp(`([{,]\\s*)"${from}":`), `$1"${to}":`),
    row,
  );
