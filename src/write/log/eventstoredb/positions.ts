import { LogRequestRejectedError } from '../port.ts';

/**
 * A position in EventStoreDB is where a record begins in its files: a commit and a prepare position, which are one and
 * the same, and the event's own, for events that are appended as they are here, many at once or not. (They differ in
 * transactions that span calls, which only the old TCP protocol could write.) So the commit position alone names an
 * event. But a node reads only from where a record begins, so that "up to just before this event" could not be said:
 * therefore an event's position in the port is twice its commit position and one, and twice its commit position is what
 * comes right before it. Both lead back to the record, from which reading begins; what is not wanted is left out here.
 */
export const positionOf = (commit: string, prepare: string): bigint => {
  if (commit !== prepare) {
    throw new LogRequestRejectedError(
      `the log holds a transaction of the TCP protocol (commit ${commit}, prepare ${prepare}), whose events have no positions of their own`,
    );
  }
  return 2n * BigInt(commit) + 1n;
};

/** Where the record begins that a position means. */
export const recordAt = (position: bigint): string => String(position >> 1n);

/** What a node says where it has no position to give (2^64 - 1, or nothing at all). */
export const isPosition = (commit: string | undefined): commit is string =>
  commit !== undefined && commit !== '' && BigInt(commit) < 2n ** 62n;
