import type { ListingState, PlacementState } from './decide.ts';

/** The state of an offer as of a revision of its stream. */
export interface OfferSnapshot<State> {
  readonly state: State;
  readonly revision: bigint;
}

/**
 * Snapshots of offers, so that a decision need not read the stream. A snapshot may be behind: it is trusted only if the
 * append at its revision succeeds.
 */
export interface MarketSnapshots {
  /** By ID; what has none is not among them. */
  listings(ids: readonly string[]): Promise<ReadonlyMap<string, OfferSnapshot<ListingState>>>;
  placements(ids: readonly string[]): Promise<ReadonlyMap<string, OfferSnapshot<PlacementState>>>;
}
