/** How lists are printed: for people, and for programs. */

import { type Command, Option } from 'commander';
import { csvText } from '../../kernel/csv.ts';
import { print } from '../../kernel/terminal.ts';
import { shownJson } from '../../kernel/text.ts';
import { terminalWidth } from './table.ts';

const OUTPUTS = ['table', 'wide', 'json', 'csv'] as const;

/** Options of commands that print a list. */
export interface Output {
  readonly output?: (typeof OUTPUTS)[number];
  readonly json?: boolean;
}

/** A list for people. */
export interface ForPeople {
  /** Within a width of the terminal in columns. */
  readonly table: (width: number) => string;
  /** What is printed in place of an empty table. */
  readonly empty?: string;
}

/** How JSON is printed: as one indented array, as one on a line, or a line a row. */
type JsonForm = 'indented' | 'line' | 'lines';

/** A command that prints a list. */
export const listing = (command: Command): Command =>
  command
    .addOption(
      new Option('--output <form>', 'table; wide, a table with all columns in full; json; csv')
        .choices(OUTPUTS)
        .default('table'),
    )
    .option('--json', 'the same as --output json');

/** Whether JSON is asked for. */
export const isJson = ({ output, json = false }: Output): boolean => json || output === 'json';

/** Whether JSON or CSV is asked for. */
export const isForPrograms = (options: Output): boolean => isJson(options) || options.output === 'csv';

/** The width of what is for people. */
export const widthOf = ({ output }: Output): number =>
  output === 'wide' ? Number.POSITIVE_INFINITY : terminalWidth();

/** A list in the form that is asked for. CSV has the fields of JSON as columns, and values of more than one part as JSON. */
export const listText = (
  options: Output,
  rows: readonly object[],
  { table, empty }: ForPeople,
  jsonForm: JsonForm = 'indented',
): string => {
  if (isJson(options)) {
    if (jsonForm === 'lines') return rows.map((row) => shownJson(row)).join('\n');
    return shownJson(rows, jsonForm === 'line' ? undefined : 2);
  }
  // The last line ends as all lines that are printed do.
  if (options.output === 'csv') return csvOf(rows).replace(/\r\n$/, '');
  if (rows.length === 0 && empty !== undefined) return empty;
  return table(widthOf(options));
};

/** Prints a list; nothing for an empty one that is for programs. */
export const printList = (...list: Parameters<typeof listText>): void => {
  const text = listText(...list);
  if (text !== '') print(text);
};

const csvOf = (rows: readonly object[]): string => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return '';
  const cell = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return csvText([
    names,
    ...rows.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name]))),
  ]);
};
