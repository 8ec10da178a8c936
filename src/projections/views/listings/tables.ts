import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { ident, type Statement, sql } from '../../../kernel/postgres/statement.ts';
import { LISTING_STATUSES } from '../../../write/marketplace/listing.ts';
import { defineSums } from '../../table/bulk.ts';
import {
  createTables,
  defineTable,
  exactSum,
  instant,
  int4,
  int8,
  name,
  nullable,
  type RowOf,
  text,
  wideInt8,
} from '../../table/table.ts';

/** What listings and placements have in common. */
const offer = {
  followers: nullable(int8()),
  /** The seller's ID after its source's name, so that two sources never share one. */
  seller: nullable(name()),
  seller_name: nullable(text()),
  url: nullable(text()),
  /** When it was last seen to change. */
  observed_at: instant(),
  /** Of the last event, for decisions. */
  revision: int8(),
};

/** A listing, as its source last showed it. Prices are micro-dollars. */
export const listingTable = defineTable(
  'listings',
  {
    id: name(),
    platform: name(platformSchema),
    source: name(),
    handle: nullable(name()),
    title: nullable(text()),
    price: nullable(int8()),
    /** Asking price a thousand followers: beyond the integers of JavaScript. */
    price_per_1k: nullable(wideInt8()),
    status: name(z.enum(LISTING_STATUSES)),
    listed_at: nullable(instant()),
    /** When it was first seen. */
    published_at: instant(),
    sold_at: nullable(instant()),
    sold_price: nullable(int8()),
    ...offer,
  },
  { key: ['id', 'platform'], platforms: PLATFORMS },
);
export type ListingRow = RowOf<typeof listingTable>;

/** The last offer of a paid post. */
export const placementTable = defineTable(
  'placements',
  {
    id: name(),
    source: name(),
    platform: name(platformSchema),
    handle: name(),
    price: int8(),
    views: nullable(int8()),
    ...offer,
  },
  { key: ['id'] },
);
export type PlacementRow = RowOf<typeof placementTable>;

/** When the sweep began that last confirmed the active listings of a source. */
export const sourceTable = defineTable(
  'sources',
  { source: name(), swept_at: instant() },
  { key: ['source'] },
);
export type SourceRow = RowOf<typeof sourceTable>;

/** A seller's listings: those on sale, those sold, and what was paid for them where that is known. */
export const sellerTable = defineSums(
  'sellers',
  {
    seller: name(),
    active: int8(),
    sold: int8(),
    /** Sold listings with a known price, and the sum of their prices. */
    priced: int8(),
    volume: exactSum(),
  },
  { key: ['seller'], sums: ['active', 'sold', 'priced', 'volume'] },
);
export type SellerRow = RowOf<typeof sellerTable>;

/** The status of placements among the totals. */
export const PLACEMENT = 'placement';

/** Listings of a platform by status, and its placements, with the number of known prices and their sum: paid, or asked while on sale. */
export const totalTable = defineSums(
  'totals',
  { platform: name(), status: name(), n: int8(), priced: int8(), volume: exactSum() },
  { key: ['platform', 'status'], sums: ['n', 'priced', 'volume'] },
);
export type TotalRow = RowOf<typeof totalTable>;

/** Band of listings that do not state their followers. */
export const UNKNOWN_BAND = -1;

const PRICE_SIDES = ['asking', 'sold'] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];
const PRICE_METRICS = ['price', 'per_1k'] as const;
export type PriceMetric = (typeof PRICE_METRICS)[number];

/** Listings by micro-dollars, in logarithmic bins (`kernel/log-bins.ts`). */
export const priceCountTable = defineSums(
  'price_counts',
  {
    platform: name(platformSchema),
    band: int4(),
    side: name(z.enum(PRICE_SIDES)),
    metric: name(z.enum(PRICE_METRICS)),
    bin: int4(),
    n: int8(),
  },
  { key: ['platform', 'band', 'side', 'metric', 'bin'], sums: ['n'] },
);
export type PriceCountRow = RowOf<typeof priceCountTable>;

/** Sold listings by the seconds from listing to sale, of a platform or a seller. */
export const saleTimeTable = defineSums(
  'sale_times',
  { scope: name(z.enum(['platform', 'seller'])), name: name(), bin: int4(), n: int8() },
  { key: ['scope', 'name', 'bin'], sums: ['n'] },
);
export type SaleTimeRow = RowOf<typeof saleTimeTable>;

