import type { Platform } from '../../kernel/platform.ts';

/** Who offers. */
export interface Seller {
  readonly id: string;
  readonly name: string | null;
}

/** What an offer says besides its price. Null is what the source does not say. */
export interface ListingDetails {
  /** Normalized. */
  readonly handle: string | null;
  readonly title: string | null;
  /** As the seller states it. */
  readonly followers: number | null;
  readonly seller: Seller | null;
  readonly url: string | null;
  readonly listed_at: string | null;
}

export const LISTING_STATUSES = ['active', 'sold', 'withdrawn'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** A listing as a source shows it. Prices are micro-dollars. */
export interface ListingObservation {
  readonly kind: 'listing';
  readonly source: string;
  /** ID at the source. */
  readonly native: string;
  readonly observedAt: string;
  readonly platform: Platform;
  readonly status: ListingStatus;
  readonly details: ListingDetails;
  /** The asking price; null if it is on request. */
  readonly price: number | null;
  /** Of a sold listing; null is unknown. */
  readonly soldAt: string | null;
  readonly soldPrice: number | null;
}

/** A paid post that an account offers. */
export interface PlacementObservation {
  readonly kind: 'placement';
  readonly source: string;
  readonly native: string;
  readonly observedAt: string;
  readonly platform: Platform;
  readonly handle: string;
  /** Of one post. */
  readonly price: number;
  readonly followers: number | null;
  readonly views: number | null;
  readonly seller: Seller | null;
  readonly url: string | null;
}

export type MarketObservation = ListingObservation | PlacementObservation;
