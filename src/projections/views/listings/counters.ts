import { binOf } from '../../../kernel/log-bins.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import {
  type CpmCountRow,
  type ListingRow,
  PLACEMENT,
  type PlacementRow,
  type PriceCountRow,
  type PriceMetric,
  type PriceSide,
  type SaleTimeRow,
  type SellerRow,
  type TotalRow,
  UNKNOWN_BAND,
} from './tables.ts';

/** Changes of the counters that a batch makes, by their keys. Sums of what rows add: their order has no effect. */
export interface Counters {
  readonly sellers: Map<string, SellerRow>;
  readonly totals: Map<string, TotalRow>;
  readonly prices: Map<string, PriceCountRow>;
  readonly saleTimes: Map<string, SaleTimeRow>;
  readonly cpms: Map<string, CpmCountRow>;
}

export const noCounters = (): Counters => ({
  sellers: new Map(),
  totals: new Map(),
  prices: new Map(),
  saleTimes: new Map(),
  cpms: new Map(),
});

/** A price in micro-dollars by a thousand followers or views, rounded to micro-dollars; null for none of them. */
export const perThousand = (price: number | null, n: number | null): string | null => {
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
export const countListing = (counters: Counters, row: ListingRow, sign: Sign): void => {
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

export const countPlacement = (
  counters: Counters,
  { platform, price, views }: PlacementRow,
  sign: Sign,
): void => {
  addTotal(counters, platform, PLACEMENT, sign, sign, BigInt(sign) * BigInt(price));
  const cpm = perThousand(price, views);
  if (cpm === null) return;
  const bin = binOf(Number(cpm));
  const key = `${platform} ${bin}`;
  counters.cpms.set(key, { platform, bin, n: (counters.cpms.get(key)?.n ?? 0) + sign });
};
