/** Parts of conditions in list queries. */

import { type FragmentSqlToken, sql } from 'slonik';
import { folded, wordsIn } from '../write/people/names.ts';

/** Conditions that all have to hold; true if there are none. */
export const and = (conditions: readonly FragmentSqlToken[]): FragmentSqlToken =>
  conditions.length === 0
    ? sql.fragment`true`
    : sql.fragment`${sql.join([...conditions], sql.fragment` and `)}`;

const MAX_TOKENS = 6;

/** The token of a search: the beginning of a handle or of a word of a name. */
export const tokensIn = (q: string): readonly string[] =>
  [
    ...new Set(
      folded(q)
        .replace(/^@/, '')
        .match(/[^\s,;]+/gu),
    ),
  ].slice(0, MAX_TOKENS);

const isBeginning = (word: string): FragmentSqlToken =>
  sql.fragment`words like ${`% ${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`;

/** The words of a token that contains several: `O'Brien` has two. */
export const partsOf = (token: string): readonly string[] => {
  const words = wordsIn(token);
  return words[0] === token ? [] : words;
};

/** Conditions on a column `words`: a token is the beginning of a handle, or its words are words of a name. */
export const matches = (tokens: readonly string[]): readonly FragmentSqlToken[] =>
  tokens.map((token) => {
    const parts = partsOf(token);
    return parts.length === 0
      ? isBeginning(token)
      : sql.fragment`(${isBeginning(token)} or (${and(parts.map(isBeginning))}))`;
  });

/**
 * SQL that a view exports, such as the expression of an index, which readers have to repeat verbatim. Never pass input of callers:
 * the text becomes part of the statement.
 */
export const verbatim = (text: string): FragmentSqlToken =>
  sql.fragment(Object.assign([text], { raw: Object.freeze([text]) }));

/** Columns by name, qualified by a table if several are joined. */
export const columnList = (names: readonly string[], table?: string): FragmentSqlToken =>
  sql.fragment`${sql.join(
    names.map((name) => sql.identifier(table === undefined ? [name] : [table, name])),
    sql.fragment`, `,
  )}`;
