import { binOf } from '../../../kernel/log-bins.ts';
import { versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import {
  type ListingDetails,
  marketIdOf,
  type PlacementDetails,
} from '../../../write/marketplace/listing.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { addSums, upsert } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import {
  byId,
  type CpmCountRow,
  cpmCountTable,
  indexes,
  type ListingRow,
  listingTable,
  PLACEMENT,
  type PlacementRow,
  type PriceCountRow,
  type PriceMetric,
  type PriceSide,
  placementTable,
  priceCountTable,
  type SaleTimeRow,
  type SellerRow,
  type SourceRow,
  saleTimeTable,
  sellerTable,
  sourceTable,
  type TotalRow,
  tables,
  totalTable,
  UNKNOWN_BAND,
} from './tables.ts';

/** Changes of the counters that a batch makes, by their keys. Sums of what rows add: their order has no effect. */
interface Counters {
  readonly sellers: Map<string, SellerRow>;
  readonly totals: Map<string, TotalRow>;
  readonly prices: Map<string, PriceCountRow>;
  readonly saleTimes: Map<string, SaleTimeRow>;
  readonly cpms: Map<string, CpmCountRow>;
}

const noCounters = (): Counters => ({
  sellers: new Map(),
  totals: new Map(),
  prices: new Map(),
  saleTimes: new Map(),
  cpms: new Map(),
});

/** A price in micro-dollars by a thousand followers or views, rounded to micro-dollars; null for none of them. */
const perThousand = (price: number | null, n: number | null): string | null => {
  if (price === null || n === null || n === 0) return null;
  const divisor = BigInt(n);
  return String((BigInt(price) * 1_000n + divisor / 2n) / divisor);
};

const bandOf = (followers: number | null): number =>
  followers === null ? UNKNOWN_BAND : sizeBandOf(followers);

type Sign = 1 | -1;

const addPrice = (counters: Counters, row: ListingRow, side: PriceSide, price: number, sign: Sign): void => {
  const { platform, followers } = row;
  const band = bandOf(followers);
  const add = (metric: PriceMetric, value: number) => {
    const bin = binOf(value);
    const key = `${platform} ${band} ${side} ${metric} ${bin}`;
    const n = (counters.prices.get(key)?.n ?? 0) + sign;
    counters.prices.set(key, { platform, band, side, metric, bin, n });
  };
  add('price', price);
  const per1k = perThousand(price, followers);
  if (per1k !== null) add('per_1k', Number(per1k));
};

/** Seconds from listing to sale; null unless the source states both, in this order. */
const saleTimeS = ({ status, listed_at, sold_at }: ListingRow): number | null => {
  if (status !== 'sold' || listed_at === null || sold_at === null || sold_at < listed_at) return null;
  return Math.round((Date.parse(sold_at) - Date.parse(listed_at)) / 1_000);
};

const addSaleTime = (
  counters: Counters,
  scope: SaleTimeRow['scope'],
  name: string,
  bin: number,
  sign: Sign,
): void => {
  const key = `${scope} ${name} ${bin}`;
  counters.saleTimes.set(key, { scope, name, bin, n: (counters.saleTimes.get(key)?.n ?? 0) + sign });
};

const addTotal = (
  { totals }: Counters,
  platform: string,
  status: string,
  n: Sign,
  priced: number,
  volume: bigint,
): void => {
  const key = `${platform} ${status}`;
  const total = totals.get(key) ?? { platform, status, n: 0, priced: 0, volume: 0n };
  totals.set(key, { ...total, n: total.n + n, priced: total.priced + priced, volume: total.volume + volume });
};

/** Adds what a listing contributes to the counters, or takes it out again. */
const countListing = (counters: Counters, row: ListingRow, sign: Sign): void => {
  const { platform, status, seller, price, sold_price } = row;
  const known = status === 'active' ? price : status === 'sold' ? sold_price : null;
  const priced = known === null ? 0 : sign;
  const volume = known === null ? 0n : BigInt(sign) * BigInt(known);
  addTotal(counters, platform, status, sign, priced, volume);
  if (known !== null) addPrice(counters, row, status === 'sold' ? 'sold' : 'asking', known, sign);
  if (seller !== null && status !== 'withdrawn') {
    const isSold = status === 'sold';
    const own = counters.sellers.get(seller) ?? { seller, active: 0, sold: 0, priced: 0, volume: 0n };
    counters.sellers.set(seller, {
      seller,
      active: own.active + (isSold ? 0 : sign),
      sold: own.sold + (isSold ? sign : 0),
      priced: own.priced + (isSold ? priced : 0),
      volume: own.volume + (isSold ? volume : 0n),
    });
  }
  const seconds = saleTimeS(row);
  if (seconds === null) return;
  const bin = binOf(seconds);
  addSaleTime(counters, 'platform', platform, bin, sign);
  if (seller !== null) addSaleTime(counters, 'seller', seller, bin, sign);
};

