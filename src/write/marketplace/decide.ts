import { isDeepStrictEqual } from 'node:util';
import type { Platform } from '../../kernel/platform.ts';
import {
  type ListingDetails,
  type ListingEvent,
  listingDetails,
  type PlacementDetails,
  placementDetails,
} from './events.ts';
import type { ListingObservation, ListingStatus, PlacementObservation } from './observation.ts';

type Details = ListingDetails | PlacementDetails;

const DETAILS = listingDetails.keyof().options;
const OF_PLACEMENTS = placementDetails.keyof().options;

const perField = <Of extends Details>(fields: readonly (keyof Of)[], of: (field: keyof Of) => unknown): Of =>
  Object.fromEntries(fields.map((field): [PropertyKey, unknown] => [field, of(field)])) as unknown as Of;

/** The details among other fields. */
const picked = <Of extends Details>(fields: readonly (keyof Of)[], from: Of): Of =>
  perField(fields, (field) => from[field]);

/** What the source does not say remains as it was: the name of a known seller too. */
const completed = <Of extends Details>(fields: readonly (keyof Of)[], shown: Of, known: Of): Of => {
  const all = perField<Of>(fields, (field) => shown[field] ?? known[field]);
  const isKnown = shown.seller?.name === null && shown.seller.id === known.seller?.id;
  return isKnown ? { ...all, seller: known.seller } : all;
};

/** What the events of a listing's stream say of it. */
export interface ListingState {
  /** Null before it was published. */
  readonly status: ListingStatus | null;
  /** Of the last event. */
  readonly observedAt: string | null;
  readonly platform: Platform | null;
  readonly details: ListingDetails;
  readonly price: number | null;
  readonly soldAt: string | null;
  readonly soldPrice: number | null;
}

export const noListing: ListingState = {
  status: null,
  observedAt: null,
  platform: null,
  details: perField<ListingDetails>(DETAILS, () => null),
  price: null,
  soldAt: null,
  soldPrice: null,
};

export const evolveListing = (state: ListingState, event: ListingEvent): ListingState => {
  const { observed_at: observedAt } = event.data;
  switch (event.type) {
    case 'ListingPublished': {
      const { platform, price } = event.data;
      const details = picked(DETAILS, event.data);
      return { status: 'active', observedAt, platform, details, price, soldAt: null, soldPrice: null };
    }
    case 'ListingRevised':
      return { ...state, observedAt, details: picked(DETAILS, event.data) };
    case 'ListingRepriced':
      return { ...state, observedAt, price: event.data.price };
    case 'ListingSold': {
      const { sold_at: soldAt, price: soldPrice } = event.data;
      return { ...state, observedAt, status: 'sold', soldAt, soldPrice };
    }
    case 'ListingWithdrawn':
      return { ...state, observedAt, status: 'withdrawn' };
    case 'MarketplaceSwept':
    case 'PlacementListed':
      return state;
  }
};

/** Whether an observation adds to what is known: of one instant the first counts, and older ones never. */
const isNews = (observedAt: string, known: string | null): boolean => known === null || observedAt > known;

/**
 * The events that a listing as shown adds to its stream: none if it is as known, if the observation is not newer than
 * the last event, or if it names another platform than before, which makes it another account's. A listing first seen
 * sold or withdrawn is published as well. A sold one that is withdrawn later remains sold.
 */
export const decideListing = (state: ListingState, shown: ListingObservation): readonly ListingEvent[] => {
  const { observedAt: observed_at, source, native, platform, status } = shown;
  if (!isNews(observed_at, state.observedAt)) return [];
  if (state.platform !== null && state.platform !== platform) return [];
  const details = completed(DETAILS, shown.details, state.details);
  const events: ListingEvent[] = [];
  if (state.status === null || (status === 'active' && state.status !== 'active')) {
    events.push({
      type: 'ListingPublished',
      data: { observed_at, source, native, platform, ...details, price: shown.price },
    });
  } else if (state.status === 'active') {
    if (!isDeepStrictEqual(details, state.details))
      events.push({ type: 'ListingRevised', data: { observed_at, ...details } });
    // What is no longer offered need not have a price.
    const price = status === 'active' ? shown.price : (shown.price ?? state.price);
    if (price !== state.price) events.push({ type: 'ListingRepriced', data: { observed_at, price } });
  }
  if (status === 'sold') {
    const soldAt = shown.soldAt ?? state.soldAt;
    const soldPrice = shown.soldPrice ?? state.soldPrice;
    if (state.status !== 'sold' || soldAt !== state.soldAt || soldPrice !== state.soldPrice)
      events.push({ type: 'ListingSold', data: { observed_at, sold_at: soldAt, price: soldPrice } });
  }
  if (status === 'withdrawn' && state.status !== 'withdrawn' && state.status !== 'sold')
    events.push({ type: 'ListingWithdrawn', data: { observed_at } });
  return events;
};

/** Withdraws an active listing that a source no longer has. */
export const decideWithdrawal = (state: ListingState, observedAt: string): readonly ListingEvent[] =>
  state.status === 'active' && isNews(observedAt, state.observedAt)
    ? [{ type: 'ListingWithdrawn', data: { observed_at: observedAt } }]
    : [];

/** The last offer of a placement; null before the first. */
export type PlacementState = Omit<PlacementObservation, 'kind' | 'source' | 'native'> | null;

export const evolvePlacement = (state: PlacementState, event: ListingEvent): PlacementState => {
  if (event.type !== 'PlacementListed') return state;
  const { observed_at: observedAt, source: _source, native: _native, ...offer } = event.data;
  return { observedAt, ...offer };
};

export const decidePlacement = (
  state: PlacementState,
  shown: PlacementObservation,
): readonly ListingEvent[] => {
  const { observedAt: observed_at, kind: _, ...offer } = shown;
  if (state === null) return [{ type: 'PlacementListed', data: { observed_at, ...offer } }];
  const { handle, price, platform } = state;
  if (!isNews(observed_at, state.observedAt) || platform !== shown.platform) return [];
  const known = picked(OF_PLACEMENTS, state);
  const details = completed(OF_PLACEMENTS, shown, known);
  return handle === shown.handle && price === shown.price && isDeepStrictEqual(details, known)
    ? []
    : [{ type: 'PlacementListed', data: { observed_at, ...offer, ...details } }];
};
