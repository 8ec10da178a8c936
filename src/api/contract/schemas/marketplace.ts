import { z } from 'zod';
import { formatUsd, parseUsd } from '../../../kernel/money.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { text } from '../parse-request.ts';
import { FIELD_NOTE } from '../visibility.ts';
import { measuredAt } from './measured-at.ts';

/** An amount of dollars as exact decimal text. */
export const dollars = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .describe('US dollars, exact.');

/** An amount of dollars in a query string, parsed into micro-dollars. */
export const dollarAmount = () =>
  z
    .string()
    .regex(
      new RegExp(DOLLARS),
      'must be an amount below a billion dollars with at most six decimals, as 99.95',
    )
    .transform((text) => Number(parseUsd(text)))
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

const instant = z.iso.datetime();
const count = z.int().nonnegative();

const verifiedMetricsSchema = z
  .object({
    handle: z.string(),
    followers: count.nullable().describe(FIELD_NOTE),
    verified: z.boolean().nullable().describe(FIELD_NOTE),
    status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
    created_at: instant.nullable().describe(FIELD_NOTE),
    observed_at: instant,
    stale_s: count.describe('Age in seconds of the oldest value here that can change.'),
    measured_at: measuredAt,
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

export const quartilesSchema = z
  .object({ n: count, p25: dollars.nullable(), p50: dollars.nullable(), p75: dollars.nullable() })
  .meta({ id: 'PriceQuartiles' });

/** Less than a billion, which no price exceeds by much. */
const DOLLARS = '^[0-9]{1,9}(?:[.][0-9]{1,6})?$';
