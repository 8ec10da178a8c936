import { accountFiguresOf, FIGURES_WINDOW_DAYS } from '../../src/analysis/account-figures.ts';
import { engagementFigures, persistencesOf } from '../../src/analysis/engagement.ts';
import {
  type Comparable,
  fitPrices,
  POST_PRICE_WINDOW_DAYS,
  type PricedAccount,
  placementLaw,
  postPriceOf,
  valueAccount,
} from '../../src/analysis/market.ts';
import { type Sample, sampleOf } from '../../src/analysis/sample.ts';
import { binOf } from '../../src/kernel/log-bins.ts';
import { PLATFORMS, type Platform } from '../simulator/simulated-platforms.ts';
import type { Listing } from '../simulator/world/market.ts';
import type { World } from '../simulator/world/world.ts';
import { AT } from './observed.ts';
import { readAccount } from './readings.ts';

const DAY = 86_400_000;
const YEAR = 365.25 * DAY;
/** All offers have ended by then. */
const EVER = AT + 3_000 * DAY;
/** Platforms whose pages state when an account was created. */
const STATE_AGE: ReadonlySet<Platform> = new Set(['x', 'youtube', 'telegram', 'bluesky']);
/** Platforms whose pages show the views of posts. */
const SHOW_VIEWS: readonly Platform[] = ['x', 'tiktok', 'youtube', 'telegram'];
const HAVE_POSTS: ReadonlySet<Platform> = new Set(PLATFORMS.filter((platform) => platform !== 'linkedin'));

/** A price that was paid beside the one that was stated for it. */
export interface Priced {
  readonly figure: 'valuation' | 'post_price';
  readonly platform: Platform;
  /** ln of the stated middle by the price paid. */
  readonly error: number;
  readonly isCovered: boolean;
}

export interface MarketMeasured {
  readonly priced: readonly Priced[];
  /** Sales, and posts, that had insufficient data. */
  readonly lacking: Readonly<Record<Priced['figure'], number>>;
}

export interface MarketOptions {
  /** Sales of a platform that are known, those that are judged, and placements that are judged. */
  readonly known: number;
  readonly judged: number;
  readonly placements: number;
  readonly onPlatform?: () => void;
}

/** Posts of an account as one reading at that time leaves them; null if it shows none. */
const sampleAt = (
  world: World,
  platform: Platform,
  index: number,
  at: number,
  days: number,
): Sample | null => {
  if (!HAVE_POSTS.has(platform) || world.account(platform, index, at).status !== 'active') return null;
  const { posts } = readAccount(world, platform, index, {
    anchorMs: at,
    fromMs: at - DAY,
    interval: 2 * DAY,
  });
  return sampleOf([...posts.digest.values()], {
    platform,
    anchorMs: at,
    windowDays: days,
    span: posts.span,
  });
};

/** What the catalog knows of an account that explains its price. */
const pricedAt = (
  world: World,
  { platform, index }: Pick<Listing, 'platform' | 'index'>,
  { followers, soldAt, readAt }: { followers: number; soldAt: number; readAt: number },
): PricedAccount => {
  const { createdAt } = world.hidden.traits(platform, index);
  const sample = sampleAt(world, platform, index, readAt, FIGURES_WINDOW_DAYS);
  return {
    platform,
    followers,
    ageYears: STATE_AGE.has(platform) ? Math.max(0, (soldAt - createdAt) / YEAR) : null,
    engagementRate: sample === null ? null : accountFiguresOf(sample).engagement_rate_followers,
  };
};

const followersAt = (
  world: World,
  { platform, index }: Pick<Listing, 'platform' | 'index'>,
  at: number,
): number => Math.floor(world.hidden.followers(platform, index, at));

const salesOf = (
  world: World,
): readonly (Listing & { readonly soldAt: number; readonly soldMicroUsd: number })[] => {
  const sales: (Listing & { readonly soldAt: number; readonly soldMicroUsd: number })[] = [];
  for (let number = 0; number < world.market.listings; number++) {
    const listing = world.market.listing(number, EVER);
    if (listing === null || listing.soldAt === null || listing.soldMicroUsd === null) continue;
    if (followersAt(world, listing, listing.listedAt) > 0)
      sales.push({ ...listing, soldAt: listing.soldAt, soldMicroUsd: listing.soldMicroUsd });
  }
  return sales.sort((a, b) => a.soldAt - b.soldAt);
};

