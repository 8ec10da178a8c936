/** What a pool's readings cost and gave in an hour. */
export interface Hour {
  readonly requests: number;
  readonly discovered: number;
}

/** A policy at work on pools. */
export interface Allocation {
  /** Shares of the next hour's requests, in any unit. */
  shares(hour: number): readonly number[];
  observe(hour: number, found: readonly Hour[]): void;
}

/** @param yields true yields of the pools at present, finds a request: for the oracle alone. */
export type Policy = (pools: number, seed: number, yields: () => readonly number[]) => Allocation;
