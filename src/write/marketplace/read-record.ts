import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { accountOfUrl, descriptorOf } from '../../platforms/index.ts';
import type { Seller } from './events.ts';
import { MAX_SELLER_NAME, MAX_TITLE, MAX_URL } from './events.ts';
import {
  countField,
  keyField,
  priceField,
  RecordError,
  type SourceRecord,
  textField,
  timeField,
  urlField,
  wordField,
} from './fields.ts';
import type { ListingStatus, MarketObservation } from './observation.ts';

/** Where records come from, and when. */
export interface RecordContext {
  readonly source: string;
  /** When the source was read, which no record can be later than; its default where it does not say. */
  readonly readAt: string;
  /** Whether records say themselves when they were observed, as those of a file. */
  readonly isDated: boolean;
}

export type ReadRecord =
  | { readonly observation: MarketObservation; readonly reason?: undefined }
  /** @property native the ID of the offer, where the record has a valid one. */
  | { readonly observation: null; readonly reason: string; readonly native: string | null };

const KINDS = { listing: 'listing', placement: 'placement' } as const;

const STATUSES: Readonly<Record<string, ListingStatus>> = {
  open: 'active',
  active: 'active',
  sold: 'sold',
  withdrawn: 'withdrawn',
};

interface NamedAccount {
  readonly platform: Platform;
  readonly handle: string | null;
}

/** The account of a profile URL, in `account_url`, or in `url` where a record names its account in no other way. */
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

/** The account that a record names. An offer need not name one, but its platform. */
const accountOf = (record: SourceRecord): NamedAccount => {
  const platform = wordField(record, 'platform', PLATFORM_WORDS);
  const given = keyField(record, 'handle');
  if (platform !== null && given !== null) {
    const { parseHandle, parseId, isBareId } = descriptorOf(platform);
    const handle = isBareId(given) ? parseId(given) : parseHandle(given);
    if (handle === null) throw new RecordError(`handle: "${given.slice(0, 60)}" is no handle of ${platform}`);
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

/** A time of the past; what a source dates in the future it does not know. */
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
    status: wordField(record, 'status', STATUSES) ?? 'active',
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

/** The offer of a source's record, or why it is none. Never throws, whatever the record holds. */
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
