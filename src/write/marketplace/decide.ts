import type { Platform } from '../../kernel/platform.ts';
import type { ListingEvent } from './events.ts';
import type {
  ListingDetails,
  ListingObservation,
  ListingStatus,
  PlacementObservation,
} from './observation.ts';

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
  details: { handle: null, title: null, followers: null, seller: null, url: null, listed_at: null },
  price: null,
  soldAt: null,
  soldPrice: null,
};

export const evolveListing = (state: ListingState, event: ListingEvent): ListingState => {
  const { observed_at: observedAt } = event.data;
  switch (event.type) {
    case 'ListingPublished': {
      const { platform, price, handle, title, followers, seller, url, listed_at } = event.data;
      const details = { handle, title, followers, seller, url, listed_at };
      return { status: 'active', observedAt, platform, details, price, soldAt: null, soldPrice: null };
    }
    case 'ListingRevised': {
      const { handle, title, followers, seller, url, listed_at } = event.data;
      return { ...state, observedAt, details: { handle, title, followers, seller, url, listed_at } };
    }
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

/** What the source does not say remains as it was. */
const completed = (shown: ListingDetails, known: ListingDetails): ListingDetails => ({
  handle: shown.handle ?? known.handle,
  title: shown.title ?? known.title,
  followers: shown.followers ?? known.followers,
  seller:
    shown.seller === null
      ? known.seller
      : shown.seller.name === null && shown.seller.id === known.seller?.id
        ? known.seller
        : shown.seller,
  url: shown.url ?? known.url,
  listed_at: shown.listed_at ?? known.listed_at,
});

const isSame = (a: ListingDetails, b: ListingDetails): boolean =>
  a.handle === b.handle &&
  a.title === b.title &&
  a.followers === b.followers &&
  a.seller?.id === b.seller?.id &&
  a.seller?.name === b.seller?.name &&
  a.url === b.url &&
  a.listed_at === b.listed_at;

/**
 * The events that a listing as shown adds to its stream: none if it is as known, if the observation is not newer than
 * the last event, or if it names another platform than before, which makes it another account's. A listing first seen
 * sold or withdrawn is published as well. A sold one that is withdrawn later remains sold.
 */
export const decideListing = (state: ListingState, shown: ListingObservation): readonly ListingEvent[] => {
  const { observedAt: observed_at, source, native, platform, status } = shown;
  if (!isNews(observed_at, state.observedAt)) return [];
  if (state.platform !== null && state.platform !== platform) return [];
  const details = completed(shown.details, state.details);
  const events: ListingEvent[] = [];
  if (state.status === null || (status === 'active' && state.status !== 'active')) {
    events.push({
      type: 'ListingPublished',
      data: { observed_at, source, native, platform, ...details, price: shown.price },
    });
  } else if (state.status === 'active') {
    if (!isSame(details, state.details))
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
  const { observed_at: observedAt, platform, handle, price, followers, views, seller, url } = event.data;
  return { observedAt, platform, handle, price, followers, views, seller, url };
};

export const decidePlacement = (
  state: PlacementState,
  shown: PlacementObservation,
): readonly ListingEvent[] => {
  const { observedAt: observed_at, kind: _, ...offer } = shown;
  if (state !== null) {
    const { handle, price, platform } = state;
    if (!isNews(observed_at, state.observedAt) || platform !== shown.platform) return [];
    const followers = shown.followers ?? state.followers;
    const views = shown.views ?? state.views;
    const seller = shown.seller ?? state.seller;
    const url = shown.url ?? state.url;
    const same =
      handle === shown.handle &&
      price === shown.price &&
      followers === state.followers &&
      views === state.views &&
      seller?.id === state.seller?.id &&
      seller?.name === state.seller?.name &&
      url === state.url;
    if (same) return [];
    return [{ type: 'PlacementListed', data: { observed_at, ...offer, followers, views, seller, url } }];
  }
  return [{ type: 'PlacementListed', data: { observed_at, ...offer } }];
};
