import type { FastifyRequest } from 'fastify';
import { spreadsheetCsv } from '../../kernel/csv.ts';
import type { ListCoverage } from '../../read/follows/edges.ts';
import type { Endpoint, Streaming } from '../contract/endpoint.ts';

type Row = Readonly<Record<string, unknown>>;

/** How rows are written in a streamed response. */
export interface StreamFormat {
  readonly mediaType: string;
  /** What comes before the first row. */
  head(streaming: Streaming): string;
  rows(streaming: Streaming, rows: readonly Row[]): string;
  /** The last line, which says how the stream ended. */
  trailer(meta: object): string;
}

const ndjson: StreamFormat = {
  mediaType: 'application/x-ndjson',
  head: () => '',
  rows: (_, rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  trailer: (meta) => `${JSON.stringify(meta)}\n`,
};

const csv: StreamFormat = {
  mediaType: 'text/csv',
  head: ({ columns }) => spreadsheetCsv([columns]),
  rows: ({ columns }, rows) => spreadsheetCsv(rows.map((row) => columns.map((column) => row[column]))),
  trailer: (meta) => `# ${JSON.stringify(meta)}\r\n`,
};

const STREAM_FORMATS: readonly StreamFormat[] = [ndjson, csv];

/** Quality of a media range for a type; 0 if the range does not include it. */
const qualityOf = (range: string, mediaType: string): number => {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  if (name !== mediaType) return 0;
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  return q === undefined ? 1 : Number(q.slice(2)) || 0;
};

/**
 * The format that `Accept` names, by its quality; null for JSON. Only a type that is named is streamed: wildcards are
 * sent by clients that expect JSON.
 */
export const streamFormatOf = (
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  { streaming }: Pick<Endpoint, 'streaming'>,
): StreamFormat | null => {
  // A response to HEAD has no chunks to charge.
  if (streaming === undefined || headers.accept === undefined || method === 'HEAD') return null;
  const ranges = headers.accept.split(',');
  const best = (mediaType: string) => Math.max(0, ...ranges.map((range) => qualityOf(range, mediaType)));
  let [format, quality]: [StreamFormat | null, number] = [null, best('application/json')];
  for (const each of STREAM_FORMATS) {
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
