import { timestampOf } from '../kernel/postgres/timestamp.ts';

export const timestampValue = (text: string | null): string | null =>
  text === null ? null : timestampOf(text);

export const numberValue = (text: string | null): number | null => (text === null ? null : Number(text));

export const booleanValue = (text: string | null): boolean | null => (text === null ? null : text === 't');

/**
 * Condition for one or many values of a look-up. A single value has its own statement: Postgres caches the plan of
 * `= $1`, but plans `= any($1)` each time, which takes longer than the look-up.
 */
export const isOneOf = (values: readonly string[]): string => (values.length === 1 ? '= $1' : '= any($1)');
export const boundOf = (values: readonly string[]): unknown => (values.length === 1 ? values[0] : values);
export const suffixOf = (values: readonly string[]): string => (values.length === 1 ? '' : 's');