/** Placements by micro-dollars a thousand views. */
export const cpmCountTable = defineSums(
  'cpm_counts',
  { platform: name(platformSchema), bin: int4(), n: int8() },
  { key: ['platform', 'bin'], sums: ['n'] },
);
export type CpmCountRow = RowOf<typeof cpmCountTable>;

/**
 * Statement for rows of listings or placements by an array of IDs. The lateral join forces an index look-up per ID: a cached
 * plan of `= any($1)` from when the table was small compares every row with every ID.
 */
export const byId = (schema: string, table: string, ids: readonly string[]): Statement => sql`
  select r.* from unnest(${ids}::text[]) as wanted (id)
  cross join lateral (select * from ${ident(schema)}.${ident(table)} where id = wanted.id offset 0) r`;

/** Sort unknown values after all others. */
const NO_PRICE = '9000000000000000000';
const BELOW_PRICES = '-1';

/** Sort keys of listings. Readers repeat the expressions of the indexes verbatim. */
export const LISTING_SORT_KEYS = {
  recent: { by: 'observed_at', isDescending: true },
  price: { by: `coalesce(price, ${NO_PRICE})`, isDescending: false },
  price_desc: { by: `coalesce(price, ${BELOW_PRICES})`, isDescending: true },
  price_per_1k_followers: { by: `coalesce(price_per_1k, ${NO_PRICE})`, isDescending: false },
  followers: { by: `coalesce(followers, ${BELOW_PRICES})`, isDescending: true },
} as const;

/** Micro-dollars that a follower ever cost: a price beyond them is of something else, or of nothing. */
const FOLLOWER_COST = { least: 1, most: 1_000_000_000 } as const;

/** Of a listing that prices are compared with: its price, and the time at which it was sold, or offered first. */
const COMPARED = {
  sold: { price: 'sold_price', at: 'coalesce(sold_at, observed_at)' },
  active: { price: 'price', at: 'coalesce(listed_at, published_at)' },
} as const;

export const COMPARED_SIDES = Object.keys(COMPARED) as (keyof typeof COMPARED)[];

/** Expressions of listings that prices are compared with, as those of sort keys. */
export const comparedListings = (side: keyof typeof COMPARED) => {
  const { price, at } = COMPARED[side];
  const day = `((${at} at time zone 'UTC')::date)`;
  /** A listing without a seller is of one by itself. */
  const seller = 'coalesce(seller, id)';
  return {
    price,
    at,
    day,
    seller,
    /** Whatever a seller sold or offered in a day, in an order that no seller chooses. */
    lot: `md5(${seller} || ' ' || (${day} - date '2000-01-01')::text)`,
    isPriced: `status = '${side}' and ${price} is not null and followers > 0`,
    isCompared: `status = '${side}' and ${price} / nullif(followers, 0) between ${FOLLOWER_COST.least} and ${FOLLOWER_COST.most}`,
  };
};

const comparedIndexes = (schema: string): string =>
  COMPARED_SIDES.map((side) => {
    const { day, lot, isCompared } = comparedListings(side);
    return `create index on ${schema}.listings (${day} desc, (${lot}), id) where ${isCompared};`;
  }).join('\n');

export const tables = (schema: string): string =>
  createTables(schema, [
    listingTable,
    placementTable,
    sourceTable,
    sellerTable,
    totalTable,
    priceCountTable,
    saleTimeTable,
    cpmCountTable,
  ]);

/** In each sort order, of all listings and of a seller's. */
const sortIndexes = (schema: string): string =>
  Object.values(LISTING_SORT_KEYS)
    .flatMap(({ by, isDescending }) => {
      const direction = isDescending ? ' desc' : '';
      const columns = `status, ${by}${direction}, id${direction}`;
      return [
        `create index on ${schema}.listings (${columns});`,
        `create index on ${schema}.listings (seller, ${columns}) where seller is not null;`,
      ];
    })
    .join('\n');

export const indexes = (schema: string): string => `
${sortIndexes(schema)}
${comparedIndexes(schema)}
create index on ${schema}.listings (seller, observed_at desc, id desc) where seller is not null;
create index on ${schema}.listings (source, id) where status = 'active';
create index on ${schema}.placements (platform, handle);
create index on ${schema}.placements (platform, observed_at);
create index on ${schema}.sellers (active desc, seller desc);
create index on ${schema}.sellers (sold desc, seller desc);
create index on ${schema}.sellers (volume desc, seller desc);
`;
