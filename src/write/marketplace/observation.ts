import type { Platform } from '../../kernel/platform.ts';
import type { ListingDetails, PlacementDetails } from './events.ts';

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
export interface PlacementObservation extends PlacementDetails {
  readonly kind: 'placement';
  readonly source: string;
  readonly native: string;
  readonly observedAt: string;
  readonly platform: Platform;
  readonly handle: string;
  /** Of one post. */
  readonly price: number;
}

export type MarketObservation = ListingObservation | PlacementObservation;