/** The last sales of each platform, as the catalog knows them. */
export const knownSales = (world: World, known: number): readonly Comparable[] => {
  const sales = salesOf(world).filter(({ soldAt }) => soldAt <= AT);
  return PLATFORMS.flatMap((platform) =>
    sales
      .filter((sale) => sale.platform === platform)
      .slice(-known)
      .map((sale): Comparable => {
        const followers = followersAt(world, sale, sale.listedAt);
        const { soldAt, soldMicroUsd: price } = sale;
        return { ...pricedAt(world, sale, { followers, soldAt, readAt: AT }), price };
      }),
  );
};

const measureSales = (world: World, { known, judged }: MarketOptions): MarketMeasured => {
  const sales = salesOf(world);
  const of = (platform: Platform) => sales.filter((sale) => sale.platform === platform);
  const comparables = knownSales(world, known);
  const law = fitPrices(comparables);
  const priced: Priced[] = [];
  let valuation = 0;
  for (const platform of PLATFORMS)
    for (const sale of of(platform)
      .filter(({ soldAt }) => soldAt > AT)
      .slice(0, judged)) {
      const { soldAt, soldMicroUsd: price } = sale;
      const followers = followersAt(world, sale, soldAt);
      if (followers === 0) continue;
      const account = pricedAt(world, sale, { followers, soldAt, readAt: soldAt });
      const value = law === null ? null : valueAccount(law, account);
      if (value === null) valuation += 1;
      else
        priced.push({
          figure: 'valuation',
          platform,
          error: Math.log(value.mid / price),
          isCovered: value.low <= price && price <= value.high,
        });
    }
  return { priced, lacking: { valuation, post_price: 0 } };
};

const measurePosts = (world: World, { known, placements: judged }: MarketOptions): MarketMeasured => {
  const all = Array.from({ length: world.market.placements }, (_, n) => world.market.placement(n, EVER))
    .filter((placement) => placement !== null)
    .sort((a, b) => a.at - b.at);
  const priced: Priced[] = [];
  let lacking = 0;
  for (const platform of SHOW_VIEWS) {
    const own = all.filter((placement) => placement.platform === platform);
    const counts = new Map<number, number>();
    for (const { priceMicroUsd, views } of own.filter(({ at }) => at <= AT)) {
      const bin = binOf((priceMicroUsd * 1_000) / views);
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
    }
    const stated = [...counts].map(([bin, n]) => ({ bin, n })).sort((a, b) => a.bin - b.bin);
    const ratios = own
      .filter(({ at }) => at <= AT)
      .slice(-known)
      .flatMap(({ index, views }) => {
        const sample = sampleAt(world, platform, index, AT, FIGURES_WINDOW_DAYS);
        const found = sample === null ? null : accountFiguresOf(sample).median_views;
        return found === null || found === 0 ? [] : [views / found];
      });
    const law = placementLaw(stated, ratios);
    for (const { index, at, priceMicroUsd: price } of own.filter((one) => one.at > AT).slice(0, judged)) {
      const sample = sampleAt(world, platform, index, at, POST_PRICE_WINDOW_DAYS);
      const views = sample === null ? null : engagementFigures(sample, persistencesOf()).views;
      const found = views === null || law === null ? null : postPriceOf(law, views);
      if (found === null) lacking += 1;
      else
        priced.push({
          figure: 'post_price',
          platform,
          error: Math.log(found.mid / price),
          isCovered: found.low <= price && price <= found.high,
        });
    }
  }
  return { priced, lacking: { valuation: 0, post_price: lacking } };
};

/** Prices stated by what was sold and placed until a time, beside those of what followed. */
export const measureMarket = (world: World, options: MarketOptions): MarketMeasured => {
  const [sales, posts] = [measureSales(world, options), measurePosts(world, options)];
  return {
    priced: [...sales.priced, ...posts.priced],
    lacking: { valuation: sales.lacking.valuation, post_price: posts.lacking.post_price },
  };
};
