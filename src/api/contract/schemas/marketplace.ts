import { z } from 'zod';
import { isoOf } from '../../../kernel/clock.ts';
import { formatUsd, parseUsd } from '../../../kernel/money.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { ageS } from '../../../read/age.ts';
import type { Quartiles } from '../../../read/marketplace/bins.ts';
import type { ShownListing } from '../../../read/marketplace/listings.ts';
import type { Services } from '../../services.ts';
import { text } from '../parse-request.ts';

const instant = z.iso.datetime();
const count = z.int().nonnegative();

/** An amount of dollars as exact decimal text. */
const dollars = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .describe('US dollars, exact.');

/** Less than a billion, which no price exceeds by much. */
const DOLLARS = '^[0-9]{1,9}(?:[.][0-9]{1,6})?$';

/** An amount of dollars in a query string, parsed into micro-dollars. */
export const dollarAmount = () =>
  z
    .string()
    .regex(
      new RegExp(DOLLARS),
      'must be an amount below a billion dollars with at most six decimals, as 99.95',
    )
    .transform((given) => Number(parseUsd(given)))
    .meta({
      override: ({ jsonSchema }: { jsonSchema: object }): void => {
        for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name);
        Object.assign(jsonSchema, { type: 'string', pattern: DOLLARS });
      },
    });

export const usdOf = (micro: bigint | null): string | null => (micro === null ? null : formatUsd(micro));

export const listingParams = z.strictObject({
  id: text(1, 400).describe('`id` of a listing: the name of its marketplace, a colon, and its ID there.'),
});

const verifiedMetricsSchema = z
  .object({
    handle: z.string(),
    followers: count.nullable(),
    verified: z.boolean().nullable(),
    status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
    created_at: instant.nullable(),
    observed_at: instant,
    stale_s: count.describe('Age of the reading in seconds.'),
  })
  .meta({ id: 'VerifiedMetrics' });

export const listingSchema = z
  .object({
    id: z.string(),
    platform: platformSchema,
    handle: z.string().nullable().describe('Normalized; null if the listing does not name the account.'),
    title: z.string().nullable(),
    followers: count.nullable().describe('As the seller states it.'),
    price_usd: dollars.nullable().describe('Asking price in US dollars; null if it is on request.'),
    price_per_1k_followers: dollars.nullable().describe('Asking price per thousand stated followers.'),
    seller: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    status: z.enum(['active', 'sold', 'withdrawn']),
    listed_at: instant.nullable().describe('As the marketplace states it.'),
    updated_at: instant.describe('When a change was last seen.'),
    sold_at: instant.nullable(),
    sold_price_usd: dollars.nullable().describe('What was paid; null if unknown, or not sold.'),
    url: z.url().nullable(),
    verified_metrics: verifiedMetricsSchema
      .nullable()
      .describe("The catalog's own reading of the account; null if there is none."),
  })
  .meta({ id: 'Listing' });

export type ListingAnswer = z.output<typeof listingSchema>;

export const EXAMPLE_LISTING: ListingAnswer = {
  id: 'market.example:8812',
  platform: 'instagram',
  handle: 'ada.bakes',
  title: 'Baking, 120k, engaged',
  followers: 120_000,
  price_usd: '1450.00',
  price_per_1k_followers: '12.083333',
  seller: { id: 'market.example:s-77', name: 'Ada' },
  status: 'active',
  listed_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-21T08:16:00.000Z',
  sold_at: null,
  sold_price_usd: null,
  url: 'https://market.example/8812',
  verified_metrics: {
    handle: 'ada.bakes',
    followers: 118_204,
    verified: false,
    status: 'active',
    created_at: null,
    observed_at: '2026-11-21T08:00:00.000Z',
    stale_s: 960,
  },
};

/** A listing with the catalog's reading of its account; the look-ups of a page share queries. */
export const listingAnswer = async (
  { accounts, adapterOf }: Pick<Services, 'accounts' | 'adapterOf'>,
  listing: ShownListing,
  nowMs: number,
): Promise<ListingAnswer> => {
  const { platform, handle } = listing;
  const by = handle !== null && adapterOf(platform).isBareId(handle) ? 'id' : 'handle';
  const known = handle === null ? null : await accounts.find({ platform, by, value: handle });
  return {
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
      known === null || handle === null
        ? null
        : {
            handle,
            followers: known.followers,
            verified: known.verified,
            status: known.status,
            created_at: known.created_at,
            observed_at: known.observed_at,
            stale_s: ageS(Date.parse(known.observed_at), nowMs),
          },
  };
};

export const quartilesSchema = z
  .object({ n: count, p25: dollars.nullable(), p50: dollars.nullable(), p75: dollars.nullable() })
  .meta({ id: 'PriceQuartiles' });

/** Digits of a quartile: bins are within 1 %, and more digits would claim more. */
const SIGNIFICANT = 3;

/** Quartiles of prices in micro-dollars as dollars. */
export const priceQuartiles = ({ n, p25, p50, p75 }: Quartiles): z.input<typeof quartilesSchema> => {
  const usd = (micro: number | null) =>
    micro === null ? null : formatUsd(BigInt(Math.round(Number(micro.toPrecision(SIGNIFICANT)))));
  return { n, p25: usd(p25), p50: usd(p50), p75: usd(p75) };
};
