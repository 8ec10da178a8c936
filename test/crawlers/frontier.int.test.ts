import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFrontier, type Frontier } from '../../src/crawlers/frontier.ts';
import { ensureSeedPool, recruitSeeds } from '../../src/crawlers/pools/choose-pool.ts';
import { createCurrentPools } from '../../src/crawlers/pools/current-pools.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

const NAMES = Array.from({ length: 60 }, (_, i) => `account${i}`);
const LEASE_MS = 60_000;
const START = Date.UTC(2026, 9, 1);
const LATER = START + 1_000;

let program: TestProgram;
let pools: ReturnType<typeof createCurrentPools>;
const workerNamed = (name: string): Frontier =>
  createFrontier(program.database.db, program.builds, pools, name, LEASE_MS);

/** Folds the log, and has the pools read again. */
const project = async () => {
  await program.project();
  await pools.refresh();
};

beforeAll(async () => {
  program = await createTestProgram();
  pools = createCurrentPools(program.database.db, program.builds, silentLogger);
  await recruitSeeds(program.log, 'x', NAMES, START);
  await project();
});
afterAll(() => program.close());
beforeEach(async () => {
  await program.database.db.query('delete from crawl.leases');
});

const handlesOf = (leases: readonly { readonly handle: string }[]) => leases.map(({ handle }) => handle);

describe('leases', () => {
  it('give each account to one worker, however many ask at once', async () => {
    const workers = Array.from({ length: 8 }, (_, i) => workerNamed(`worker ${i}`));
    const taken: string[] = [];
    for (let round = 0; round < 4; round++) {
      const leases = await Promise.all(workers.map((worker) => worker.lease('x', 3, LATER)));
      taken.push(...leases.flatMap(handlesOf));
    }
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.length).toBeGreaterThan(40);
    const rest = await workerNamed('the last').lease('x', 100, LATER);
    expect([...taken, ...handlesOf(rest)].toSorted()).toEqual(NAMES.toSorted());
  });

  it('of a dead worker return when they expire, not before', async () => {
    const dead = await workerNamed('dead').lease('x', 10, LATER);
    const alive = workerNamed('alive');
    const others = await alive.lease('x', 100, LATER + LEASE_MS - 1);
    expect(others).toHaveLength(50);
    const back = await alive.lease('x', 100, LATER + LEASE_MS);
    expect(handlesOf(back).toSorted()).toEqual(handlesOf(dead).toSorted());
    expect(back[0]?.untilMs).toBe(LATER + 2 * LEASE_MS);
  });

  it('are not touched by their former holder once taken over', async () => {
    const slow = workerNamed('slow');
    const [lost] = await slow.lease('x', 1, LATER);
    const now = LATER + LEASE_MS;
    const [taken] = await workerNamed('fast').lease('x', 1, now);
    expect(taken?.handle).toBe(lost?.handle);
    if (lost === undefined) return;
    await slow.release('x', [lost]);
    await slow.retry('x', lost, 0);
    await slow.done('x', lost.handle, 0);
    expect(handlesOf(await workerNamed('third').lease('x', 100, now))).not.toContain(lost.handle);
  });

  it('are free at once when released', async () => {
    const first = workerNamed('first');
    await first.release('x', await first.lease('x', 60, LATER));
    expect(await workerNamed('second').lease('x', 100, LATER)).toHaveLength(60);
  });

  it('count consecutive failures until any process has a conclusive reading', async () => {
    const [first, second] = [workerNamed('first'), workerNamed('second')];
    const [lease] = await first.lease('x', 1, LATER);
    if (lease === undefined) throw new Error('nothing is due');
    expect(lease.failures).toBe(0);
    await first.retry('x', lease, LATER + 5_000);
    const again = async (worker: Frontier, at: number) =>
      (await worker.lease('x', 100, at)).find(({ handle }) => handle === lease.handle);
    expect(await again(second, LATER + 4_999)).toBeUndefined();
    const retried = await again(second, LATER + LEASE_MS);
    expect(retried?.failures).toBe(1);
    if (retried === undefined) return;
    await second.release('x', [retried]);
    expect((await again(first, LATER + LEASE_MS))?.failures).toBe(1);
    await first.done('x', lease.handle, LATER + LEASE_MS);
    expect((await again(second, LATER + 3 * LEASE_MS))?.failures).toBe(0);
  });

  it('are forgotten long after they ended', async () => {
    await workerNamed('gone').lease('x', 5, LATER);
    const { rows } = await program.database.db.query<{ n: number }>(
      'select count(*)::int as n from crawl.leases',
    );
    expect(rows[0]?.n).toBe(5);
    await workerNamed('sweeper').sweep(LATER + LEASE_MS + 86_400_001);
    const after = await program.database.db.query('select from crawl.leases');
    expect(after.rowCount).toBe(0);
  });
});

describe('pools', () => {
  it('are created once, whatever is requested later', async () => {
    const tuning = { refreshMinS: 60, refreshMaxS: 600, sizeCap: 4 };
    await ensureSeedPool(program.log, 'bluesky', START, tuning);
    await ensureSeedPool(program.log, 'bluesky', START + 1);
    const events = await program.log.readStream('pool-seed-bluesky');
    expect(events.map(({ type }) => type)).toEqual(['PoolCreated']);
    expect(events[0]?.data).toMatchObject({ size_cap: 4 });
  });
});
