import type { z } from 'zod';
import { isoOf, systemClock } from '../../../kernel/clock.ts';
import { formatUsd } from '../../../kernel/money.ts';
import type { KnownAccount } from '../../../read/accounts.ts';
import { ageS } from '../../../read/age.ts';
import type { ShownListing } from '../../../read/marketplace/listings.ts';
import type { Quartiles } from '../../../read/marketplace/market-stats.ts';
import { measuredAt, olderValues, oldestShownAt } from '../../../write/accounts/profile.ts';
import { type ListingAnswer, type quartilesSchema, usdOf } from '../../contract/schemas/marketplace.ts';
import type { Services } from '../../services.ts';

/** The look-ups of a page share queries. */
export const listingAnswer = async (
  { accounts, adapterOf }: Pick<Services, 'accounts' | 'adapterOf'>,
  listing: ShownListing,
): Promise<AnsweredListing> => {
  const { platform, handle } = listing;
  const by = handle !== null && adapterOf(platform).isBareId(handle) ? 'id' : 'handle';
  const known = handle === null ? null : await accounts.find({ platform, by, value: handle });
  const metricsAtMs = known === null ? null : Date.parse(oldestShownAt(known, shownOf(known)));
  const answer: ListingAnswer = {
    id: listing.id,
    platform,
    handle,
    title: listing.title,
    followers: listing.followers,
    price_usd: usdOf(listing.price),
    price_per_1k_followers: usdOf(listing.pricePer1k),
    seller: listing.seller,
    status: listing.status,
    listed_at: listing.listedAt,
    updated_at: isoOf(listing.observedAtMs),
    sold_at: listing.soldAt,
    sold_price_usd: usdOf(listing.soldPrice),
    url: listing.url,
    verified_metrics:
      known === null || handle === null || metricsAtMs === null
        ? null
        : metricsOf(known, handle, metricsAtMs),
  };
  return {
    listing: answer,
    readAtMs: Math.min(listing.confirmedAtMs, metricsAtMs ?? Number.POSITIVE_INFINITY),
  };
};

/** Quartiles of prices in micro-dollars as dollars. */
export const priceQuartiles = ({ n, p25, p50, p75 }: Quartiles): z.input<typeof quartilesSchema> => {
  const usd = (micro: number | null) =>
    micro === null ? null : formatUsd(BigInt(Math.round(Number(micro.toPrecision(SIGNIFICANT)))));
  return { n, p25: usd(p25), p50: usd(p50), p75: usd(p75) };
};

/** The fields of a listing's account that can change. */
const shownOf = ({ followers, verified, status }: KnownAccount) => ({ followers, verified, status });

const metricsOf = (known: KnownAccount, handle: string, readAtMs: number) => ({
  handle,
  ...shownOf(known),
  created_at: known.created_at,
  observed_at: known.observed_at,
  stale_s: ageS(readAtMs, systemClock.now()),
  ...measuredAt(olderValues(known, shownOf(known))),
});

/** A listing with the catalog's reading of its account, and when the oldest of both was read. */
interface AnsweredListing {
  readonly listing: ListingAnswer;
  readonly readAtMs: number;
}

/** Digits of a quartile: bins are within 1 %, and more digits would claim more. */
const SIGNIFICANT = 3;
