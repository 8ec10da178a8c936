import type { Platform } from '../../kernel/platform.ts';
import type { CurrentPools } from './current-pools.ts';

/** What a lease was charged with. */
export interface Charge {
  readonly platform: Platform;
  /** The pool that recruited the account. */
  readonly pool: string;
  /** The pool whose turn it was. */
  readonly reader: string;
  /** Requests that a reading was expected to take. */
  readonly charged: number;
}

/** A lease as far as turns know it. */
interface Looked {
  readonly pool: string;
  readonly dueAtMs: number;
}

/** Pools that take turns, and what they used since the last look. */
export interface Turns {
  /** Pools that are crawled. */
  readonly pools: readonly string[];
  /** Virtual time of a reading of each: the requests that it takes, divided by the pool's share. */
  readonly costs: readonly number[];
  /** Pools whose accounts are read. */
  readonly sources: readonly string[];
  /** The pool that reads each source's accounts. */
  readonly readers: readonly string[];
  /** Where the look for due accounts of each source begins: those due before are leased. */
  readonly after: readonly Date[];
  /** Pools whose readings took other requests than they were charged with. */
  readonly settled: readonly string[];
  /** The difference in virtual time of each. */
  readonly amounts: readonly number[];
}

/** Turns of a platform's pools, as one process takes them. */
export interface PoolTurns {
  /** What the next lease needs to know; what was settled is in it once. */
  take(nowMs: number): Turns;
  /** Requests that a reading for a pool is expected to take. */
  expected(pool: string): number;
  /** The accounts that a look found, which took so long. Those of a failed one are settled again. */
  looked(turns: Turns, leases: readonly Looked[] | null, tookMs: number): void;
  /** Charges the difference between the requests that a lease took and those that were expected. */
  settle(charge: Charge, requests: number): void;
}

/** Weight of a new reading in the mean requests of a pool's readings. */
const WEIGHT = 0.1;
/** Fraction of the time that is spent on looking at leased accounts again. */
const MAX_REWINDING = 0.05;

export const createPoolTurns = (platform: Platform, pools: CurrentPools): PoolTurns => {
  const means = new Map<string, number>();
  let differences = new Map<string, number>();
  /** Due time of the last account that was leased, by source: those before it are leased, or wait for another try. */
  let reached = new Map<string, number>();
  let rewoundAtMs = Number.NEGATIVE_INFINITY;
  let rewindMs = 0;

  const shareOf = (name: string): number =>
    pools.active(platform).find(({ pool }) => pool === name)?.share ?? 1;
  const expected = (pool: string): number => means.get(pool) ?? 1;

  return {
    expected,
    take: (nowMs) => {
      // Accounts that became due before others that are leased, as new ones, are found from the beginning again.
      if (nowMs - rewoundAtMs >= rewindMs / MAX_REWINDING) {
        reached = new Map();
        rewoundAtMs = nowMs;
      }
      const active = pools.active(platform);
      const sources = active.flatMap(({ pool, reads }) => reads.map((source) => [source, pool] as const));
      const taken = differences;
      differences = new Map();
      return {
        pools: active.map(({ pool }) => pool),
        costs: active.map(({ pool, share }) => expected(pool) / share),
        sources: sources.map(([source]) => source),
        readers: sources.map(([, reader]) => reader),
        after: sources.map(([source]) => new Date(reached.get(source) ?? 0)),
        settled: [...taken.keys()],
        amounts: [...taken.values()],
      };
    },
    looked: (turns, leases, tookMs) => {
      if (leases === null) {
        for (const [i, pool] of turns.settled.entries())
          differences.set(pool, (differences.get(pool) ?? 0) + (turns.amounts[i] ?? 0));
        return;
      }
      if (turns.after.some((after) => after.getTime() === 0)) rewindMs = tookMs;
      for (const { pool, dueAtMs } of leases) reached.set(pool, Math.max(reached.get(pool) ?? 0, dueAtMs));
    },
    settle: ({ reader, charged }, requests) => {
      if (requests > 0) means.set(reader, expected(reader) + WEIGHT * (requests - expected(reader)));
      const difference = (requests - charged) / shareOf(reader);
      if (difference !== 0) differences.set(reader, (differences.get(reader) ?? 0) + difference);
    },
  };
};
