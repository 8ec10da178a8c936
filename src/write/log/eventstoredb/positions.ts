import { LogRequestRejectedError } from '../port.ts';

/**
 * Maps EventStoreDB positions to the port's. A record has a commit and a prepare position, which are equal unless
 * the old TCP protocol wrote a transaction across calls, so the commit position identifies an event. Reading starts
 * only at a record, so "just before this event" has no position of its own there. The port's position of an event
 * is therefore twice its commit position plus one, and twice its commit position is the position just before it.
 * Both map back to the record; what was not asked for is filtered out here.
 */
export const positionOf = (commit: bigint, prepare: bigint): bigint => {
  if (commit !== prepare) {
    throw new LogRequestRejectedError(
      `the log holds a transaction of the TCP protocol (commit ${commit}, prepare ${prepare}), whose events have no positions of their own`,
    );
  }
  return 2n * commit + 1n;
};

/** The record at which a position starts reading. */
export const recordAt = (position: bigint): string => String(position >> 1n);

/** False for the node's value for "no position", 2^64 - 1. */
export const isPosition = (commit: bigint): boolean => commit < 2n ** 62n;
