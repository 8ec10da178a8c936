import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { quantileOf } from '../../kernel/log-bins.ts';
import type { Platform } from '../../kernel/platform.ts';
import { columnsExcept, rowSchemaOf } from '../../projections/table/table.ts';
import {
  LISTING_SORT_KEYS,
  listingTable,
  saleTimeTable,
  sellerTable,
  sourceTable,
} from '../../projections/views/listings/tables.ts';
import type { ListingStatus } from '../../write/marketplace/listing.ts';
import type { Builds } from '../active-builds.ts';
import { columnList, verbatim } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import { type ListReads, scan } from '../lists.ts';

/** A listing as readers see it. Prices are micro-dollars. */
export interface ShownListing {
  readonly id: string;
  readonly platform: Platform;
  readonly handle: string | null;
  readonly title: string | null;
  readonly followers: number | null;
  readonly price: bigint | null;
  readonly pricePer1k: bigint | null;
  readonly seller: { readonly id: string; readonly name: string | null } | null;
  readonly status: ListingStatus;
  readonly listedAt: string | null;
  readonly soldAt: string | null;
  readonly soldPrice: bigint | null;
  readonly observedAtMs: number;
  /** When it was last confirmed: by a change, or while it is active by a sweep of its source. */
  readonly confirmedAtMs: number;
  readonly url: string | null;
}

export type ListingSort = keyof typeof LISTING_SORT_KEYS;
export const LISTING_SORTS = Object.keys(LISTING_SORT_KEYS) as [ListingSort, ...ListingSort[]];

export interface ListingFilters {
  readonly status: ListingStatus;
  readonly platform?: Platform | undefined;
  readonly seller?: string | undefined;
  /** Micro-dollars. */
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly minFollowers?: number | undefined;
  readonly maxFollowers?: number | undefined;
}

const positionSchema = z.object({ id: z.string(), rank: z.union([z.string(), z.number()]) });

const COLUMNS = columnsExcept(listingTable, ['id', 'published_at', 'revision']);

const rowSchema = positionSchema.extend(rowSchemaOf(listingTable, COLUMNS).shape);

type Row = z.output<typeof rowSchema>;

const sourceSchema = rowSchemaOf(sourceTable, ['source', 'swept_at']);

