import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { LISTING_SORT_KEYS, listingTable, sourceTable } from '../../projections/views/listings/tables.ts';
import type { ListingStatus } from '../../write/marketplace/observation.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';
import { columnList, verbatim } from '../verbatim.ts';

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
  /** When it was last seen to be so: by a change, or a sweep of its source while it is active. */
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
    // Unknown values are within no bounds.
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
