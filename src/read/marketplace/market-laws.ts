import {
  type Comparable,
  fitPrices,
  type PlacementLaw,
  type PriceLaw,
  placementLaw,
} from '../../analysis/market.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type COMPARED_SIDES, comparedListings } from '../../projections/views/listings/tables.ts';
import type { Builds } from '../active-builds.ts';

/** Prices of accounts on a market. Prices paid and prices asked are never mixed. */
export interface AccountPrices {
  /** Null with fewer than ten. */
  readonly sold: PriceLaw | null;
  readonly asking: PriceLaw | null;
  /** Sales of each platform with a known price and known followers. */
  readonly soldOn: ReadonlyMap<Platform, number>;
  /** Newest sales and offers with prices that no follower ever cost, which are not compared. */
  readonly leftOut: { readonly sold: number; readonly asking: number };
  /** Whether a platform has more sales than are compared. */
  readonly isCapped: boolean;
  /** The oldest observation of a comparable, ms since 1970; null without one. */
  readonly oldestMs: number | null;
}

/** Placements of a platform. */
export interface PlacementPrices {
  /** Null with fewer than ten placements that state their views. */
  readonly law: PlacementLaw | null;
  /** Those that state their views. */
  readonly n: number;
  /** The oldest observation of a placement, ms since 1970; null without one. */
  readonly oldestMs: number | null;
}

export interface MarketLaws {
  accounts(): Promise<AccountPrices>;
  placements(platform: Platform): Promise<PlacementPrices>;
  /** Median engagement of an account's posts by followers, as populations have it; null if that is not known. */
  engagementRate(platform: Platform, handle: string): Promise<number | null>;
}

/** Comparables of a platform and side: the newest. */
const COMPARABLES = 500;
/** Comparables of a day, of a seller, and of a seller in a day at most: nobody makes up the sample by himself. */
const OF_A_DAY = 50;
const OF_A_SELLER = 10;
const OF_A_LOT = 3;
/** Comparables that these are chosen from. */
const CHOSEN_FROM = 1_000;
/** Offers among which those are counted that are not compared, and placements that are searched for views. */
const LOOKED_THROUGH = 2_000;
const YEAR_MS = 365.25 * 86_400_000;
/** For how long prices are used. */
const KEPT_MS = 60_000;

type Side = (typeof COMPARED_SIDES)[number];

interface ComparableRow {
  readonly price: string;
  readonly followers: string;
  readonly observed: string;
  readonly at: string;
  readonly created: string | null;
  readonly rate: number | null;
}

interface ComparedSide {
  readonly comparables: readonly (Comparable & { readonly observedMs: number })[];
  /** Newest offers with prices that no follower ever cost. */
  readonly leftOut: number;
  /** Whether there are more than are compared. */
  readonly isCapped: boolean;
}

/**
 * Comparables with what the catalog knows of the account that has the handle: the newest by day, with so many of a day
 * and of a seller at most. Days, and sellers within a day, are found one by one in an index, so that the cost is bounded
 * whatever one of them holds.
 */
const readSide = async (
  db: Queryable,
  builds: Builds,
  platform: Platform,
  side: Side,
): Promise<ComparedSide> => {
  const schema = builds.schema('listings');
  const [accounts, posts] = [builds.schema('accounts'), builds.schema('posts')];
  const { price, at, day, seller, lot, isPriced, isCompared } = comparedListings(side);
  const listings = sql`${ident(schema)}.listings_${ident(platform)}`;
  const { rows } = await db.query<ComparableRow>(sql`
      with recursive days as (
        (select ${raw(day)} as day from ${listings} where ${raw(isCompared)} order by ${raw(day)} desc limit 1)
        union all
        select (select ${raw(day)} from ${listings} where ${raw(isCompared)} and ${raw(day)} < days.day order by ${raw(day)} desc limit 1)
        from days where days.day is not null
      ),
      chosen as (
        select of_day.* from days cross join lateral (
          with recursive lots as (
            (select ${raw(lot)} as lot from ${listings} where ${raw(isCompared)} and ${raw(day)} = days.day order by ${raw(lot)} limit 1)
            union all
            select (select ${raw(lot)} from ${listings} where ${raw(isCompared)} and ${raw(day)} = days.day and ${raw(lot)} > lots.lot
              order by ${raw(lot)} limit 1)
            from lots where lots.lot is not null
          )
          select of_lot.* from lots cross join lateral (
            select id, handle, ${raw(price)} as price, followers, observed_at, ${raw(at)} as at, ${raw(day)} as day,
              ${raw(seller)} as seller
            from ${listings} where ${raw(isCompared)} and ${raw(day)} = days.day and ${raw(lot)} = lots.lot
            order by id limit ${raw(OF_A_LOT)}
          ) of_lot
          limit ${raw(OF_A_DAY)}
        ) of_day
        limit ${raw(CHOSEN_FROM)}
      )
      select l.price, l.followers, l.observed_at as observed, l.at, a.created_at as created,
        f.engagement_rate_followers as rate
      from (
        select * from (
          select *, row_number() over (partition by seller order by day desc, id) as nth from chosen
        ) numbered
        where nth <= ${raw(OF_A_SELLER)} order by day desc, id limit ${raw(COMPARABLES)}
      ) l
      left join ${ident(accounts)}.accounts_${ident(platform)} a on a.platform = ${platform} and a.handle = l.handle
      left join ${ident(posts)}.account_figures_${ident(platform)} f on f.platform = ${platform}
        and f.handle = l.handle`);
  const counted = await db.query<{ compared: number; left_out: number }>(sql`
      select count(*) filter (where ${raw(isCompared)})::int as compared,
        count(*) filter (where ${raw(isPriced)} and not (${raw(isCompared)}))::int as left_out
      from (
        select * from ${listings} where status = ${side} order by observed_at desc, id desc
        limit ${raw(LOOKED_THROUGH)}
      ) newest`);
  const { compared: known = 0, left_out: leftOut = 0 } = counted.rows[0] ?? {};
  return {
    comparables: rows.map(({ price: paid, followers, observed, at: soldAt, created, rate }) => ({
      platform,
      price: Number(paid),
      followers: Number(followers),
      ageYears: created === null ? null : Math.max(0, (Date.parse(soldAt) - Date.parse(created)) / YEAR_MS),
      engagementRate: rate,
      observedMs: Date.parse(observed),
    })),
    leftOut,
    isCapped: known > rows.length,
  };
};

