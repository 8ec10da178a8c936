import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFrontier, type Lease } from '../../../src/crawlers/frontier.ts';
import { type Candidate, NAMES_A_DAY, sweepCandidates } from '../../../src/crawlers/pools/candidates.ts';
import { ensureSeedPool, recruitSeeds } from '../../../src/crawlers/pools/choose-pool.ts';
import { createCurrentPools } from '../../../src/crawlers/pools/current-pools.ts';
import { createRecruiter, type Mention, type Recruiter } from '../../../src/crawlers/recruiter.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { inTransaction, type Queryable } from '../../../src/kernel/postgres/pool.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { NOTHING_ERASED } from '../../../src/write/erasure/fence.ts';
import type { EventDataOf } from '../../../src/write/event-types.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const START = Date.UTC(2026, 9, 1);
const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;
const SEEDS = Array.from({ length: 60 }, (_, i) => `seed${i}`);

let program: TestProgram;
let pools: ReturnType<typeof createCurrentPools>;
let recruiter: Recruiter;
beforeAll(async () => {
  program = await createTestProgram();
  pools = createCurrentPools(program.database.db, program.builds, silentLogger);
  await recruitSeeds(program.log, 'x', SEEDS, START);
  await ensureSeedPool(program.log, 'telegram', START, { refreshMinS: 60, refreshMaxS: 600, sizeCap: 2 });
  await project();
  recruiter = createRecruiter(program.database.db, program.builds, pools, program.log, NOTHING_ERASED);
});
afterAll(() => program.close());
beforeEach(async () => {
  await program.database.db.query('delete from crawl.leases');
  await program.database.db.query('delete from crawl.candidates');
  await program.database.db.query('delete from crawl.namings');
});

const project = async () => {
  await program.project();
  await pools.refresh();
};
const names = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i}`);
const mentions = (platform: Platform, handles: readonly string[]): readonly Mention[] =>
  handles.map((handle) => ({ platform, handle, via: 'mention' }));
const name = (namer: string, handles: readonly string[], atMs = START, platform: Platform = 'x') =>
  recruiter.name(mentions(platform, handles), { from: `account-x:${namer}`, pool: 'seed-x', depth: 0 }, atMs);
const waiting = async () => {
  const { rows } = await program.database.db.query<{ handle: string; namers: number }>(
    'select handle, namers from crawl.candidates where outcome is null order by namers desc, named_at, handle',
  );
  return rows;
};
const frontier = () => createFrontier(program.database.db, program.builds, pools, 'worker', LEASE_MS);
/** Leases what waits on Telegram, where nothing else is due. */
const lease = async (atMs = START + 1_000): Promise<readonly Lease[]> =>
  frontier().lease('telegram', 100, atMs);
const candidateOf = ({ candidate }: Lease) => {
  if (candidate === null) throw new Error('no candidate');
  return candidate;
};

describe('names that a reading finds', () => {
  it('wait outside of the frontier, and are no more than an account may name', async () => {
    await name('flooder', names('invented', 364));
    expect(await waiting()).toHaveLength(NAMES_A_DAY);
    await project();
    const { rows } = await program.database.db.query(
      `select count(*)::int as n from ${program.builds.schema('frontier')}.due where handle like 'invented%'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
    await name('flooder', names('further', 364), START + DAY_MS - 1);
    expect(await waiting()).toHaveLength(NAMES_A_DAY);
    await name('flooder', names('further', 5), START + DAY_MS + 1);
    expect(await waiting()).toHaveLength(NAMES_A_DAY + 5);
  });

  it('are bounded however they are spread over readings and platforms', async () => {
    for (let n = 0; n < 12; n++)
      await Promise.all([
        name('flooder', names(`x${n}_`, 7), START + n),
        name('flooder', names(`t${n}_`, 7), START + n, 'telegram'),
      ]);
    expect(await waiting()).toHaveLength(NAMES_A_DAY);
  });

  it('are none that a pool has', async () => {
    await name('honest', ['seed1', 'stranger']);
    expect(await waiting()).toEqual([{ handle: 'stranger', namers: 1 }]);
  });

  it('are read in the order in which different accounts name them', async () => {
    await name('flooder', names('early', 9), START, 'telegram');
    for (let n = 0; n < 5; n++) await name('flooder', ['early0'], START + n, 'telegram');
    for (const namer of ['a', 'b', 'c']) await name(namer, ['known_to_three'], START + 10, 'telegram');
    for (const namer of ['a', 'b']) await name(namer, ['known_to_two'], START + 20, 'telegram');
    const handles = (await lease()).map(({ handle }) => handle);
    expect(handles.slice(0, 2)).toEqual(['known_to_three', 'known_to_two']);
    expect(handles).toHaveLength(11);
    expect(await waiting()).toContainEqual({ handle: 'early0', namers: 1 });
  });

  it('have one reading in twenty while accounts are due', async () => {
    await name('honest', names('stranger', 20));
    const worker = frontier();
    const leases: Lease[] = [];
    for (let n = 0; n < 15; n++) leases.push(...(await worker.lease('x', 3, START + 1_000)));
    expect(leases).toHaveLength(45);
    expect(leases.filter(({ candidate }) => candidate !== null)).toHaveLength(2);
    expect(leases.findIndex(({ candidate }) => candidate !== null)).toBeGreaterThan(15);
  });

  it('that no reading finds, twice, are read no more, and count against their namer for a month', async () => {
    await name('flooder', names('nobody', NAMES_A_DAY), START, 'telegram');
    for (const atMs of [START + 1_000, START + 2 * DAY_MS]) {
      const leased = await lease(atMs);
      expect(leased).toHaveLength(NAMES_A_DAY);
      for (const each of leased) await recruiter.missed(candidateOf(each));
    }
    expect(await lease(START + 5 * DAY_MS)).toEqual([]);
    await name('another', ['nobody1'], START + 6 * DAY_MS, 'telegram');
    await name('flooder', names('more', 5), START + 6 * DAY_MS, 'telegram');
    expect(await waiting()).toEqual([]);
    await sweepCandidates(program.database.db, program.builds, START + 31 * DAY_MS);
    await name('flooder', names('more', 5), START + 31 * DAY_MS, 'telegram');
    expect(await waiting()).toHaveLength(5);
  });
});

