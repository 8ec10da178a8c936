import { describe, expect, it } from 'vitest';
import { createCircuitBreaker } from '../../../src/crawlers/engine/circuit-breaker.ts';
import { LeaseLoop, type LeaseLoopOptions } from '../../../src/crawlers/engine/engine.ts';
import type { Lease } from '../../../src/crawlers/frontier.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { leaseOf } from '../../support/leases.ts';

const CONCURRENCY = 8;

/** Visits accounts one after the other, each for so long. @returns how many each lease asked for, and those released. */
const visitFor = async (visitMs: (n: number) => number, visits: number) => {
  let nowMs = 0;
  let [leased, visited, released] = [0, 0, 0];
  const asked: number[] = [];
  const stopping = new AbortController();
  const options = {
    adapter: { platform: 'x' },
    availability: { isUnavailable: () => false },
    frontier: {
      lease: async (_platform: string, most: number) => {
        asked.push(most);
        return Array.from({ length: most }, () => leaseOf(`account${leased++}`, Number.MAX_SAFE_INTEGER));
      },
      used: () => undefined,
      release: async (_platform: string, leases: readonly Lease[]) => {
        if (!stopping.signal.aborted) released += leases.length;
      },
    },
    controls: { engine: async () => ({ paused: false }) },
    pools: {
      confirmed: async () => undefined,
      revision: () => 0,
      whileActive: () => new AbortController().signal,
    },
    clock: { now: () => nowMs },
    concurrency: CONCURRENCY,
    breaker: createCircuitBreaker({ threshold: 5, firstPauseMs: 1_000, maxPauseMs: 1_000 }),
    logger: silentLogger,
    visit: async () => {
      nowMs += visitMs(visited);
      visited += 1;
      if (visited === visits) stopping.abort();
    },
    stopping: stopping.signal,
  } as unknown as LeaseLoopOptions;
  await new LeaseLoop(options).run();
  return { asked, released };
};

describe('a loop that rests', () => {
  it('goes on when an operator ends the pause of all processes, and not before', async () => {
    const breaker = createCircuitBreaker({ threshold: 1, firstPauseMs: 900_000, maxPauseMs: 900_000 });
    breaker.failed(0, null, true);
    const stopping = new AbortController();
    // What the other processes say: not yet, paused, and over.
    const shared = [0, 900_000, 900_000, 0];
    let asked = 0;
    const options = {
      adapter: { platform: 'x' },
      availability: { isUnavailable: () => false },
      circuit: {
        openForMs: async () => {
          asked += 1;
          return shared[Math.min(asked, shared.length) - 1];
        },
      },
      frontier: {
        lease: async () => {
          stopping.abort();
          return [];
        },
        used: () => undefined,
        release: async () => undefined,
      },
      controls: { engine: async () => ({ paused: false }) },
      pools: { confirmed: async () => undefined, revision: () => 0 },
      clock: { now: () => 1 },
      concurrency: 1,
      breaker,
      logger: silentLogger,
      visit: async () => undefined,
      stopping: stopping.signal,
    } as unknown as LeaseLoopOptions;
    await new LeaseLoop(options).run();
    expect(asked).toBe(4);
    expect(breaker.isOpen()).toBe(true);
  });
});

describe('the lease loop', () => {
  it('asks for four times the concurrency where a platform is fast', async () => {
    const { asked, released } = await visitFor(() => 5, 200);
    expect(asked.every((most) => most === 4 * CONCURRENCY)).toBe(true);
    expect(released).toBe(0);
  });

  it('releases what it leased too far ahead, and then asks for two seconds of visits', async () => {
    const { asked, released } = await visitFor(() => 500, 60);
    // After the ninth visit, 4.5 s, the first lease is stale.
    expect(asked.slice(0, 4)).toEqual([32, 4, 4, 4]);
    expect(released).toBe(32 - 9);
  });

  it('asks for more at once when the platform becomes faster', async () => {
    const { asked } = await visitFor((n) => (n < 20 ? 500 : 5), 100);
    expect(asked.slice(0, 3)).toEqual([32, 4, 4]);
    expect(asked.slice(5)).toEqual([32, 32, 32]);
  });
});
