import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideListing,
  decidePlacement,
  decideWithdrawal,
  evolveListing,
  evolvePlacement,
  type ListingDetails,
  type ListingObservation,
  type ListingState,
  noListing,
  type PlacementDetails,
  type PlacementObservation,
  type PlacementState,
} from '../../../src/write/marketplace/listing.ts';

const day = (n: number): string => new Date(Date.UTC(2026, 9, 1) + n * 86_400_000).toISOString();

const shown = (n: number, more: Partial<ListingObservation> = {}): ListingObservation => ({
  kind: 'listing',
  source: 'market.example',
  native: 'a1',
  observedAt: day(n),
  platform: 'x',
  status: 'active',
  details: {
    handle: 'nasa',
    title: 'A space agency',
    followers: 1_000,
    seller: { id: 's1', name: 'Sam' },
    url: null,
    listed_at: day(0),
  },
  price: 5_000_000,
  soldAt: null,
  soldPrice: null,
  ...more,
});

const paid = (n: number, more: Partial<PlacementObservation> = {}): PlacementObservation => ({
  kind: 'placement',
  source: 'market.example',
  native: 'p1',
  observedAt: day(n),
  platform: 'x',
  handle: 'nasa',
  price: 2_000_000,
  followers: null,
  views: 10_000,
  seller: null,
  url: null,
  ...more,
});

const known = (...observations: ListingObservation[]): ListingState =>
  observations.reduce((state, each) => decideListing(state, each).reduce(evolveListing, state), noListing);

const types = (state: ListingState, observation: ListingObservation): readonly string[] =>
  decideListing(state, observation).map(({ type }) => type);

describe('a listing as its source shows it', () => {
  it('is published once, and again after a withdrawal or a failed sale', () => {
    expect(types(noListing, shown(1))).toEqual(['ListingPublished']);
    expect(types(known(shown(1)), shown(2))).toEqual([]);
    expect(types(known(shown(1), shown(2, { status: 'withdrawn' })), shown(3))).toEqual(['ListingPublished']);
    expect(types(known(shown(1), shown(2, { status: 'sold' })), shown(3))).toEqual(['ListingPublished']);
  });
  it('is repriced when its asking price changes, also to none', () => {
    expect(types(known(shown(1)), shown(2, { price: 4_000_000 }))).toEqual(['ListingRepriced']);
    expect(decideListing(known(shown(1)), shown(2, { price: null }))).toEqual([
      { type: 'ListingRepriced', data: { observed_at: day(2), price: null } },
    ]);
  });
  it('is revised when it says something else, and keeps what it no longer says', () => {
    const { details } = shown(1);
    const [event] = decideListing(
      known(shown(1)),
      shown(2, { details: { ...details, followers: 2_000, title: null } }),
    );
    expect(event).toMatchObject({
      type: 'ListingRevised',
      data: { followers: 2_000, title: 'A space agency' },
    });
  });
  it('is published and sold if it is first seen sold', () => {
    const sold = shown(5, { status: 'sold', soldAt: day(4), soldPrice: 3_000_000 });
    expect(decideListing(noListing, sold)).toMatchObject([
      { type: 'ListingPublished', data: { price: 5_000_000 } },
      { type: 'ListingSold', data: { sold_at: day(4), price: 3_000_000 } },
    ]);
    expect(types(known(sold), { ...sold, observedAt: day(6) })).toEqual([]);
  });
  it('learns its sale price later, and stays sold when its page is withdrawn', () => {
    const sold = known(shown(1), shown(2, { status: 'sold' }));
    expect(types(sold, shown(3, { status: 'sold', soldPrice: 1 }))).toEqual(['ListingSold']);
    expect(types(sold, shown(3, { status: 'withdrawn' }))).toEqual([]);
    expect(decideWithdrawal(sold, day(9))).toEqual([]);
  });
  it('ignores observations at or before the last event', () => {
    const state = known(shown(3));
    expect(types(state, shown(2, { price: 1 }))).toEqual([]);
    expect(types(state, shown(3, { price: 1 }))).toEqual([]);
  });
  it('ignores an observation that names another platform', () => {
    expect(types(known(shown(1)), shown(2, { platform: 'tiktok', price: 1 }))).toEqual([]);
  });
  it('is withdrawn by absence only if it was not seen since', () => {
    const state = known(shown(3));
    expect(decideWithdrawal(state, day(4)).map(({ type }) => type)).toEqual(['ListingWithdrawn']);
    expect(decideWithdrawal(state, day(3))).toEqual([]);
    expect(decideWithdrawal(noListing, day(4))).toEqual([]);
  });
  it('adds nothing when the same observations are repeated', () => {
    const observation = fc
      .record({
        at: fc.integer({ min: 0, max: 6 }),
        status: fc.constantFrom('active' as const, 'sold' as const, 'withdrawn' as const),
        price: fc.constantFrom(null, 1_000_000, 2_000_000),
        title: fc.constantFrom(null, 'one', 'two'),
      })
      .map(({ at, status, price, title }) =>
        shown(at, { status, price, details: { ...shown(0).details, title } }),
      );
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 8 }), (all) => {
        // As a reader of a file does: of an offer only what is newer than all that it has shown.
        const newest = all.filter((each, i) => all.slice(0, i).every((e) => e.observedAt < each.observedAt));
        const state = known(...newest);
        let again = state;
        for (const each of newest) {
          const events = decideListing(again, each);
          expect(events).toEqual([]);
          again = events.reduce(evolveListing, again);
        }
      }),
    );
  });
});

describe('a placement', () => {
  const listed = (...all: PlacementObservation[]): PlacementState =>
    all.reduce<PlacementState>(
      (state, each) => decidePlacement(state, each).reduce(evolvePlacement, state),
      null,
    );

  it('is listed again exactly when its offer changes', () => {
    expect(decidePlacement(null, paid(1))).toHaveLength(1);
    expect(decidePlacement(listed(paid(1)), paid(2))).toEqual([]);
    expect(decidePlacement(listed(paid(1)), paid(2, { price: 1 }))).toHaveLength(1);
    expect(decidePlacement(listed(paid(1)), paid(0, { price: 1 }))).toEqual([]);
    expect(decidePlacement(listed(paid(1)), paid(2, { views: null }))).toEqual([]);
  });
});

/** Another value of each detail. A detail without one does not compile. */
const OTHER: Record<keyof ListingDetails | keyof PlacementDetails, unknown> = {
  handle: 'esa',
  title: 'Another agency',
  followers: 7,
  views: 8,
  seller: { id: 's2', name: 'Alex' },
  url: 'https://market.example/2',
  listed_at: day(1),
};

it.each(Object.keys(shown(0).details) as (keyof ListingDetails)[])(
  'a changed %s of a listing is recorded',
  (field) => {
    const details = { ...shown(2).details, [field]: OTHER[field] };
    const state = known(shown(0), shown(2, { details }));
    expect(state.details).toEqual(details);
  },
);

it.each(['followers', 'views', 'seller', 'url'] satisfies (keyof PlacementDetails)[])(
  'a changed %s of a placement is recorded',
  (field) => {
    const fold = (state: PlacementState, each: PlacementObservation) =>
      decidePlacement(state, each).reduce(evolvePlacement, state);
    const state = fold(fold(null, paid(0)), paid(2, { [field]: OTHER[field] }));
    expect(state?.[field]).toEqual(OTHER[field]);
  },
);
