import { stringify } from 'csv-stringify/sync';

/** Spreadsheets execute cells that begin with one of these characters or with its full-width form. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const BASE = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ } as const;

/** Records as RFC 4180 CSV, one per line. Null is an empty field. */
export const csvText = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records], { ...BASE, cast: { boolean: String } });

/** CSV for spreadsheets: text that they would execute gets a leading apostrophe. */
export const spreadsheetCsv = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records], {
    ...BASE,
    cast: { boolean: String, string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
  });
