import type { EventLog } from '../../src/write/log/port.ts';
import type { ListingObservation, PlacementObservation } from '../../src/write/marketplace/observation.ts';
import { createMarketRecorder, type MarketRecorder } from '../../src/write/marketplace/record.ts';

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
  source: 'market.example',
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
  source: 'market.example',
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
