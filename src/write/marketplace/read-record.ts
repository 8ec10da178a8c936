/** Reads records of marketplaces: an observation, or the reason why there is none. */

import { isoOf } from '../../kernel/clock.ts';
import { parseUsd } from '../../kernel/money.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { isLookUpKey, storable, truncated } from '../../kernel/text.ts';
import { accountOfUrl, descriptorOf } from '../../platforms/index.ts';
import { MAX_KEY } from '../accounts/post.ts';
import {
  type ListingStatus,
  MAX_PRICE_MICRO_USD,
  MAX_SELLER_NAME,
  MAX_TITLE,
  MAX_URL,
  type MarketObservation,
  type Seller,
} from './listing.ts';

/** The source of records, and the time at which it was read. */
export interface RecordContext {
  readonly source: string;
  /** Time at which the source was read. No record can be later. It is also the default for records without a time. */
  readonly readAt: string;
  /** Whether records state when they were observed, as the records of a file do. */
  readonly isDated: boolean;
}

export type ReadRecord =
  | { readonly observation: MarketObservation; readonly reason?: undefined }
  /** @property native the ID of the offer, if the record has a valid one. */
  | { readonly observation: null; readonly reason: string; readonly native: string | null };

const KINDS = { listing: 'listing', placement: 'placement' } as const;

const STATUS_WORDS: Readonly<Record<string, ListingStatus>> = {
  open: 'active',
  active: 'active',
  sold: 'sold',
  withdrawn: 'withdrawn',
};

interface NamedAccount {
  readonly platform: Platform;
  readonly handle: string | null;
}

/** The account of a profile URL, in `account_url`, or in `url` if the record names its account in no other way. */
const accountOfAddress = (record: SourceRecord, field: string): NamedAccount | null => {
  const url = urlField(record, field, MAX_URL);
  const found = url === null ? null : accountOfUrl(new URL(url));
  if (found === null) return null;
  const { platform, address } = found;
  if (address.kind === 'handle') return { platform, handle: address.handle };
  // A number could be the handle of another account.
  return { platform, handle: descriptorOf(platform).isBareId(address.id) ? address.id : null };
};

const PLATFORM_WORDS = Object.fromEntries(platformSchema.options.map((name) => [name, name])) as Readonly<
  Record<string, Platform>
>;

/** The account that a record names. An offer must name its platform, but need not name an account. */
const accountOf = (record: SourceRecord): NamedAccount => {
  const platform = wordField(record, 'platform', PLATFORM_WORDS);
  const stated = keyField(record, 'handle');
  if (platform !== null && stated !== null) {
    const { parseHandle, parseId, isBareId } = descriptorOf(platform);
    const handle = isBareId(stated) ? parseId(stated) : parseHandle(stated);
    if (handle === null)
      throw new RecordError(`handle: "${stated.slice(0, 60)}" is no handle of ${platform}`);
    return { platform, handle };
  }
  const linked = accountOfAddress(record, 'account_url') ?? accountOfAddress(record, 'url');
  if (linked !== null && (platform === null || platform === linked.platform)) return linked;
  if (platform === null)
    throw new RecordError('platform: missing, and neither account_url nor url is the address of an account');
  return { platform, handle: null };
};

/** `seller_id` and `seller_name`, or `seller` for both: a name, or an object with `id` and `name`. */
const sellerOf = (record: SourceRecord): Seller | null => {
  const { seller } = record;
  const nested = typeof seller === 'object' && seller !== null ? (seller as SourceRecord) : null;
  const id =
    nested === null ? (keyField(record, 'seller_id') ?? keyField(record, 'seller')) : keyField(nested, 'id');
  if (id === null) return null;
  const name =
    nested === null
      ? (textField(record, 'seller_name', MAX_SELLER_NAME) ?? textField(record, 'seller', MAX_SELLER_NAME))
      : textField(nested, 'name', MAX_SELLER_NAME);
  return { id, name };
};

/** The earlier of two times in the same form. */
const earlier = (a: string, b: string): string => (a < b ? a : b);

/** A time in the past. A time in the future is unknown to the source, and becomes null. */
const past = (at: string | null, observedAt: string): string | null =>
  at === null || at > observedAt ? null : at;

const observedAtOf = (record: SourceRecord, { readAt, isDated }: RecordContext): string => {
  if (!isDated) return readAt;
  const at =
    timeField(record, 'observed_at') ??
    timeField(record, 'updated_at') ??
    timeField(record, 'placed_at') ??
    readAt;
  return earlier(at, readAt);
};

