import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import type { ListingStatus } from '../../../write/marketplace/observation.ts';
import type { SumTable } from '../../engine/bulk-add.ts';
import type { Table } from '../../engine/bulk-upsert.ts';
import { partitionedByPlatform } from '../platform-partitions.ts';

/** A listing, as its source last showed it. Prices are micro-dollars. */
export interface ListingRow {
  readonly platform: Platform;
  readonly id: string;
  readonly source: string;
  readonly handle: string | null;
  readonly title: string | null;
  readonly followers: number | null;
  readonly price: number | null;
  /** Asking price a thousand followers: beyond the integers of JavaScript. */
  readonly price_per_1k: string | null;
  /** The seller's ID after its source's name, so that two sources never share one. */
  readonly seller: string | null;
  readonly seller_name: string | null;
  readonly url: string | null;
  readonly status: ListingStatus;
  readonly listed_at: string | null;
  /** When it was first seen. */
  readonly published_at: string;
  /** When it was last seen to change. */
  readonly observed_at: string;
  readonly sold_at: string | null;
  readonly sold_price: number | null;
  /** Of the last event, for decisions. */
  readonly revision: number;
}

export const listingTable: Table<ListingRow> = {
  name: 'listings',
  columns: {
    platform: 'text',
    id: 'text',
    source: 'text',
    handle: 'text',
    title: 'text',
    followers: 'bigint',
    price: 'bigint',
    price_per_1k: 'bigint',
    seller: 'text',
    seller_name: 'text',
    url: 'text',
    status: 'text',
    listed_at: 'timestamptz',
    published_at: 'timestamptz',
    observed_at: 'timestamptz',
    sold_at: 'timestamptz',
    sold_price: 'bigint',
    revision: 'bigint',
  },
  key: ['id', 'platform'],
};

/** The last offer of a paid post. */
export interface PlacementRow {
  readonly id: string;
  readonly source: string;
  readonly platform: Platform;
  readonly handle: string;
  readonly price: number;
  readonly followers: number | null;
  readonly views: number | null;
  readonly seller: string | null;
  readonly seller_name: string | null;
  readonly url: string | null;
  readonly observed_at: string;
  readonly revision: number;
}

export const placementTable: Table<PlacementRow> = {
  name: 'placements',
  columns: {
    id: 'text',
    source: 'text',
    platform: 'text',
    handle: 'text',
    price: 'bigint',
    followers: 'bigint',
    views: 'bigint',
    seller: 'text',
    seller_name: 'text',
    url: 'text',
    observed_at: 'timestamptz',
    revision: 'bigint',
  },
  key: ['id'],
};

/** A seller's listings: those on sale, those sold, and what was paid for them where that is known. */
export interface SellerRow {
  readonly seller: string;
  readonly active: number;
  readonly sold: number;
  /** Sold listings with a known price, and the sum of their prices. */
  readonly priced: number;
  readonly volume: bigint;
}

export const sellerTable: SumTable<SellerRow> = {
  name: 'sellers',
  columns: { seller: 'text', active: 'bigint', sold: 'bigint', priced: 'bigint', volume: 'numeric' },
  key: ['seller'],
  sums: ['active', 'sold', 'priced', 'volume'],
};

/** The status of placements among the totals. */
export const PLACEMENT = 'placement';

/** Listings of a platform by status, and its placements, with the number of known prices and their sum: paid, or asked while on sale. */
export interface TotalRow {
  readonly platform: string;
  readonly status: string;
  readonly n: number;
  readonly priced: number;
  readonly volume: bigint;
}

export const totalTable: SumTable<TotalRow> = {
  name: 'totals',
  columns: { platform: 'text', status: 'text', n: 'bigint', priced: 'bigint', volume: 'numeric' },
  key: ['platform', 'status'],
  sums: ['n', 'priced', 'volume'],
};

/** Band of listings that do not state their followers. */
export const UNKNOWN_BAND = -1;

export type PriceSide = 'asking' | 'sold';
export type PriceMetric = 'price' | 'per_1k';

/** Listings by micro-dollars, in logarithmic bins (`kernel/log-bins.ts`). */
export interface PriceCountRow {
  readonly platform: string;
  readonly band: number;
  readonly side: PriceSide;
  readonly metric: PriceMetric;
  readonly bin: number;
  readonly n: number;
}

export const priceCountTable: Table<PriceCountRow> = {
  name: 'price_counts',
  columns: { platform: 'text', band: 'integer', side: 'text', metric: 'text', bin: 'integer', n: 'bigint' },
  key: ['platform', 'band', 'side', 'metric', 'bin'],
};

