import type { Random } from '../../src/kernel/random.ts';
import type { EventLog, NewEvent } from '../../src/write/log/port.ts';
import {
  createMarketRecorder,
  type ListingObservation,
  listingId,
  listingStream,
  type MarketRecorder,
  type PlacementObservation,
  placementId,
  sweepStream,
} from '../../src/write/marketplace/listing.ts';

const SOURCE = 'market.example';

/** Instants of a market's histories. */
export const marketDay = (n: number): string => new Date(Date.UTC(2026, 9, 1) + n * 86_400_000).toISOString();

type Details = Partial<ListingObservation['details']>;

/** A listing as a source shows it on a day. */
export const offered = (
  native: string,
  day: number,
  { details = {}, ...more }: Partial<Omit<ListingObservation, 'details'>> & { details?: Details } = {},
): ListingObservation => ({
  kind: 'listing',
  source: SOURCE,
  native,
  observedAt: marketDay(day),
  platform: 'x',
  status: 'active',
  details: {
    handle: native,
    title: `Account ${native}`,
    followers: 10_000,
    seller: { id: 'sam', name: 'Sam' },
    url: `https://market.example/listing/${native}`,
    listed_at: marketDay(0),
    ...details,
  },
  price: 100_000_000,
  soldAt: null,
  soldPrice: null,
  ...more,
});

export const placed = (
  native: string,
  day: number,
  more: Partial<PlacementObservation> = {},
): PlacementObservation => ({
  kind: 'placement',
  source: SOURCE,
  native,
  observedAt: marketDay(day),
  platform: 'x',
  handle: native,
  price: 20_000_000,
  followers: null,
  views: 4_000,
  seller: null,
  url: null,
  ...more,
});

const NONE = { listings: async () => new Map(), placements: async () => new Map() };

/** A recorder that reads the stream of every offer that exists. */
export const plainRecorder = (log: EventLog): MarketRecorder =>
  createMarketRecorder(log, NONE, { now: () => Date.UTC(2026, 10, 1) });

/** Any event of a listing or placement, including events that no decision would produce. */
export const marketEvent = (random: Random, at: string): { stream: string; event: Omit<NewEvent, 'id'> } => {
  const pick = <T>(...of: readonly T[]): T => of[random.int(of.length)] as T;
  const native = `n${random.int(8)}`;
  const offer = { source: SOURCE, native, platform: pick('x' as const, 'telegram' as const) };
  const followers = pick(null, 0, 900, 50_000);
  const seller = pick(null, { id: 'sam', name: null }, { id: 'ann', name: 'Ann' });
  const price = pick(null, 1, 5_000_000, 1e15);
  const details = {
    handle: native,
    title: null,
    followers,
    seller,
    url: null,
    listed_at: pick(null, marketDay(0)),
  };
  const stream = listingStream(listingId(SOURCE, native));
  switch (random.int(8)) {
    case 7:
      return {
        stream: sweepStream(SOURCE),
        event: { type: 'MarketplaceSwept', data: { observed_at: at, source: SOURCE } },
      };
    case 0: {
      const data = {
        observed_at: at,
        ...offer,
        handle: native,
        price: price ?? 7,
        followers,
        views: pick(null, 0, 100),
      };
      const placement = listingStream(placementId(SOURCE, native));
      return { stream: placement, event: { type: 'PlacementListed', data: { ...data, seller, url: null } } };
    }
    case 1:
      return { stream, event: { type: 'ListingRevised', data: { observed_at: at, ...details } } };
    case 2:
      return { stream, event: { type: 'ListingRepriced', data: { observed_at: at, price } } };
    case 3:
      return {
        stream,
        event: { type: 'ListingSold', data: { observed_at: at, sold_at: pick(null, at), price } },
      };
    case 4:
      return { stream, event: { type: 'ListingWithdrawn', data: { observed_at: at } } };
    default:
      return {
        stream,
        event: { type: 'ListingPublished', data: { observed_at: at, ...offer, ...details, price } },
      };
  }
};
