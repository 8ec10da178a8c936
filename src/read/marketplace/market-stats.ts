import { sql } from 'slonik';
import { z } from 'zod';
import { type BinCount, quantileOf } from '../../kernel/log-bins.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { SIZE_BANDS } from '../../kernel/size-bands.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import {
  cpmCountTable,
  PLACEMENT,
  priceCountTable,
  saleTimeTable,
  totalTable,
} from '../../projections/views/listings/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists.ts';

/** Fewer values give no quantiles. */
export const MIN_VALUES = 10;

/** Quartiles of values in logarithmic bins, within 1 %; null if there are too few. */
export interface Quartiles {
  readonly n: number;
  readonly p25: number | null;
  readonly p50: number | null;
  readonly p75: number | null;
}

/** @param bins in any order. */
const quartilesOf = (bins: readonly BinCount[]): Quartiles => {
  const sorted = bins.toSorted((a, b) => a.bin - b.bin);
  const n = sorted.reduce((sum, each) => sum + each.n, 0);
  if (n < MIN_VALUES) return { n, p25: null, p50: null, p75: null };
  return { n, p25: quantileOf(sorted, 0.25), p50: quantileOf(sorted, 0.5), p75: quantileOf(sorted, 0.75) };
};

/** The market of one platform. Prices are micro-dollars. */
export interface PlatformMarket {
  readonly platform: Platform;
  readonly active: number;
  readonly sold: number;
  readonly withdrawn: number;
  readonly asking: Quartiles;
  readonly paid: Quartiles;
  /** Sum of the known prices paid; null if sales have none. */
  readonly volume: bigint | null;
  /** From listing to sale, in seconds. */
  readonly saleTimeS: Quartiles;
  /** Price of a placement a thousand views. */
  readonly cpm: Quartiles;
}

export interface MarketStats {
  readonly platforms: readonly PlatformMarket[];
  readonly sellers: number;
  readonly placements: number;
  /** When they were last confirmed (`confirmedListingsMs`). */
  readonly confirmedMs: number | null;
}

const totalSchema = rowSchemaOf(totalTable, ['platform', 'status', 'n', 'priced', 'volume']);
const priceSchema = rowSchemaOf(priceCountTable, ['platform', 'side', 'bin', 'n']);
const cpmSchema = rowSchemaOf(cpmCountTable, ['platform', 'bin', 'n']);
const saleTimeSchema = rowSchemaOf(saleTimeTable, ['name', 'bin', 'n']);
const countSchema = z.object({ sellers: z.string().transform(Number) });

/**
 * When the listings were last confirmed, ms since 1970, for the source that was read longest ago: by a sweep, or without one by the
 * oldest listing on sale. Null without listings. Sold and withdrawn listings no longer change.
 */
export const confirmedListingsMs = async (lists: ListReads, builds: Builds): Promise<number | null> => {
  const schema = builds.schema('listings');
  const listings = sql.identifier([schema, 'listings']);
  const sources = sql.identifier([schema, 'sources']);
  // A source's listings on sale are found by its index, a look-up each.
  const [row] = await lists.any(sql.type(
    z.object({ confirmed: z.string().transform(Date.parse).nullable() }),
  )`
    with recursive selling as (
      (select source from ${listings} where status = 'active' order by source limit 1)
      union all
      select (select l.source from ${listings} l where l.status = 'active' and l.source > s.source order by l.source limit 1)
      from selling s where s.source is not null
    ), confirmed as (
      select coalesce(w.swept_at, (select min(observed_at) from ${listings} where status = 'active')) as at
      from selling s left join ${sources} w on w.source = s.source
      where s.source is not null
    )
    select coalesce(
      (select min(at) from confirmed),
      (select max(observed_at) from ${listings} where status = 'sold')) as confirmed`);
  return row?.confirmed ?? null;
};

/** The market as a whole, from counters. */
export const readMarketStats = async (lists: ListReads, builds: Builds): Promise<MarketStats> => {
  const schema = builds.schema('listings');
  const table = (name: string) => sql.identifier([schema, name]);
  const totals = await lists.any(sql.type(totalSchema)`
    select platform, status, n, priced, volume::text as volume from ${table('totals')}`);
  const prices = await lists.any(sql.type(priceSchema)`
    select platform, side, bin, sum(n)::bigint as n from ${table('price_counts')} where metric = 'price' group by 1, 2, 3`);
  const times = await lists.any(sql.type(saleTimeSchema)`
    select name, bin, n from ${table('sale_times')} where scope = 'platform'`);
  const cpms = await lists.any(sql.type(cpmSchema)`select platform, bin, n from ${table('cpm_counts')}`);
  const [counts] = await lists.any(
    sql.type(countSchema)`select count(*) as sellers from ${table('sellers')}`,
  );
  const confirmedMs = await confirmedListingsMs(lists, builds);
  const platforms = PLATFORMS.map((platform): PlatformMarket => {
    const own = <Row extends { readonly platform: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.platform === platform);
    const of = (status: string) => own(totals).find((row) => row.status === status);
    const sold = of('sold');
    return {
      platform,
      active: of('active')?.n ?? 0,
      sold: sold?.n ?? 0,
      withdrawn: of('withdrawn')?.n ?? 0,
      asking: quartilesOf(own(prices).filter(({ side }) => side === 'asking')),
      paid: quartilesOf(own(prices).filter(({ side }) => side === 'sold')),
      volume: sold === undefined ? 0n : sold.priced === 0 ? null : sold.volume,
      saleTimeS: quartilesOf(times.filter(({ name }) => name === platform)),
      cpm: quartilesOf(own(cpms)),
    };
  });
  return {
    platforms,
    sellers: counts?.sellers ?? 0,
    placements: totals.reduce((sum, { status, n }) => (status === PLACEMENT ? sum + n : sum), 0),
    confirmedMs,
  };
};

/** Prices a thousand followers of a platform and a band of followers, in micro-dollars. */
export interface BandPricing {
  readonly platform: Platform;
  readonly minFollowers: number;
  /** Null for the last band. */
  readonly maxFollowers: number | null;
  readonly asking: Quartiles;
  readonly sold: Quartiles;
}

const rowSchema = rowSchemaOf(priceCountTable, ['platform', 'band', 'side', 'bin', 'n']);

/** Prices by platform and band, of those that have any, from counters: the cost does not depend on the listings. */
export const readPricing = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform | undefined,
): Promise<readonly BandPricing[]> => {
  const table = sql.identifier([builds.schema('listings'), 'price_counts']);
  const rows = await lists.any(sql.type(rowSchema)`
    select platform, band, side, bin, n from ${table}
    where metric = 'per_1k' and ${platform === undefined ? sql.fragment`true` : sql.fragment`platform = ${platform}`}`);
  const bands = Map.groupBy(rows, (row) => `${row.platform} ${row.band}`);
  return [...bands.values()]
    .map((own) => {
      const [{ platform: name, band }] = own as [z.output<typeof rowSchema>];
      const next = SIZE_BANDS[band + 1];
      return {
        platform: name,
        minFollowers: SIZE_BANDS[band] ?? 0,
        maxFollowers: next === undefined ? null : next - 1,
        asking: quartilesOf(own.filter(({ side }) => side === 'asking')),
        sold: quartilesOf(own.filter(({ side }) => side === 'sold')),
      };
    })
    .sort((a, b) =>
      a.platform === b.platform ? a.minFollowers - b.minFollowers : a.platform < b.platform ? -1 : 1,
    );
};