const observationOf = (record: SourceRecord, context: RecordContext, native: string): MarketObservation => {
  const kind = wordField(record, 'kind', KINDS) ?? 'listing';
  const { platform, handle } = accountOf(record);
  const observedAt = observedAtOf(record, context);
  const offer = { source: context.source, native, observedAt, platform };
  const price = priceField(record, 'price_usd');
  const followers = countField(record, 'followers');
  const seller = sellerOf(record);
  const url = urlField(record, 'url', MAX_URL);
  if (kind === 'placement') {
    if (handle === null) throw new RecordError('handle: missing; a placement names its account');
    if (price === null) throw new RecordError('price_usd: missing; a placement has a price');
    return { kind, ...offer, handle, price, followers, views: countField(record, 'views'), seller, url };
  }
  const listedAt = past(timeField(record, 'listed_at'), observedAt);
  return {
    kind,
    ...offer,
    status: wordField(record, 'status', STATUS_WORDS) ?? 'active',
    details: {
      handle,
      title: textField(record, 'title', MAX_TITLE),
      followers,
      seller,
      url,
      listed_at: listedAt,
    },
    price,
    soldAt: past(timeField(record, 'sold_at'), observedAt),
    soldPrice: priceField(record, 'sold_price_usd'),
  };
};

const isRecord = (value: unknown): value is SourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The offer of a source's record, or the reason why there is none. It never throws, whatever the record holds. */
export const readRecord = (value: unknown, context: RecordContext): ReadRecord => {
  if (!isRecord(value)) return { observation: null, reason: 'not an object with fields', native: null };
  let native: string | null = null;
  try {
    native = keyField(value, 'id');
    if (native === null) throw new RecordError('id: missing');
    return { observation: observationOf(value, context, native) };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { observation: null, reason: error.message, native };
  }
};

/** Names of the fields that a record may have. */
export const RECORD_FIELDS = [
  'kind',
  'id',
  'platform',
  'handle',
  'account_url',
  'status',
  'title',
  'price_usd',
  'sold_price_usd',
  'followers',
  'views',
  'seller',
  'seller_id',
  'seller_name',
  'url',
  'listed_at',
  'updated_at',
  'placed_at',
  'observed_at',
  'sold_at',
] as const;

/** Digits that a JavaScript number may round. */
const LONG_NUMBER = /[\d.]{16,}/;

const asWritten = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && LONG_NUMBER.test(source) ? source : value;

/**
 * Parses JSON and keeps long numbers as text, so that no price and no ID is rounded.
 *
 * @throws {SyntaxError} if the text is not JSON.
 */
export const parseRecords = (json: string): unknown =>
  LONG_NUMBER.test(json)
    ? JSON.parse(json, asWritten as (key: string, value: unknown) => unknown)
    : JSON.parse(json);

/** The reason why a record is rejected. */
class RecordError extends Error {
  override readonly name = 'RecordError';
}

/** A record of a source: values of any type, as JSON or CSV has them. */
export type SourceRecord = Readonly<Record<string, unknown>>;

const MAX_QUOTED = 60;

/** A value of a source for a message: short, without control characters. */
const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const short = truncated(storable(text).replaceAll(/\s+/g, ' '), MAX_QUOTED);
  return `"${short}${text.length > MAX_QUOTED ? '…' : ''}"`;
};

const refuse = (field: string, value: unknown, why: string): never => {
  throw new RecordError(`${field}: ${quoted(value)} ${why}`);
};

/** Whether a value is present. CSV has empty text for null. */
const isPresent = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

/** The text of a scalar; null if there is none. */
const scalar = (record: SourceRecord, field: string): string | null => {
  const value = record[field];
  if (!isPresent(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return refuse(field, value, 'is neither text nor a number');
};

/** Text of any length and content, cleaned and truncated. */
const textField = (record: SourceRecord, field: string, max: number): string | null => {
  const text = scalar(record, field);
  // Only the part that can be kept is cleaned: a source may send megabytes.
  const clean =
    text === null
      ? ''
      : storable(truncated(text, 2 * max))
          .replaceAll(/\s+/g, ' ')
          .trim();
  return clean === '' ? null : truncated(clean, max);
};

/** An identifier. It must be valid as it is: a repaired one could belong to another offer. */
const keyField = (record: SourceRecord, field: string): string | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  if (text.length > MAX_KEY) return refuse(field, text, `is longer than ${MAX_KEY} characters`);
  const normal = text.normalize('NFC');
  return isLookUpKey(normal) ? normal : refuse(field, text, 'has control characters or is malformed Unicode');
};

const MAX_COUNT = 1e15;

/** A whole number that is not negative. */
const countField = (record: SourceRecord, field: string): number | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  if (!/^\d{1,16}$/.test(text) || Number(text) > MAX_COUNT)
    return refuse(field, record[field], 'is not a whole number from 0 to 10^15');
  return Number(text);
};

/** Dollars in decimal notation, as micro-dollars. Exact, without rounding. */
const priceField = (record: SourceRecord, field: string): number | null => {
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
const timeField = (record: SourceRecord, field: string): string | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '') return null;
  const ms = ISO.test(text) ? Date.parse(text) : Number.NaN;
  if (!(ms >= FIRST_MS && ms < END_MS))
    return refuse(field, record[field], 'is not an ISO 8601 time with an offset, as 2026-11-21T08:00:00Z');
  return isoOf(ms);
};

/** One of some words, in any case. */
const wordField = <Word extends string>(
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

/** An absolute http(s) URL; null for anything else, since the URL is shown and never followed. */
const urlField = (record: SourceRecord, field: string, max: number): string | null => {
  const text = scalar(record, field)?.trim() ?? '';
  if (text === '' || text.length > max || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= max ? href : null;
};
