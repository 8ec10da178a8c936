import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { z } from 'zod';
import { spreadsheetCsv } from '../../kernel/csv.ts';
import type { ListCoverage } from '../../read/follows.ts';
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

const MEDIA_TYPES = ['application/json', ...PAGE_FORMATS.map(({ mediaType }) => mediaType)];

/** The format that `Accept` prefers; null for JSON, which wildcards get too, and which is what all other endpoints answer. */
export const pageFormatOf = (
  request: Pick<FastifyRequest, 'headers'>,
  endpoint: Pick<Endpoint, 'list' | 'maxLimit'>,
): PageFormat | null => {
  if (!isExportable(endpoint) || request.headers.accept === undefined) return null;
  const preferred = new Negotiator(request).mediaType(MEDIA_TYPES);
  return PAGE_FORMATS.find(({ mediaType }) => mediaType === preferred) ?? null;
};

/** How much of a list was read, as a structured field (RFC 9651): the status, with its times as parameters. */
export const coverageHeader = ({ status, ...times }: ListCoverage): string =>
  [status, ...Object.entries(times).flatMap(([name, at]) => (at === null ? [] : [`${name}="${at}"`]))].join(
    '; ',
  );
