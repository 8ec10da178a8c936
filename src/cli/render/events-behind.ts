/** How much of the log a position is, from 0 to 1. */
export const doneShare = (position: bigint, head: bigint): number =>
  head <= 0n || position >= head ? 1 : Number((position * 10_000n) / head) / 10_000;

/** Never 100 % while something is left. */
export const percent = (share: number): string =>
  `${(Math.floor(share * 1_000) / 10).toFixed(share === 1 ? 0 : 1)} %`;

/** A number of events, given as a machine reads it. */
export const eventNumber = (events: string, isEstimate: boolean): string =>
  `${isEstimate ? 'about ' : ''}${BigInt(events).toLocaleString('en-US')}`;
