import { isoOf } from '../../kernel/clock.ts';
import { parseUsd } from '../../kernel/money.ts';
import { isKey, storable, truncated } from '../../kernel/text.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { MAX_PRICE_MICRO_USD } from './events.ts';

/** Why a record can't be taken. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

/** A record of a source: values as JSON or CSV has them, of any type. */
export type SourceRecord = Readonly<Record<string, unknown>>;

const MAX_QUOTED = 60;

/** A value of a source within a message: short, without control characters. */
const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const short = truncated(storable(text).replaceAll(/\s+/g, ' '), MAX_QUOTED);
  return `"${short}${text.length > MAX_QUOTED ? '…' : ''}"`;
};

const refuse = (field: string, value: unknown, why: string): never => {
  throw new RecordError(`${field}: ${quoted(value)} ${why}`);
};

/** A value that is there: not null, and no empty text, which is what CSV has for null. */
const given = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

/** The text of a scalar; null if there is none. */
const scalar = (record: SourceRecord, field: string): string | null => {
  const value = record[field];
  if (!given(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return refuse(field, value, 'is neither text nor a number');
};

/** Text of any length and content, cleaned and truncated. */
export const textField = (record: SourceRecord, field: string, max: number): string | null => {
  const text = scalar(record, field);
  // Only what can be kept is cleaned: a source may send megabytes.
  const clean =
    text === null
      ? ''
      : storable(truncated(text, 2 * max))
          .replaceAll(/\s+/g, ' ')
          .trim();
  return clean === '' ? null : truncated(clean, max);
};

/** An identifier, which must be valid as it is: a repaired one could be that of another. */
export const keyField = (record: SourceRecord, field: string): string | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  if (text.length > MAX_KEY) return refuse(field, text, `is longer than ${MAX_KEY} characters`);
  const normal = text.normalize('NFC');
  return isKey(normal) ? normal : refuse(field, text, 'has control characters or is malformed Unicode');
};

const MAX_COUNT = 1e15;

/** A whole number that is not negative. */
export const countField = (record: SourceRecord, field: string): number | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  if (!/^\d{1,16}$/.test(text) || Number(text) > MAX_COUNT)
    return refuse(field, record[field], 'is not a whole number from 0 to 10^15');
  return Number(text);
};

/** Dollars as decimal text, in micro-dollars; exact, without rounding. */
export const priceField = (record: SourceRecord, field: string): number | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  const micro = parseUsd(text);
  if (micro === null)
    return refuse(field, record[field], 'is not an amount of dollars with at most six decimals');
  if (micro === 0n)
    return refuse(field, record[field], 'is no price: it must be above zero, or empty if unknown');
  if (micro > BigInt(MAX_PRICE_MICRO_USD))
    return refuse(field, record[field], 'is more than a billion dollars');
  return Number(micro);
};

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;
const FIRST_MS = 0;
const END_MS = Date.UTC(2200, 0, 1);

/** An ISO 8601 time with an offset, or a date, which begins in UTC. */
export const timeField = (record: SourceRecord, field: string): string | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  const ms = ISO.test(text) ? Date.parse(text) : Number.NaN;
  if (!(ms >= FIRST_MS && ms < END_MS))
    return refuse(field, record[field], 'is not an ISO 8601 time with an offset, as 2026-11-21T08:00:00Z');
  return isoOf(ms);
};

/** One of some words, in any case. */
export const wordField = <Word extends string>(
  record: SourceRecord,
  field: string,
  words: Readonly<Record<string, Word>>,
): Word | null => {
  const text = scalar(record, field)?.trim().toLowerCase() ?? '';
  if (text === '') return null;
  return Object.hasOwn(words, text)
    ? (words[text] as Word)
    : refuse(field, record[field], `is none of ${Object.keys(words).join(', ')}`);
};

/** An absolute http(s) URL; null if it is none, since it is shown and never followed. */
export const urlField = (record: SourceRecord, field: string, max: number): string | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '' || text.length > max || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= max ? href : null;
};