const readAccounts = async (db: Queryable, builds: Builds): Promise<AccountPrices> => {
  const sideOf = async (side: Side) => {
    const all = await Promise.all(PLATFORMS.map((platform) => readSide(db, builds, platform, side)));
    return {
      comparables: all.flatMap(({ comparables }) => comparables),
      leftOut: all.reduce((sum, { leftOut }) => sum + leftOut, 0),
      isCapped: all.some(({ isCapped }) => isCapped),
    };
  };
  const sold = await sideOf('sold');
  const asking = await sideOf('active');
  return {
    sold: fitPrices(sold.comparables),
    asking: fitPrices(asking.comparables),
    soldOn: new Map(
      [...Map.groupBy(sold.comparables, ({ platform }) => platform)].map(([platform, own]) => [
        platform,
        own.length,
      ]),
    ),
    leftOut: { sold: sold.leftOut, asking: asking.leftOut },
    isCapped: sold.isCapped,
    oldestMs: sold.comparables.reduce<number | null>(
      (oldest, { observedMs }) => Math.min(oldest ?? observedMs, observedMs),
      null,
    ),
  };
};

const readPlacements = async (
  db: Queryable,
  builds: Builds,
  platform: Platform,
): Promise<PlacementPrices> => {
  const [schema, posts] = [builds.schema('listings'), builds.schema('posts')];
  const { rows } = await db.query<{ bin: number; n: string }>(sql.named(`${schema} cpms`)`
    select bin, n from ${ident(schema)}.cpm_counts where platform = ${platform} and n > 0 order by bin`);
  const oldest = await db.query<{ at: string }>(sql.named(`${schema} oldest placement`)`
    select observed_at as at from ${ident(schema)}.placements where platform = ${platform} order by observed_at
      limit 1`);
  const measured = await db.query<{ ratio: number }>(sql`
    select p.views / f.median_views as ratio
    from (
      select views, handle from ${ident(schema)}.placements where platform = ${platform} order by observed_at desc
        limit ${raw(LOOKED_THROUGH)}
    ) p
    join ${ident(posts)}.account_figures_${ident(platform)} f on f.platform = ${platform} and f.handle = p.handle
    where f.median_views > 0 and p.views > 0`);
  const stated = rows.map(({ bin, n }) => ({ bin, n: Number(n) }));
  return {
    law: placementLaw(
      stated,
      measured.rows.map(({ ratio }) => ratio),
    ),
    n: stated.reduce((sum, { n }) => sum + n, 0),
    oldestMs: oldest.rows[0] === undefined ? null : Date.parse(oldest.rows[0].at),
  };
};

/** Laws of prices, fitted at most once a minute. They are the same for all callers. */
export const createMarketLaws = (db: Queryable, builds: Builds): MarketLaws => {
  const known = new Map<string, { readonly untilMs: number; readonly found: Promise<unknown> }>();
  const kept = <Found>(key: string, read: () => Promise<Found>): Promise<Found> => {
    const before = known.get(key);
    if (before !== undefined && before.untilMs > elapsedMs()) return before.found as Promise<Found>;
    const found = read();
    known.set(key, { untilMs: elapsedMs() + KEPT_MS, found });
    // A failed read is not kept.
    found.catch(() => known.delete(key));
    return found;
  };
  return {
    accounts: () => {
      const schema = builds.schema('listings');
      return kept(`${schema} accounts`, () => readAccounts(db, builds));
    },
    placements: (platform) => {
      const schema = builds.schema('listings');
      return kept(`${schema} ${platform}`, () => readPlacements(db, builds, platform));
    },
    engagementRate: async (platform, handle) => {
      const schema = builds.schema('posts');
      const { rows } = await db.query<{ rate: number | null }>(sql.named(
        `${schema} engagement rate ${platform}`,
      )`
        select engagement_rate_followers as rate from ${ident(schema)}.account_figures_${ident(platform)}
        where platform = ${platform} and handle = ${handle}`);
      return rows[0]?.rate ?? null;
    },
  };
};
