import { isStorable } from '../../kernel/text.ts';
import type { MarketObservation } from '../../write/marketplace/listing.ts';
import { parseRecords, type RecordContext, readRecord } from '../../write/marketplace/read-record.ts';
import type { Page } from '../http/port.ts';
import { resetAfterMs, retryAfterMs } from '../http/retry.ts';

/** A page of the feed, or why it is none. */
export type FeedPage =
  | {
      readonly status: 'read';
      /** Of each offer the first record. */
      readonly observations: readonly MarketObservation[];
      /** IDs of listings whose records can't be taken: they are still offered. */
      readonly rejectedIds: readonly string[];
      readonly rejected: number;
      /** Why records were rejected, with the fields but without the values. */
      readonly warnings: readonly string[];
      /** Null if it is the last page. */
      readonly next: string | null;
      /** Whether listings may be missing on it. */
      readonly isPartial: boolean;
    }
  | {
      readonly status: 'unknown';
      readonly reason: string;
      readonly detail: string;
      readonly retryAfterMs: number | null;
    };

/** Maximum records of a page; the others are dropped. */
export const MAX_RECORDS = 10_000;
/** Maximum characters of a cursor. */
const MAX_CURSOR = 2_048;

const unknown = (reason: string, detail: string, retryAfter: number | null = null): FeedPage => ({
  status: 'unknown',
  reason,
  detail: detail.slice(0, 500),
  retryAfterMs: retryAfter,
});

const parsed = (body: string): unknown => {
  try {
    return parseRecords(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The cursor of the next page; null if there is none, undefined if it can't be used. */
const cursorOf = (value: unknown): string | null | undefined => {
  if (value === null || value === undefined || value === '') return null;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= MAX_CURSOR && isStorable(text) ? text : undefined;
};

/** Reads a response of the feed. Pure; never throws, whatever the response is. */
export const readFeedPage = (
  { status, headers, body }: Pick<Page, 'status' | 'headers' | 'body'>,
  context: RecordContext,
  nowMs: number,
): FeedPage => {
  const asked =
    retryAfterMs(headers['retry-after'], nowMs) ?? resetAfterMs(headers['x-rate-limit-reset'], nowMs);
  if (status === 429) return unknown('rate_limited', 'the feed limits requests', asked);
  if (status === 400 || status === 404 || status === 410)
    return unknown('page_refused', `the feed answered with status ${status}`);
  if (status !== 200) return unknown('http_error', `the feed answered with status ${status}`, asked);
  const document = parsed(body);
  if (document === undefined) return unknown('layout_changed', 'the page is not JSON');
  const { listings, next_cursor: cursor } = (document ?? {}) as { listings?: unknown; next_cursor?: unknown };
  if (!Array.isArray(listings)) return unknown('layout_changed', 'the page has no array "listings"');
  const next = cursorOf(cursor);
  const observations = new Map<string, MarketObservation>();
  const rejectedIds: string[] = [];
  const warnings = new Set<string>();
  let rejected = 0;
  let unidentified = 0;
  for (const record of listings.slice(0, MAX_RECORDS)) {
    const read = readRecord(record, context);
    if (read.observation !== null) {
      const { kind, native } = read.observation;
      const key = `${kind} ${native}`;
      if (!observations.has(key)) observations.set(key, read.observation);
      continue;
    }
    rejected += 1;
    warnings.add(`record rejected: ${read.reason.split(':')[0]}`);
    if (read.native === null) unidentified += 1;
    else rejectedIds.push(read.native);
  }
  if (listings.length > MAX_RECORDS) warnings.add('page has too many records');
  if (next === undefined) warnings.add('cursor is unusable');
  return {
    status: 'read',
    observations: [...observations.values()],
    rejectedIds,
    rejected,
    warnings: [...warnings],
    next: next ?? null,
    isPartial: unidentified > 0 || listings.length > MAX_RECORDS || next === undefined,
  };
};
