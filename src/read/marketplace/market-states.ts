import { errorMessage } from '../../kernel/errors/error-message.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import type { Table } from '../../projections/table/table.ts';
import {
  byId,
  type ListingRow,
  listingTable,
  type PlacementRow,
  placementTable,
} from '../../projections/views/listings/tables.ts';
import type { ListingState, PlacementState } from '../../write/marketplace/decide.ts';
import type { Seller } from '../../write/marketplace/events.ts';
import type { MarketSnapshots, OfferSnapshot } from '../../write/marketplace/snapshot.ts';
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

/** States of offers out of the read model; none while it can't be read, since the streams decide then. */
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
