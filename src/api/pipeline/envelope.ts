import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { spreadsheetCsv } from '../../kernel/csv.ts';
import { shownJson } from '../../kernel/text.ts';
import type { ListCoverage } from '../../read/follows.ts';
import type { Answer, Coverage, Endpoint, ListedAccount } from '../contract/endpoint.ts';
import { isExportable } from '../contract/parse-request.ts';

/** A serialized response. */
export interface Envelope {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Weak ETag over `data`; null if it is not from the directory. */
  readonly tag: string | null;
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

/** Wraps serialized `data` in the envelope, and hashes it for the ETag. */
export const envelopeOf = (
  requestId: string,
  answer: Answer<string>,
  times: { readonly nowMs: number; readonly takenMs: number },
  list: ListMeta | null,
  derived: DerivedMeta | null = null,
): Envelope => {
  const age = cacheAgeS(answer, times.nowMs);
  const meta = `"request_id":"${requestId}","generated_at":"${isoOf(times.nowMs)}","took_ms":${Math.round(times.takenMs)},"source":"${answer.source}","cache_age_s":${age}`;
  // The keys follow those above.
  const more = [list, derived].map((fields) => (fields === null ? '' : `,${shownJson(fields).slice(1, -1)}`));
  return {
    body: `{"data":${answer.data},"meta":{${meta}${more.join('')}}}`,
    tag: tagOf(answer),
    headers: JSON_TYPE,
  };
};

/** A page in another format than JSON, with the fields of `meta` in its headers. */
export const formattedPage = (
  { mediaType }: PageFormat,
  url: string,
  answer: Answer<string>,
  nowMs: number,
  { next_cursor, resume_cursor, coverage }: ListMeta,
): Envelope => {
  const age = cacheAgeS(answer, nowMs);
  return {
    body: answer.data,
    tag: tagOf(answer),
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      ...(age !== null && { 'x-cache-age': String(age) }),
      ...(next_cursor !== null && {
        link: `<${cursorAddress(url, next_cursor)}>; rel="next"`,
        'x-next-cursor': next_cursor,
      }),
      ...(resume_cursor !== undefined && { 'x-resume-cursor': resume_cursor }),
      ...(coverage !== undefined && { 'x-list-coverage': coverageHeader(coverage) }),
    },
  };
};

/** Whether the caller has the current response, so that the answer is 304 and free. */
export const isUnchanged = (request: FastifyRequest, { tag }: Envelope): boolean =>
  tag !== null &&
  (request.headers['if-none-match']?.split(',').some((asked) => asked.trim() === tag) ?? false);

/** Sends a response, or 304 if the caller has it. */
export const sendEnvelope = (
  request: FastifyRequest,
  reply: FastifyReply,
  envelope: Envelope,
): FastifyReply => {
  if (envelope.tag !== null) reply.header('etag', envelope.tag);
  if (isUnchanged(request, envelope)) return reply.code(304).send();
  return reply.headers(envelope.headers).send(envelope.body);
};

/** A representation of a page other than JSON. The fields of `meta` are in its headers. */
export interface PageFormat {
  readonly mediaType: string;
  text(columns: readonly string[], rows: readonly Row[]): string;
}

/** Columns of a list's CSV: the fields of its rows, in order. */
export const columnsOf = ({ data }: Pick<Endpoint, 'data'>): readonly string[] =>
  data instanceof z.ZodArray && data.element instanceof z.ZodObject ? Object.keys(data.element.shape) : [];

/** The format that `Accept` prefers; null for JSON, which wildcards and all other endpoints get. */
export const pageFormatOf = (
  request: Pick<FastifyRequest, 'headers'>,
  endpoint: Pick<Endpoint, 'list' | 'maxLimit'>,
): PageFormat | null => {
  if (!isExportable(endpoint) || request.headers.accept === undefined) return null;
  const preferred = new Negotiator(request).mediaType(MEDIA_TYPES);
  return PAGE_FORMATS.find(({ mediaType }) => mediaType === preferred) ?? null;
};

/** `meta` fields of lists. */
interface ListMeta {
  readonly next_cursor: string | null;
  readonly limit: number;
  readonly resume_cursor?: string;
  readonly coverage?: ListCoverage;
  readonly account?: ListedAccount;
}

/** `meta` fields of derived figures. */
interface DerivedMeta {
  readonly coverage: Coverage | null;
  readonly method_version: string;
  readonly warnings: readonly string[];
}

const tagOf = ({ data, source }: Answer<string>): string | null =>
  source === 'catalog' ? `W/"${hash('md5', data, 'base64url')}"` : null;

const cacheAgeS = ({ readAtMs }: Answer<string>, nowMs: number): number | null =>
  readAtMs === null ? null : Math.max(0, Math.floor((nowMs - readAtMs) / 1_000));

const cursorAddress = (url: string, cursor: string): string => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.delete('after');
  searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams}`;
};

type Row = Readonly<Record<string, unknown>>;

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

/** How much of a list was read, as a structured field (RFC 9651): the status, with its times as parameters. */
const coverageHeader = ({ status, ...times }: ListCoverage): string =>
  [status, ...Object.entries(times).flatMap(([name, at]) => (at === null ? [] : [`${name}="${at}"`]))].join(
    '; ',
  );
