import { stringify } from 'csv-stringify/sync';

/** Spreadsheets execute cells that begin with one of these, in full width too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const BASE = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ } as const;

/** Records as RFC 4180 has them, a line each. Null is an empty field. */
export const csvText = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records], { ...BASE, cast: { boolean: String } });

/** The same for callers who open it in a spreadsheet: text that it would execute begins with an apostrophe. */
export const spreadsheetCsv = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records], {
    ...BASE,
    cast: { boolean: String, string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
  });