describe('a sweep', () => {
  it('waits for no name that a reading changes, so that the two are in no deadlock', async () => {
    await name('honest', ['busy', 'old']);
    const { db } = program.database;
    await inTransaction(db, async (reading) => {
      await reading.query(sql`update crawl.candidates set namers = namers + 1 where handle = 'busy'`);
      // One that waited would wait for ever.
      await sweepCandidates(db, program.builds, START + 31 * DAY_MS);
    });
    expect(await waiting()).toEqual([{ handle: 'busy', namers: 2 }]);
    await sweepCandidates(db, program.builds, START + 31 * DAY_MS);
    expect(await waiting()).toEqual([]);
  });
});

describe('names while the database fails', () => {
  it('are noted by the next reading that finds them', async () => {
    let isAway = true;
    const { db } = program.database;
    const failing: Queryable = {
      query: (...args: Parameters<Queryable['query']>) =>
        isAway ? Promise.reject(new Error('the database is away')) : db.query(...args),
    } as Queryable;
    const unsteady = createRecruiter(failing, program.builds, pools, program.log, NOTHING_ERASED);
    const namer = { from: 'account-x:honest', pool: 'seed-x', depth: 0 };
    const again = () => unsteady.name(mentions('x', ['stranger', 'seed1']), namer, START);
    await expect(again()).rejects.toThrow('the database is away');
    isAway = false;
    await Promise.all([again(), again(), again()]);
    expect(await waiting()).toEqual([{ handle: 'stranger', namers: 1 }]);
  });
});

describe('names that wait', () => {
  it('are taken again once they were forgotten, and go to the pool that takes them now', async () => {
    await name('honest', ['lost']);
    await program.database.db.query('delete from crawl.candidates');
    await name('honest', ['lost'], START + 1);
    expect(await waiting()).toEqual([{ handle: 'lost', namers: 1 }]);
    await program.database.db.query(`update crawl.candidates set pool = 'abandoned'`);
    await name('another', ['lost'], START + 2);
    const { rows } = await program.database.db.query('select pool, namers from crawl.candidates');
    expect(rows).toEqual([{ pool: 'seed-x', namers: 2 }]);
  });

  it('come after the others once a reading did not find them', async () => {
    for (const namer of ['a', 'b']) await name(namer, ['hidden'], START, 'telegram');
    const [first] = await lease();
    await recruiter.missed(candidateOf(first as Lease));
    await program.database.db.query('delete from crawl.leases');
    await name('c', ['fresh'], START, 'telegram');
    expect((await lease()).map(({ handle }) => handle)).toEqual(['fresh', 'hidden']);
  });

  it('wait no longer once a pool got their account under another name', async () => {
    await name('honest', ['twin', 'stranger']);
    await recruitSeeds(program.log, 'x', ['twin'], START);
    await project();
    await sweepCandidates(program.database.db, program.builds, START + 1);
    expect(await waiting()).toEqual([{ handle: 'stranger', namers: 1 }]);
  });

  it('may be those of accounts that left the schedule, unless an operator removed them', async () => {
    const schema = program.builds.schema('frontier');
    await name('honest', ['returned', 'removed'], START, 'telegram');
    await program.database.db.query(
      `insert into ${schema}.due_telegram (platform, handle, pool, is_seed, absences, removed, recruited, due_at, interval_s, change_moved, change_exposure)
       values ('telegram', 'returned', 'seed-telegram', false, 2, false, 1, '2200-01-01', 60, 0, 0),
         ('telegram', 'removed', 'seed-telegram', false, 0, true, 1, '2200-01-01', 60, 0, 0)`,
    );
    expect((await lease()).map(({ handle }) => handle)).toEqual(['returned']);
    await program.database.db.query(
      `delete from ${schema}.due_telegram where handle in ('returned', 'removed')`,
    );
  });
});

