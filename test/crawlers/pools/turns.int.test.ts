import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFrontier, type Lease } from '../../../src/crawlers/frontier.ts';
import { createCurrentPools } from '../../../src/crawlers/pools/current-pools.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { type PoolEvent, poolStream, recruitMembers } from '../../../src/write/pools/pool.ts';
import { poolCreated } from '../../support/pools.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const START = Date.UTC(2026, 9, 1);
const LEASE_MS = 3_600_000;
const POOLS = 50;
const MEMBERS = 800;

let program: TestProgram;
let pools: ReturnType<typeof createCurrentPools>;
const now = START + 1_000;

const nameOf = (share: number): string => `pool-${String(share).padStart(2, '0')}`;
const decide = async (pool: string, event: PoolEvent) => {
  await program.log.append(poolStream(pool), [{ id: uuidV7(START), ...event }], 'any');
};
const project = async () => {
  await program.project();
  await pools.refresh();
};
const frontierNamed = (worker: string) =>
  createFrontier(program.database.db, program.builds, pools, worker, LEASE_MS);

beforeAll(async () => {
  program = await createTestProgram();
  pools = createCurrentPools(program.database.db, program.builds, silentLogger, () => now);
  for (let share = 1; share <= POOLS; share++) {
    const pool = nameOf(share);
    await decide(pool, {
      type: 'PoolCreated',
      data: poolCreated(pool, 'x', START, { share, size_cap: 10_000 }),
    });
    const members = Array.from({ length: MEMBERS }, (_, i) => ({
      handle: `${pool}.${i}`,
      via: 'seed' as const,
      from: null,
      depth: 0,
    }));
    await recruitMembers(program.log, [
      { platform: 'x', pool, observed_at: isoOf(START + POOLS - share), members },
    ]);
  }
  await project();
});
afterAll(() => program.close());
beforeEach(async () => {
  await program.database.db.query('delete from crawl.leases');
  await program.database.db.query('delete from crawl.pool_turns');
});

interface Read extends Pick<Lease, 'handle' | 'pool' | 'reader'> {
  readonly requests: number;
}

/** Reads accounts until so many requests were sent, by workers in turn. @returns the leases in order, with their requests. */
const crawl = async (workers: number, requests: number, costOf: (pool: string) => number) => {
  const frontiers = Array.from({ length: workers }, (_, i) => frontierNamed(`worker ${i}`));
  const read: Read[] = [];
  for (let sent = 0, turn = 0; sent < requests; turn++) {
    const frontier = frontiers[turn % workers];
    const leases = (await frontier?.lease('x', 24, now)) ?? [];
    for (const lease of leases) {
      const cost = costOf(lease.pool);
      frontier?.used(lease, cost);
      sent += cost;
      const { handle, pool, reader } = lease;
      read.push({ handle, pool, reader, requests: cost });
    }
    if (leases.length === 0) throw new Error(`nothing was due after ${sent} requests`);
  }
  return read;
};

const usedBy = (read: readonly { readonly pool: string; readonly requests: number }[]) => {
  const used = new Map<string, number>();
  for (const { pool, requests } of read) used.set(pool, (used.get(pool) ?? 0) + requests);
  return used;
};

describe('pools that take turns', () => {
  it('get requests by share, whatever their readings cost, over three workers', {
    tags: 'long',
  }, async () => {
    const random = seededRandom(5);
    const costs = new Map(
      Array.from({ length: POOLS }, (_, i) => [nameOf(i + 1), 1 + random.int(4)] as const),
    );
    const costOf = (pool: string) => costs.get(pool) ?? 1;
    const read = await crawl(3, 20_000, costOf);
    const used = usedBy(read);
    const total = [...used.values()].reduce((sum, each) => sum + each, 0);
    for (let share = 1; share <= POOLS; share++) {
      const pool = nameOf(share);
      const due = (total * share) / ((POOLS * (POOLS + 1)) / 2);
      const off = Math.abs((used.get(pool) ?? 0) - due);
      expect(off, `${pool}: ${used.get(pool)} of ${due}`).toBeLessThanOrEqual(
        Math.max(0.05 * due, costOf(pool)),
      );
    }
  });

  it('wait for their next reading at most twice their period', { tags: 'long' }, async () => {
    const read = await crawl(1, 8_000, () => 1);
    const total = (POOLS * (POOLS + 1)) / 2;
    const lastAt = new Map<string, number>();
    for (const [at, { pool }] of read.entries()) {
      const share = Number(pool.slice(-2));
      const before = lastAt.get(pool) ?? 0;
      expect(at - before, `${pool} after ${before}`).toBeLessThanOrEqual((2 * total) / share + 1);
      lastAt.set(pool, at);
    }
  });

  it('leave unneeded turns to the others, and save none', { tags: 'long' }, async () => {
    await decide(nameOf(1), {
      type: 'PoolPaused',
      data: { at: isoOf(START), why: 'a test', decision: null },
    });
    await project();
    const without = usedBy(await crawl(1, 3_000, () => 1));
    expect(without.get(nameOf(1))).toBeUndefined();
    await decide(nameOf(1), { type: 'PoolResumed', data: { at: isoOf(START), decision: null } });
    await project();
    const again = usedBy(await crawl(1, 3_000, () => 1));
    // Its part of 3,000 is 2.4.
    expect(again.get(nameOf(1))).toBeGreaterThanOrEqual(1);
    expect(again.get(nameOf(1))).toBeLessThanOrEqual(4);
  });

  it('are not held up by accounts that wait for a retry', { tags: 'long' }, async () => {
    const frontier = frontierNamed('failing');
    const failed: Lease[] = [];
    while (failed.length < 4_000) {
      const leases = await frontier.lease('x', 200, now);
      for (const lease of leases) {
        frontier.used(lease, 1);
        await frontier.retry('x', lease, now + LEASE_MS);
      }
      failed.push(...leases);
    }
    const read = await crawl(1, 2_000, () => 1);
    const tried = new Set(failed.map(({ handle }) => handle));
    expect(read.filter(({ handle }) => tried.has(handle))).toEqual([]);
  });

  it('read a retired pool’s accounts for its heir, and not at all without one', {
    tags: 'long',
  }, async () => {
    const retire = (pool: string, heir: string | null) =>
      decide(pool, { type: 'PoolRetired', data: { at: isoOf(START), why: 'a test', heir, decision: null } });
    await retire(nameOf(49), nameOf(48));
    await retire(nameOf(48), nameOf(2));
    await retire(nameOf(50), null);
    await project();
    const read = await crawl(1, 3_000, () => 1);
    const readers = new Map(read.map(({ pool, reader }) => [pool, reader]));
    expect(readers.get(nameOf(50))).toBeUndefined();
    const inherited = read.filter(({ reader }) => reader === nameOf(2));
    // Those that are due longest.
    expect(new Set(inherited.map(({ pool }) => pool))).toEqual(new Set([nameOf(49)]));
    expect(readers.get(nameOf(49))).toBe(nameOf(2));
    // One pool's turns, however many it inherited from.
    const total = (47 * 48) / 2;
    expect(inherited.length).toBeGreaterThanOrEqual(Math.floor((3_000 * 2) / total) - 1);
    expect(inherited.length).toBeLessThanOrEqual(Math.ceil((3_000 * 2) / total) + 1);
  });
});
