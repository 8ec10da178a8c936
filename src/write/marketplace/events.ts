import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { type EventOf, event } from '../log/event-definition.ts';
import { address, count, instant, key, text } from '../log/event-fields.ts';

/** A listing's ID is that of its source after the source's name, so that two sources never share one. */
export const listingId = (source: string, native: string): string => `${source}:${native}`;
export const listingStream = (id: string): string => `listing-${id}`;

/** Placements have streams of their own: a source may give one the ID of a listing. */
export const placementId = (source: string, native: string): string => `${source}/placement:${native}`;

/** The stream of a source's sweeps. */
export const sweepStream = (source: string): string => `listing-${source}/sweeps`;

/** Names of sources, of which neither ID can be that of another source. */
export const SOURCE = /^[a-z0-9][a-z0-9.-]{0,99}$/;

/** The listing or placement of a stream. */
export const marketIdOf = (stream: string): string => stream.slice('listing-'.length);

export const MAX_TITLE = 1_000;
export const MAX_SELLER_NAME = 500;
export const MAX_URL = 4_096;
/** A billion dollars. */
export const MAX_PRICE_MICRO_USD = 1e15;

/** Micro-dollars, at most a billion dollars. */
const price = z.int().positive().max(MAX_PRICE_MICRO_USD);

const sellerSchema = z.strictObject({ id: key(MAX_KEY), name: text(MAX_SELLER_NAME).nullable() });
/** Who offers. */
export type Seller = z.infer<typeof sellerSchema>;

/** What a listing says besides its price. Null is what the source does not say. */
export const listingDetails = z.strictObject({
  /** Normalized. */
  handle: key(MAX_KEY).nullable(),
  title: text(MAX_TITLE).nullable(),
  /** As the seller states it. */
  followers: count.nullable(),
  seller: sellerSchema.nullable(),
  url: address(MAX_URL).nullable(),
  listed_at: instant.nullable(),
});
export type ListingDetails = z.infer<typeof listingDetails>;

/** What a placement says besides its account and price. */
export const placementDetails = z.strictObject({
  followers: count.nullable(),
  /** Views that the offer states. */
  views: count.nullable(),
  seller: sellerSchema.nullable(),
  url: address(MAX_URL).nullable(),
});
export type PlacementDetails = z.infer<typeof placementDetails>;

export const listingEvents = {
  /** An account is offered for sale, for the first time or after it was withdrawn. */
  ListingPublished: event({
    observed_at: instant,
    source: key(100),
    /** ID at the source. */
    native: key(MAX_KEY),
    platform: platformSchema,
    /** Asking price in micro-dollars; null if it is on request. */
    price: price.nullable(),
    ...listingDetails.shape,
  }),
  /** What an offer says, besides its price, has changed: all of it as it is now. */
  ListingRevised: event({ observed_at: instant, ...listingDetails.shape }),
  ListingRepriced: event({ observed_at: instant, price: price.nullable() }),
  /** @property price what was paid, in micro-dollars; null if the source does not say. */
  ListingSold: event({ observed_at: instant, sold_at: instant.nullable(), price: price.nullable() }),
  ListingWithdrawn: event({ observed_at: instant }),
  /** A whole feed was read: the source's active listings are still as known. */
  MarketplaceSwept: event({ observed_at: instant, source: key(100) }),
  /** An account offers paid posts. */
  PlacementListed: event({
    observed_at: instant,
    source: key(100),
    native: key(MAX_KEY),
    platform: platformSchema,
    handle: key(MAX_KEY),
    /** Price of one post in micro-dollars. */
    price,
    ...placementDetails.shape,
  }),
};

export type ListingEvent = EventOf<typeof listingEvents>;