/** When each source of some rows was last swept. */
const sweepsOf = async (
  lists: ListReads,
  schema: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, number>> => {
  const sources = [...new Set(rows.map(({ source }) => source))];
  if (sources.length === 0) return new Map();
  const swept = await lists.any(sql.type(sourceSchema)`
    select source, swept_at from ${sql.identifier([schema, 'sources'])}
    where source = any(${sql.array(sources, 'text')})`);
  return new Map(swept.map(({ source, swept_at }) => [source, Date.parse(swept_at)]));
};

const confirmedAt = (row: Row, sweeps: ReadonlyMap<string, number>): number =>
  Math.max(Date.parse(row.observed_at), row.status === 'active' ? (sweeps.get(row.source) ?? 0) : 0);

const exact = (amount: number | string | null): bigint | null => (amount === null ? null : BigInt(amount));

const shownOf = (row: Row, sweeps: ReadonlyMap<string, number>): ShownListing => ({
  id: row.id,
  platform: row.platform,
  handle: row.handle,
  title: row.title,
  followers: row.followers,
  price: exact(row.price),
  pricePer1k: exact(row.price_per_1k),
  seller: row.seller === null ? null : { id: row.seller, name: row.seller_name },
  status: row.status,
  listedAt: row.listed_at,
  soldAt: row.sold_at,
  soldPrice: exact(row.sold_price),
  observedAtMs: Date.parse(row.observed_at),
  confirmedAtMs: confirmedAt(row, sweeps),
  url: row.url,
});

const keyOf = (sort: ListingSort): FragmentSqlToken => verbatim(LISTING_SORT_KEYS[sort].by);

const afterOf = (sort: ListingSort, [rank, id]: CursorPosition): FragmentSqlToken => {
  const { isDescending } = LISTING_SORT_KEYS[sort];
  const by = keyOf(sort);
  const value =
    sort === 'recent' ? sql.fragment`${String(rank)}::timestamptz` : sql.fragment`${String(rank)}::bigint`;
  const last = sql.fragment`(${value}, ${String(id)})`;
  return isDescending ? sql.fragment`(${by}, id) < ${last}` : sql.fragment`(${by}, id) > ${last}`;
};

/** Conditions on the price or followers; those that the sort's index answers are `within` it. */
const boundsOf = (filters: ListingFilters, sort: ListingSort) => {
  const within: FragmentSqlToken[] = [];
  const scanned: FragmentSqlToken[] = [];
  const add = (column: 'price' | 'followers', min: number | undefined, max: number | undefined) => {
    const isSorted = column === 'price' ? sort === 'price' || sort === 'price_desc' : sort === 'followers';
    const by = isSorted ? keyOf(sort) : sql.fragment`${sql.identifier([column])}`;
    const conditions = isSorted ? within : scanned;
    // Unknown values are outside of all bounds.
    if (min !== undefined) conditions.push(sql.fragment`${by} >= ${String(min)}::bigint`);
    if (max !== undefined) conditions.push(sql.fragment`${by} <= ${String(max)}::bigint`);
    if (isSorted && (min !== undefined || max !== undefined))
      scanned.push(sql.fragment`${sql.identifier([column])} is not null`);
  };
  add('price', filters.minPrice, filters.maxPrice);
  add('followers', filters.minFollowers, filters.maxFollowers);
  return { within, scanned };
};

const positionOf = ({ rank, id }: z.output<typeof positionSchema>): CursorPosition => [rank, id];

/** A page of listings: a keyset seek on the sort's index, with a bounded scan for what the index does not answer. */
export const listListings = async (
  lists: ListReads,
  builds: Builds,
  filters: ListingFilters,
  sort: ListingSort,
  limit: number,
  after: CursorPosition | null,
  maxScanned?: number,
): Promise<ListPage<ShownListing>> => {
  const schema = builds.schema('listings');
  const { isDescending } = LISTING_SORT_KEYS[sort];
  const by = keyOf(sort);
  const { within, scanned } = boundsOf(filters, sort);
  within.push(sql.fragment`status = ${filters.status}`);
  if (filters.seller !== undefined) within.push(sql.fragment`seller = ${filters.seller}`);
  if (after !== null) within.push(afterOf(sort, after));
  const table = filters.platform === undefined ? 'listings' : `listings_${filters.platform}`;
  const of = {
    table: sql.fragment`${sql.identifier([schema, table])}`,
    ranked: sql.fragment`, ${by} as rank`,
    rowPosition: sql.fragment`id, rank`,
    columns: COLUMNS,
    row: rowSchema,
    at: positionSchema,
    within,
    filters: scanned,
    order: isDescending ? sql.fragment`${by} desc, id desc` : sql.fragment`${by}, id`,
    orderByName: isDescending ? sql.fragment`rank desc, id desc` : sql.fragment`rank, id`,
  };
  const { rows, end } = await scan(lists, of, limit, maxScanned);
  const sweeps = await sweepsOf(lists, schema, rows);
  const page = pageOf(rows, limit, {
    item: (row) => shownOf(row, sweeps),
    position: positionOf,
    observedMs: (row) => confirmedAt(row, sweeps),
  });
  return { ...page, next: page.next ?? (end === null ? null : positionOf(end)) };
};

/** One listing, whatever its status; null if there is none. */
export const findListing = async (
  lists: ListReads,
  builds: Builds,
  id: string,
): Promise<ShownListing | null> => {
  const schema = builds.schema('listings');
  const [row] = await lists.any(sql.type(rowSchema)`
    select id, 0 as rank, ${columnList(COLUMNS)} from ${sql.identifier([schema, 'listings'])} where id = ${id}`);
  return row === undefined ? null : shownOf(row, await sweepsOf(lists, schema, [row]));
};

/** A seller of the leaderboard. */
export interface ShownSeller {
  readonly id: string;
  /** From the newest of its listings. */
  readonly name: string | null;
  readonly active: number;
  readonly sold: number;
  /** Micro-dollars that were paid, where the price is known; null if no sale has a known price. */
  readonly volume: bigint | null;
  /** Sales with a known price. */
  readonly priced: number;
  readonly medianSaleS: number | null;
}

export const SELLER_SORTS = ['active', 'sold', 'volume'] as const;
export type SellerSort = (typeof SELLER_SORTS)[number];

const SELLER_COLUMNS = ['seller', 'active', 'sold', 'priced', 'volume'] as const;

const sellerSchema = rowSchemaOf(sellerTable, SELLER_COLUMNS).extend({
  name: listingTable.columns.seller_name.schema,
  confirmed_at: listingTable.columns.observed_at.schema.nullable(),
});

type SellerListRow = z.output<typeof sellerSchema>;

const saleTimeSchema = rowSchemaOf(saleTimeTable, ['name', 'bin', 'n']);

const msOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

/** A page of sellers, the highest first: a keyset seek on the sort's index. */
export const listSellers = async (
  lists: ListReads,
  builds: Builds,
  sort: SellerSort,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<ShownSeller>> => {
  const schema = builds.schema('listings');
  const table = (name: string) => sql.identifier([schema, name]);
  const by = sql.fragment`${sql.identifier([sort])}`;
  const type = sort === 'volume' ? sql.fragment`numeric` : sql.fragment`bigint`;
  const within =
    after === null
      ? sql.fragment`true`
      : sql.fragment`(${by}, seller) < (${String(after[0])}::${type}, ${String(after[1])})`;
  const rows = await lists.any(sql.type(sellerSchema)`
    select s.seller, s.active, s.sold, s.priced, s.volume::text as volume, l.seller_name as name,
      -- Its source's last sweep confirms what is older; otherwise what is on sale is as old as its last change.
      greatest(w.swept_at, coalesce(o.observed_at, l.observed_at)) as confirmed_at
    from (select * from ${table('sellers')} where ${within} order by ${by} desc, seller desc limit ${limit + 1}) s
    left join lateral (
      select source, seller_name, observed_at from ${table('listings')} l where l.seller = s.seller
      order by observed_at desc, id desc limit 1
    ) l on true
    left join lateral (
      select observed_at from ${table('listings')} o where o.seller = s.seller and o.status = 'active'
      order by observed_at, id limit 1
    ) o on true
    left join ${table('sources')} w on w.source = l.source
    order by s.${by} desc, s.seller desc`);
  const names = rows.slice(0, limit).map(({ seller }) => seller);
  const times =
    names.length === 0
      ? []
      : await lists.any(sql.type(saleTimeSchema)`
          select name, bin, n from ${table('sale_times')}
          where scope = 'seller' and name = any(${sql.array(names, 'text')})`);
  const timesOf = Map.groupBy(times, ({ name }) => name);
  const rankOf = (row: SellerListRow): string => String(row[sort]);
  return pageOf(rows, limit, {
    item: (row) => ({
      id: row.seller,
      name: row.name,
      active: row.active,
      sold: row.sold,
      priced: row.priced,
      volume: row.priced === 0 && row.sold > 0 ? null : row.volume,
      medianSaleS: medianOf(timesOf.get(row.seller) ?? []),
    }),
    position: (row) => [rankOf(row), row.seller],
    observedMs: (row) => msOf(row.confirmed_at),
  });
};

/** The median even of few sales, since most sellers have no more; null without any. */
const medianOf = (bins: readonly z.output<typeof saleTimeSchema>[]): number | null => {
  const sorted = bins.toSorted((a, b) => a.bin - b.bin);
  const median = quantileOf(sorted, 0.5);
  return median === null ? null : Math.round(median);
};
