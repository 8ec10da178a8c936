import { timestampOf } from '../kernel/postgres/timestamp.ts';

export const timestampValue = (text: string | null): string | null =>
  text === null ? null : timestampOf(text);

export const numberValue = (text: string | null): number | null => (text === null ? null : Number(text));

export const booleanValue = (text: string | null): boolean | null => (text === null ? null : text === 't');

/**
 * How one look-up and many at once ask for their values. A lone value has a statement of its own: Postgres plans
 * `= $1` once, but `= any($1)` anew each time, which takes longer than the look-up.
 */
export const isOneOf = (values: readonly string[]): string => (values.length === 1 ? '= $1' : '= any($1)');
export const boundOf = (values: readonly string[]): unknown => (values.length === 1 ? values[0] : values);
export const suffixOf = (values: readonly string[]): string => (values.length === 1 ? '' : 's');
