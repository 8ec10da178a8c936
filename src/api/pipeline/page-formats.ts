import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { spreadsheetCsv } from '../../kernel/csv.ts';
import type { ListCoverage } from '../../read/follows/edges.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { isExportable } from '../contract/parse-request.ts';

type Row = Readonly<Record<string, unknown>>;

/** A representation of a page besides JSON. What JSON has in `meta` is in its headers. */
export interface PageFormat {
  readonly mediaType: string;
  text(columns: readonly string[], rows: readonly Row[]): string;
}

/** Columns of a list's CSV: the fields of its rows, in order. */
export const columnsOf = ({ data }: Pick<Endpoint, 'data'>): readonly string[] =>
  data instanceof z.ZodArray && data.element instanceof z.ZodObject ? Object.keys(data.element.shape) : [];

const cellOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

const PAGE_FORMATS: readonly PageFormat[] = [
  {
    mediaType: 'application/x-ndjson',
    text: (_, rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
  {
    mediaType: 'text/csv',
    text: (columns, rows) =>
      spreadsheetCsv([columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]),
  },
];

/** Quality of a media range for a type; 0 if the range does not include it. */
const qualityOf = (range: string, mediaType: string): number => {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  if (name !== mediaType) return 0;
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  return q === undefined ? 1 : Number(q.slice(2)) || 0;
};

/**
 * The format that `Accept` names, by its quality; null for JSON, which is what clients expect who send wildcards, and what
 * all other endpoints answer.
 */
export const pageFormatOf = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  endpoint: Pick<Endpoint, 'list' | 'maxLimit'>,
): PageFormat | null => {
  if (!isExportable(endpoint) || headers.accept === undefined) return null;
  const ranges = headers.accept.split(',');
  const best = (mediaType: string) => Math.max(0, ...ranges.map((range) => qualityOf(range, mediaType)));
  let [format, quality]: [PageFormat | null, number] = [null, best('application/json')];
  for (const each of PAGE_FORMATS) {
    const own = best(each.mediaType);
    if (own > quality) [format, quality] = [each, own];
  }
  return format;
};

/** How much of a list was read, as a structured field (RFC 9651): the status, with its times as parameters. */
export const coverageHeader = ({ status, ...times }: ListCoverage): string =>
  [status, ...Object.entries(times).flatMap(([name, at]) => (at === null ? [] : [`${name}="${at}"`]))].join(
    '; ',
  );
