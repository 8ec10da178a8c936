import { type FragmentSqlToken, sql } from 'slonik';

/** SQL that a view exports, as the expression of an index, which readers have to repeat to the letter. */
export const verbatim = (text: string): FragmentSqlToken =>
  sql.fragment([text] as unknown as TemplateStringsArray);

/** Columns by their names, of a table if several are joined. */
export const columnList = (names: readonly string[], table?: string): FragmentSqlToken =>
  sql.fragment`${sql.join(
    names.map((name) => sql.identifier(table === undefined ? [name] : [table, name])),
    sql.fragment`, `,
  )}`;