/** Sold listings by the seconds from listing to sale, of a platform or a seller. */
export interface SaleTimeRow {
  readonly scope: 'platform' | 'seller';
  readonly name: string;
  readonly bin: number;
  readonly n: number;
}

export const saleTimeTable: Table<SaleTimeRow> = {
  name: 'sale_times',
  columns: { scope: 'text', name: 'text', bin: 'integer', n: 'bigint' },
  key: ['scope', 'name', 'bin'],
};

/** Placements by micro-dollars a thousand views. */
export interface CpmCountRow {
  readonly platform: string;
  readonly bin: number;
  readonly n: number;
}

export const cpmCountTable: Table<CpmCountRow> = {
  name: 'cpm_counts',
  columns: { platform: 'text', bin: 'integer', n: 'bigint' },
  key: ['platform', 'bin'],
};

/** When the sweep began that last confirmed the active listings of a source. */
export interface SourceRow {
  readonly source: string;
  readonly swept_at: string;
}

export const sourceTable: Table<SourceRow> = {
  name: 'sources',
  columns: { source: 'text', swept_at: 'timestamptz' },
  key: ['source'],
};

/**
 * Statement for rows of listings or placements by an array of IDs. The lateral join forces an index look-up per ID: a cached
 * plan of `= any($1)` from when the table was small compares every row with every ID.
 */
export const byIdSql = (schema: string, table: 'listings' | 'placements'): string => `
  select r.* from unnest($1::text[]) as wanted (id)
  cross join lateral (select * from ${schema}.${table} where id = wanted.id offset 0) r`;

/** Sorts unknown values after all others. Readers repeat the expressions of the indexes verbatim. */
const NO_PRICE = '9000000000000000000';
const BELOW_PRICES = '-1';

const offerColumns = `followers bigint, seller text collate "C", seller_name text, url text,
  observed_at timestamptz not null, revision bigint not null`;

export const tables = (schema: string): string => `
${partitionedByPlatform(
  schema,
  'listings',
  `id text collate "C" not null, platform text collate "C" not null, source text collate "C" not null,
   handle text collate "C", title text, price bigint, price_per_1k bigint, status text collate "C" not null,
   listed_at timestamptz, published_at timestamptz not null, sold_at timestamptz, sold_price bigint,
   ${offerColumns}, primary key (id, platform)`,
  PLATFORMS,
)}
create table ${schema}.placements (
  id text collate "C" primary key, source text collate "C" not null, platform text collate "C" not null,
  handle text collate "C" not null, price bigint not null, views bigint, ${offerColumns}
);
create table ${schema}.sources (source text collate "C" primary key, swept_at timestamptz not null);
create table ${schema}.sellers (
  seller text collate "C" primary key, active bigint not null, sold bigint not null, priced bigint not null,
  volume numeric not null
);
create table ${schema}.totals (
  platform text collate "C" not null, status text collate "C" not null, n bigint not null, priced bigint not null,
  volume numeric not null, primary key (platform, status)
);
create table ${schema}.price_counts (
  platform text collate "C" not null, band integer not null, side text collate "C" not null,
  metric text collate "C" not null, bin integer not null, n bigint not null,
  primary key (platform, band, side, metric, bin)
);
create table ${schema}.sale_times (
  scope text collate "C" not null, name text collate "C" not null, bin integer not null, n bigint not null,
  primary key (scope, name, bin)
);
create table ${schema}.cpm_counts (
  platform text collate "C" not null, bin integer not null, n bigint not null, primary key (platform, bin)
);
`;

export const indexes = (schema: string): string => `
create index on ${schema}.listings (status, observed_at desc, id desc);
create index on ${schema}.listings (status, coalesce(price, ${NO_PRICE}), id);
create index on ${schema}.listings (status, coalesce(price, ${BELOW_PRICES}) desc, id desc);
create index on ${schema}.listings (status, coalesce(price_per_1k, ${NO_PRICE}), id);
create index on ${schema}.listings (status, coalesce(followers, ${BELOW_PRICES}) desc, id desc);
create index on ${schema}.listings (seller, observed_at desc, id desc) where seller is not null;
create index on ${schema}.listings (source, id) where status = 'active';
create index on ${schema}.placements (platform, handle);
create index on ${schema}.sellers (active desc, seller desc);
create index on ${schema}.sellers (sold desc, seller desc);
create index on ${schema}.sellers (volume desc, seller desc);
`;