const countPlacement = (counters: Counters, { platform, price, views }: PlacementRow, sign: Sign): void => {
  addTotal(counters, platform, PLACEMENT, sign, sign, BigInt(sign) * BigInt(price));
  const cpm = perThousand(price, views);
  if (cpm === null) return;
  const bin = binOf(Number(cpm));
  const key = `${platform} ${bin}`;
  counters.cpms.set(key, { platform, bin, n: (counters.cpms.get(key)?.n ?? 0) + sign });
};

/** The rows that a batch changes, by ID, undefined where one was erased, and the counters. */
interface State {
  readonly listings: Map<string, ListingRow | undefined>;
  readonly changedListings: Set<string>;
  readonly placements: Map<string, PlacementRow | undefined>;
  readonly changedPlacements: Set<string>;
  readonly sources: Map<string, SourceRow>;
  counters: Counters;
}

const noState = (): State => ({
  listings: new Map(),
  changedListings: new Set(),
  placements: new Map(),
  changedPlacements: new Set(),
  sources: new Map(),
  counters: noCounters(),
});

const putListing = (state: State, id: string, row: ListingRow | undefined): void => {
  const before = state.listings.get(id);
  if (before !== undefined) countListing(state.counters, before, -1);
  if (row !== undefined) countListing(state.counters, row, 1);
  state.listings.set(id, row);
  state.changedListings.add(id);
};

const putPlacement = (state: State, id: string, row: PlacementRow | undefined): void => {
  const before = state.placements.get(id);
  if (before !== undefined) countPlacement(state.counters, before, -1);
  if (row !== undefined) countPlacement(state.counters, row, 1);
  state.placements.set(id, row);
  state.changedPlacements.add(id);
};

type Changes = Partial<Omit<ListingRow, 'id' | 'platform' | 'source' | 'revision' | 'price_per_1k'>>;