describe('a name that a reading finds to exist', () => {
  it('is recruited, and credits the account that named it as one observation', async () => {
    await name('honest', ['real_one', 'real_two', 'real_three'], START, 'telegram');
    const leased = await lease();
    const credits: boolean[] = [];
    for (const each of leased) {
      const candidate = candidateOf(each);
      expect(candidate).toMatchObject({ from: 'account-x:honest', source: 'seed-x', depth: 1 });
      expect(await recruiter.found(candidate, each.handle, START + 2_000)).toBe(true);
      credits.push(await recruiter.settle(candidate, START + 2_000));
    }
    expect(credits).toEqual([true, false, false]);
    // Also where names waited for longer than a day.
    await name('honest', ['late_one', 'late_two'], START, 'telegram');
    const late = await lease(START + 3 * DAY_MS);
    for (const each of late) credits.push(await recruiter.settle(candidateOf(each), START + 3 * DAY_MS));
    expect(credits).toEqual([true, false, false, true, false]);
    await project();
    const { rows } = await program.database.db.query<{ handle: string }>(
      `select handle from ${program.builds.schema('frontier')}.due_telegram order by handle`,
    );
    // The pool has room for two; what a reading is worth does not depend on that.
    expect(rows).toHaveLength(2);
    expect(await lease(START + 40 * DAY_MS)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ candidate: expect.anything() })]),
    );
  });

  it('is recruited once, by however many processes and finds at once, and after the log was away', async () => {
    const find: Candidate = {
      platform: 'x',
      handle: '777',
      via: 'mention',
      from: 'account-x:honest',
      source: 'seed-x',
      depth: 1,
    };
    const recruited: string[] = [];
    let isAway = true;
    const log: EventLog = {
      ...program.log,
      appendMany: async (batch) => {
        if (isAway) throw new Error('the log is away');
        const outcomes = await program.log.appendMany(batch);
        const appended = batch.filter((_, i) => outcomes[i]?.status === 'appended');
        recruited.push(
          ...appended.flatMap(({ events }) =>
            events.flatMap(({ data }) =>
              (data as EventDataOf<'MembersRecruited'>).members.map(({ handle }) => handle),
            ),
          ),
        );
        return outcomes;
      },
    };
    const recruiters = names('process', 6).map(() =>
      createRecruiter(program.database.db, program.builds, pools, log, NOTHING_ERASED),
    );
    await expect(recruiters[0]?.found(find, 'shown', START)).rejects.toThrow('the log is away');
    await expect(recruiters[0]?.take([find], START)).rejects.toThrow('the log is away');
    isAway = false;
    // Two names of one account, read at once by a process.
    const [first] = recruiters as [Recruiter];
    const isNew = await Promise.all([first.found(find, 'shown', START), first.found(find, 'shown', START)]);
    expect(isNew.toSorted()).toEqual([false, true]);
    expect(recruited).toEqual(['shown']);
    await Promise.all(recruiters.map((each) => each.take([find, find], START)));
    await project();
    const { rows } = await program.database.db.query<{ handle: string; n: number }>(
      `select handle, count(*)::int as n from ${program.builds.schema('frontier')}.due_x
       where handle in ('shown', '777') group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { handle: '777', n: 1 },
      { handle: 'shown', n: 1 },
    ]);
    expect(new Set(recruited)).toEqual(new Set(['shown', '777']));
    const { rows: sizes } = await program.database.db.query<{ n: number }>(
      `select n::int from ${program.builds.schema('frontier')}.members where platform = 'x' and pool = 'seed-x'`,
    );
    expect(sizes).toEqual([{ n: SEEDS.length + 3 }]);
  });

  it('is not new if a pool has it under the handle that it shows', async () => {
    const candidate = {
      platform: 'x',
      handle: '12345',
      via: 'link',
      from: 'account-x:honest',
      source: 'seed-x',
      depth: 1,
    } as const;
    expect(await recruiter.found(candidate, 'seed1', START)).toBe(false);
  });
});
