import { type FragmentSqlToken, sql } from 'slonik';

/** Conditions that all have to hold; true if there are none. */
export const and = (conditions: readonly FragmentSqlToken[]): FragmentSqlToken =>
  conditions.length === 0
    ? sql.fragment`true`
    : sql.fragment`${sql.join([...conditions], sql.fragment` and `)}`;
