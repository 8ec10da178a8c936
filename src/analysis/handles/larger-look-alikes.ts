import { INDEXED_FROM } from './deletes.ts';

/** An account with so many times the followers of another is not taken for it, but the other way round. */
const LARGER = 10;

/** A handle, and those that were found to be near it. */
export interface NearHandles {
  /** Null if they are unknown, of both. */
  readonly followers: number | null;
  readonly matches: readonly {
    readonly followers: number | null;
    readonly distance: number;
    readonly isSkeletonEqual: boolean;
  }[];
  /** Whether a limit ended the search, or the list of what it found. */
  readonly isCapped: boolean;
  /** Whether every handle one edit away is short enough to be indexed. */
  readonly isComparable: boolean;
}

/**
 * Accounts that one may be taken for: with ten times its followers, and a handle that looks the same or is one edit away.
 * @returns null if there may be others than those that were found: their followers are unknown, a limit ended the search, or
 *   handles one edit away are not indexed, being too long or of accounts that are too small.
 */
export const largerLookAlikes = (found: NearHandles): number | null => {
  if (found.followers === null) return null;
  const least = LARGER * (found.followers + 1);
  const alike = found.matches.filter(({ distance, isSkeletonEqual }) => isSkeletonEqual || distance === 1);
  const larger = alike.filter(({ followers }) => followers !== null && followers >= least).length;
  if (larger > 0) return larger;
  const isWhole = !found.isCapped && found.isComparable && least >= INDEXED_FROM;
  return isWhole && alike.every(({ followers }) => followers !== null) ? 0 : null;
};
