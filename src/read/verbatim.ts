import { type FragmentSqlToken, sql } from 'slonik';

/**
 * SQL that a view exports, as the expression of an index, which readers have to repeat to the letter. Never for what
 * a caller sends: the tag is given the text as if it stood in the source.
 */
export const verbatim = (text: string): FragmentSqlToken =>
  sql.fragment(Object.assign([text], { raw: Object.freeze([text]) }));

/** Columns by their names, of a table if several are joined. */
export const columnList = (names: readonly string[], table?: string): FragmentSqlToken =>
  sql.fragment`${sql.join(
    names.map((name) => sql.identifier(table === undefined ? [name] : [table, name])),
    sql.fragment`, `,
  )}`;
