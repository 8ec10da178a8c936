import { errorMessage, ServiceError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader, type Table } from '../../projections/table/table.ts';
import {
  byId,
  type ListingRow,
  listingTable,
  type PlacementRow,
  placementTable,
} from '../../projections/views/listings/tables.ts';
import type {
  ListingState,
  MarketSnapshots,
  OfferSnapshot,
  PlacementState,
  Seller,
} from '../../write/marketplace/listing.ts';
import { type Builds, isBuildGone } from '../active-builds.ts';

/** The seller as the source names it. */
const sellerOf = (row: Pick<ListingRow, 'source' | 'seller' | 'seller_name'>): Seller | null =>
  row.seller === null ? null : { id: row.seller.slice(row.source.length + 1), name: row.seller_name };

const listingState = (row: ListingRow): ListingState => ({
  status: row.status,
  observedAt: row.observed_at,
  platform: row.platform,
  details: {
    handle: row.handle,
    title: row.title,
    followers: row.followers,
    seller: sellerOf(row),
    url: row.url,
    listed_at: row.listed_at,
  },
  price: row.price,
  soldAt: row.sold_at,
  soldPrice: row.sold_price,
});

const placementState = (row: PlacementRow): PlacementState => ({
  observedAt: row.observed_at,
  platform: row.platform,
  handle: row.handle,
  price: row.price,
  followers: row.followers,
  views: row.views,
  seller: sellerOf(row),
  url: row.url,
});

/** States of offers from the read model. None while it can't be read: the streams decide then. */
export const createMarketStates = (db: Queryable, builds: Builds, logger: Logger): MarketSnapshots => {
  const find = async <Row extends { readonly id: string; readonly revision: number }, State>(
    table: Table<Row>,
    ids: readonly string[],
    stateOf: (row: Row) => State,
  ): Promise<ReadonlyMap<string, OfferSnapshot<State>>> => {
    try {
      const schema = builds.schema('listings');
      const { rows } = await db.query<DriverRow<Row>>(
        byId(schema, table.name, ids).with({ name: `${schema}.${table.name} states` }),
      );
      return new Map(
        rows
          .map(driverReader(table))
          .map((row) => [row.id, { state: stateOf(row), revision: BigInt(row.revision) }]),
      );
    } catch (error) {
      if (!(error instanceof ServiceError) && !isBuildGone(error)) {
        logger.warn({ err: errorMessage(error) }, 'states of listings unavailable; reading their streams');
      }
      return new Map();
    }
  };
  return {
    listings: (ids) => find(listingTable, ids, listingState),
    placements: (ids) => find(placementTable, ids, placementState),
  };
};

const PAGE = 5_000;

/** An active listing, and whether it was last seen before a time. */
export interface ActiveListing {
  readonly id: string;
  readonly isBefore: boolean;
}

/**
 * The active listings of a source, in pages in the order of their IDs.
 * @param schema of the build of `listings`.
 */
export async function* activeListings(
  db: Queryable,
  schema: string,
  source: string,
  before: string,
): AsyncGenerator<readonly ActiveListing[], void, undefined> {
  for (let after = ''; ; ) {
    const { rows } = await db.query<ActiveListing>(sql.named(`${schema}.listings of a source`)`
      select id, observed_at < ${before} as "isBefore" from ${ident(schema)}.listings
      where source = ${source} and status = 'active' and id > ${after} order by id limit ${raw(PAGE)}`);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? '';
  }
}
