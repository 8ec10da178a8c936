import { errorMessage } from '../../kernel/errors/error-message.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { byIdSql, type ListingRow, type PlacementRow } from '../../projections/views/listings/tables.ts';
import type { ListingState, PlacementState } from '../../write/marketplace/decide.ts';
import type { Seller } from '../../write/marketplace/observation.ts';
import type { MarketSnapshots, OfferSnapshot } from '../../write/marketplace/snapshot.ts';
import { type Builds, isBuildGone } from '../active-builds.ts';

/** A row as the driver returns it: int8 as text, times as Date. */
type Raw<Row> = { readonly [Name in keyof Row]: unknown };

const iso = (value: unknown): string | null => (value instanceof Date ? value.toISOString() : null);
const number = (value: unknown): number | null => (value === null ? null : Number(value));

/** The seller as the source names it. */
const sellerOf = (row: Pick<ListingRow, 'source' | 'seller' | 'seller_name'>): Seller | null =>
  row.seller === null ? null : { id: row.seller.slice(row.source.length + 1), name: row.seller_name };

const listingState = (raw: Raw<ListingRow>): ListingState => {
  const row = raw as unknown as ListingRow;
  return {
    status: row.status,
    observedAt: iso(raw.observed_at),
    platform: row.platform,
    details: {
      handle: row.handle,
      title: row.title,
      followers: number(raw.followers),
      seller: sellerOf(row),
      url: row.url,
      listed_at: iso(raw.listed_at),
    },
    price: number(raw.price),
    soldAt: iso(raw.sold_at),
    soldPrice: number(raw.sold_price),
  };
};

const placementState = (raw: Raw<PlacementRow>): PlacementState => {
  const row = raw as unknown as PlacementRow;
  return {
    observedAt: iso(raw.observed_at) as string,
    platform: row.platform,
    handle: row.handle,
    price: Number(raw.price),
    followers: number(raw.followers),
    views: number(raw.views),
    seller: sellerOf(row),
    url: row.url,
  };
};

/** States of offers out of the read model; none while it can't be read, since the streams decide then. */
export const createMarketStates = (db: Queryable, builds: Builds, logger: Logger): MarketSnapshots => {
  const find = async <Row extends { readonly id: string; readonly revision: number }, State>(
    table: 'listings' | 'placements',
    ids: readonly string[],
    stateOf: (row: Raw<Row>) => State,
  ): Promise<ReadonlyMap<string, OfferSnapshot<State>>> => {
    try {
      const schema = builds.schema('listings');
      const { rows } = await db.query<Raw<Row>>({
        name: `${schema}.${table} states`,
        text: byIdSql(schema, table),
        values: [ids],
      });
      return new Map(
        rows.map((row) => [
          row.id as string,
          { state: stateOf(row), revision: BigInt(row.revision as string) },
        ]),
      );
    } catch (error) {
      if (!(error instanceof ServiceError) && !isBuildGone(error)) {
        logger.warn({ err: errorMessage(error) }, 'states of listings unavailable; reading their streams');
      }
      return new Map();
    }
  };
  return {
    listings: (ids) => find<ListingRow, ListingState>('listings', ids, listingState),
    placements: (ids) => find<PlacementRow, PlacementState>('placements', ids, placementState),
  };
};