/** Changes a published listing. */
const change = (
  state: State,
  { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
  changes: Changes & { readonly observed_at: string },
): void => {
  const before = state.listings.get(marketIdOf(stream));
  if (before === undefined) return;
  const row = { ...before, ...changes, revision: Number(revision) };
  putListing(state, row.id, { ...row, price_per_1k: perThousand(row.price, row.followers) });
};

/** Details as columns. */
const columnsOf = <Of extends ListingDetails | PlacementDetails>(
  source: string,
  { seller, ...rest }: Of,
) => ({
  ...rest,
  seller: seller === null ? null : `${source}:${seller.id}`,
  seller_name: seller?.name ?? null,
});

const handlers = {
  ListingPublished: (state, { stream, data, revision }) => {
    const { observed_at, source, native: _, platform, price, ...details } = data;
    const id = marketIdOf(stream);
    const before = state.listings.get(id);
    // A listing remains on its platform: its row and its counters are there.
    if (before !== undefined && before.platform !== platform) return;
    putListing(state, id, {
      platform,
      id,
      source,
      price,
      price_per_1k: perThousand(price, details.followers),
      ...columnsOf(source, details),
      status: 'active',
      published_at: before?.published_at ?? observed_at,
      observed_at,
      sold_at: null,
      sold_price: null,
      revision: Number(revision),
    });
  },
  ListingRevised: (state, event) => {
    const { observed_at, ...details } = event.data;
    const listing = state.listings.get(marketIdOf(event.stream));
    if (listing !== undefined) change(state, event, { observed_at, ...columnsOf(listing.source, details) });
  },
  ListingRepriced: (state, event) =>
    change(state, event, { observed_at: event.data.observed_at, price: event.data.price }),
  ListingSold: (state, event) => {
    const { observed_at, sold_at, price } = event.data;
    change(state, event, { observed_at, status: 'sold', sold_at, sold_price: price });
  },
  ListingWithdrawn: (state, event) =>
    change(state, event, { observed_at: event.data.observed_at, status: 'withdrawn' }),
  MarketplaceSwept: ({ sources }, { data }) => {
    sources.set(data.source, { source: data.source, swept_at: data.observed_at });
  },
  PlacementListed: (state, { stream, data, revision }) => {
    const { observed_at, source, native: _, platform, handle, price, ...details } = data;
    const id = marketIdOf(stream);
    putPlacement(state, id, {
      id,
      source,
      platform,
      handle,
      price,
      ...columnsOf(source, details),
      observed_at,
      revision: Number(revision),
    });
  },
  ListingErased: (state, { stream }) => {
    const id = marketIdOf(stream);
    putListing(state, id, undefined);
    putPlacement(state, id, undefined);
  },
} satisfies Handlers<State>;

const apply = dispatch(handlers);

/** Rows cached between batches. */
const MAX_KEPT = 20_000;

const listingOfRow = driverReader(listingTable);
const placementOfRow = driverReader(placementTable);

/** IDs whose rows the events change and that are not in memory; none of streams that begin with these events. */
const missing = (events: readonly RecordedEvent[], kept: { has(id: string): boolean }): readonly string[] => {
  const ids = new Map<string, boolean>();
  for (const { stream, revision } of events) {
    const id = marketIdOf(stream);
    if (!ids.has(id)) ids.set(id, revision > 0n && !kept.has(id));
  }
  return [...ids].filter(([, isMissing]) => isMissing).map(([id]) => id);
};

/** Deletes changed rows that are no more. */
const erase = async (
  db: Queryable,
  schema: string,
  table: 'listings' | 'placements',
  changed: ReadonlySet<string>,
  rows: ReadonlyMap<string, unknown>,
): Promise<void> => {
  const erased = [...changed].filter((id) => rows.get(id) === undefined);
  if (erased.length === 0) return;
  await db.query(sql`delete from ${ident(schema)}.${ident(table)} where id = any(${erased})`);
};

const open = (schema: string): Fold => {
  let state = noState();
  const load = async <Row extends { readonly id: string }>(
    db: Queryable,
    table: 'listings' | 'placements',
    ids: readonly string[],
    rowOf: (row: DriverRow<Row>) => Row,
    into: Map<string, Row | undefined>,
  ) => {
    if (ids.length === 0) return;
    const { rows } = await db.query<DriverRow<Row>>(
      byId(schema, table, ids).with({ name: `load ${schema}.${table}` }),
    );
    for (const row of rows.map(rowOf)) into.set(row.id, row);
  };
  return {
    load: async (db, events) => {
      const { listings, placements } = state;
      if (listings.size > MAX_KEPT) listings.clear();
      if (placements.size > MAX_KEPT) placements.clear();
      const isPlacement = ({ type }: RecordedEvent) => type === 'PlacementListed';
      const isErasure = ({ type }: RecordedEvent) => type === 'ListingErased';
      const ofListings = events.filter((event) => !isPlacement(event) && event.type !== 'MarketplaceSwept');
      const ofPlacements = events.filter((event) => isPlacement(event) || isErasure(event));
      await load(db, 'listings', missing(ofListings, listings), listingOfRow, listings);
      await load(db, 'placements', missing(ofPlacements, placements), placementOfRow, placements);
    },
    apply: (event) => apply(state, event),
    store: async (db) => {
      const { listings, changedListings, placements, changedPlacements, sources, counters } = state;
      const rowsOf = <Row>(ids: ReadonlySet<string>, rows: ReadonlyMap<string, Row | undefined>) =>
        [...ids].flatMap((id) => rows.get(id) ?? []);
      await erase(db, schema, 'listings', changedListings, listings);
      await erase(db, schema, 'placements', changedPlacements, placements);
      await upsert(db, schema, listingTable, rowsOf(changedListings, listings));
      await upsert(db, schema, placementTable, rowsOf(changedPlacements, placements));
      await upsert(db, schema, sourceTable, [...sources.values()]);
      await addSums(db, schema, sellerTable, [...counters.sellers.values()]);
      await addSums(db, schema, totalTable, [...counters.totals.values()]);
      await addSums(db, schema, priceCountTable, [...counters.prices.values()]);
      await addSums(db, schema, saleTimeTable, [...counters.saleTimes.values()]);
      await addSums(db, schema, cpmCountTable, [...counters.cpms.values()]);
      changedListings.clear();
      changedPlacements.clear();
      sources.clear();
      state.counters = noCounters();
    },
    reset: () => {
      state = noState();
    },
  };
};

/** The marketplace: listings and placements, their sellers, and counters from which prices and medians are read. */
export const listings: Projection = {
  name: 'listings',
  version: versionPerPlatform(3),
  order: 'stream',
  types: typesOf(handlers),
  forgets: handlers.ListingErased,
  streamPrefixes: ['listing-'],
  parks: ['listing-'],
  tables,
  indexes,
  open,
};
