import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCurrentPools } from '../../../src/crawlers/pools/current-pools.ts';
import { recruitDemand } from '../../../src/crawlers/pools/demand.ts';
import { recruitFollows } from '../../../src/crawlers/pools/recruit-follows.ts';
import { createRecruiter } from '../../../src/crawlers/recruiter.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createDemand } from '../../../src/write/demand.ts';
import { NOTHING_ERASED } from '../../../src/write/erasure/fence.ts';
import { followsStream } from '../../../src/write/follows.ts';
import { membersStream, type PoolEvent, poolStream, recruitMembers } from '../../../src/write/pools/pool.ts';
import { fenceOf } from '../../support/erasures.ts';
import { poolCreated } from '../../support/pools.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const START = Date.UTC(2026, 9, 1);

let program: TestProgram;
let pools: ReturnType<typeof createCurrentPools>;
beforeAll(async () => {
  program = await createTestProgram();
  pools = createCurrentPools(program.database.db, program.builds, silentLogger, () => START);
});
afterAll(() => program.close());

const decide = async (pool: string, event: PoolEvent) => {
  await program.log.append(poolStream(pool), [{ id: uuidV7(START), ...event }], 'any');
};
const create = (pool: string, more: Parameters<typeof poolCreated>[3]) =>
  decide(pool, { type: 'PoolCreated', data: poolCreated(pool, 'x', START, more) });
const project = async () => {
  await program.project();
  await pools.refresh();
};
const recruiter = () =>
  createRecruiter(program.database.db, program.builds, pools, program.log, NOTHING_ERASED);
/** The other name is one that nothing refuses. */
const fence = fenceOf({ platform: 'x', id: '5551', handles: ['ada'] });
const membersOf = async (pool: string) =>
  (await program.log.readStream(membersStream('x', pool))).flatMap(
    ({ data }) => (data as { members: { handle: string; from: string | null; depth: number }[] }).members,
  );
const scheduled = async (pool: string) => {
  await project();
  const { rows } = await program.database.db.query<{ handle: string }>(
    `select handle from ${program.builds.schema('frontier')}.due where pool = $1 order by handle`,
    [pool],
  );
  return rows.map(({ handle }) => handle);
};

describe('an account that was erased', () => {
  const pool = 'without';
  it('is neither noted nor recruited, by any of its names', async () => {
    await create(pool, { rule: 'mention', sources: ['seed-x'], depth: 9 });
    await project();
    const { db } = program.database;
    const recruiting = createRecruiter(db, program.builds, pools, program.log, fence);
    const namer = { from: 'account-x:namer', pool: 'seed-x', depth: 0 };
    const names = ['ada', '5551', 'else'];
    const found = names.map((handle) => ({ platform: 'x', handle, via: 'mention' }) as const);
    await recruiting.name(found, namer, START);
    for (const table of ['candidates', 'namings']) {
      const { rows } = await db.query<{ handle: string }>(
        `select handle from crawl.${table} where handle = any($1)`,
        [names],
      );
      expect(rows.map(({ handle }) => handle)).toEqual(['else']);
    }
    const finds = found.map((each) => ({ ...each, from: null, source: 'seed-x', depth: 1 }));
    const taken = await recruiting.take(finds, START);
    expect(taken).toEqual({ recruited: 1, refused: new Set() });
    expect((await membersOf(pool)).map(({ handle }) => handle)).toEqual(['else']);
  });

  it('is counted for no holder who asks for it', async () => {
    const { db } = program.database;
    const demand = createDemand(db, silentLogger, fence);
    for (const account of ['ada', 'id:5551', '5551', 'somebody']) demand.count('x', account, 'one');
    await demand.close();
    const { rows } = await db.query<{ handle: string }>(`delete from crawl.demand returning handle`);
    expect(rows.map(({ handle }) => handle)).toEqual(['somebody']);
  });
});

describe('a pool whose rule is demand', () => {
  const ask = async (asked: readonly (readonly [account: string, holder: string])[]) => {
    const demand = createDemand(program.database.db, silentLogger, NOTHING_ERASED);
    for (const [account, holder] of asked) demand.count('x', account, holder);
    await demand.close();
  };

  it('takes what two holders asked for, once, and nothing that one holder repeats', async () => {
    await create('wanted', { rule: 'demand', size_cap: 100 });
    await project();
    await ask([
      ['wanted1', 'one'],
      ['wanted1', 'two'],
      ['mine', 'one'],
      ['mine', 'one'],
      ['id:123456789', 'one'],
      ['id:123456789', 'two'],
    ]);
    await ask([['mine', 'one']]);
    const look = () => recruitDemand(program.database.db, pools, recruiter(), START);
    expect(await look()).toBe(1);
    // Digits could be a handle there.
    expect(await membersOf('wanted')).toEqual([{ handle: 'wanted1', via: 'demand', from: null, depth: 0 }]);
    await project();
    await ask([['wanted1', 'three']]);
    expect(await look()).toBe(0);
    await ask([['mine', 'two']]);
    expect(await look()).toBe(1);
    expect(await scheduled('wanted')).toEqual(['mine', 'wanted1']);
  });

  it('looks again at what it had no room for', async () => {
    await decide('wanted', { type: 'PoolTuned', data: { at: isoOf(START), decision: null, size_cap: 2 } });
    await project();
    await ask([
      ['later', 'one'],
      ['later', 'two'],
    ]);
    expect(await recruitDemand(program.database.db, pools, recruiter(), START)).toBe(0);
    await decide('wanted', { type: 'PoolTuned', data: { at: isoOf(START), decision: null, size_cap: 9 } });
    await project();
    expect(await recruitDemand(program.database.db, pools, recruiter(), START)).toBe(1);
  });

  it('takes accounts in turns of the holders, however many one of them asked for before', async () => {
    await decide('wanted', {
      type: 'PoolRetired',
      data: { at: isoOf(START), decision: null, why: 'over', heir: null },
    });
    await create('any', { rule: 'demand', size_cap: 10_000, min_holders: 1 });
    await project();
    await program.database.db.query(
      `insert into crawl.demand (platform, handle, holder)
       select 'x', 'invented' || n, 'greedy' from generate_series(1, 2000) n`,
    );
    await ask([['missed', 'other']]);
    await recruitDemand(program.database.db, pools, recruiter(), START);
    expect((await membersOf('any')).map(({ handle }) => handle)).toContain('missed');
  });
});

describe('a pool whose rule is follow', () => {
  const list = (owner: string, page: number, members: readonly (string | null)[]) =>
    program.log.append(
      followsStream('x', owner),
      [
        {
          id: uuidV7(START),
          type: 'FollowsSighted',
          data: {
            observed_at: isoOf(START),
            source: 'crawler',
            surface: 'graphql',
            direction: 'followers',
            owner: '1',
            sweep: '0190a000-0000-7000-8000-000000000001',
            page,
            members: members.map((handle, n) => ({ id: `${page}${n}`, handle })),
            order: 'newest_first',
            done: false,
            capped: false,
          },
        },
      ],
      'any',
    );
  const look = () =>
    recruitFollows(
      { db: program.database.db, builds: program.builds, log: program.log, pools, recruiter: recruiter() },
      START,
      new AbortController().signal,
    );

  it('takes members of its source pools’ lists, including those read before it existed', async () => {
    const members = [{ handle: 'owner', via: 'seed' as const, from: null, depth: 1 }];
    await create('press', {});
    await recruitMembers(program.log, [{ platform: 'x', pool: 'press', observed_at: isoOf(START), members }]);
    await list('owner', 0, ['fan1', null, 'fan2']);
    await list('stranger', 0, ['nobodysfan']);
    await create('fans', { rule: 'follow', sources: ['press'], size_cap: 3 });
    await project();
    expect(await look()).toBe(2);
    expect(await membersOf('fans')).toEqual([
      { handle: 'fan1', via: 'follow', from: 'account-x:owner', depth: 2 },
      { handle: 'fan2', via: 'follow', from: 'account-x:owner', depth: 2 },
    ]);
    await project();
    expect(await look()).toBe(0);
  });

  it('continues where it stopped when it has room again', async () => {
    await list('owner', 1, ['fan3', 'fan4', 'fan5']);
    await project();
    expect(await look()).toBe(1);
    await project();
    expect(await look()).toBe(0);
    await decide('fans', {
      type: 'PoolExpanded',
      data: { at: isoOf(START), decision: null, share: 1, size_cap: 50 },
    });
    await project();
    expect(await look()).toBe(2);
    expect(await scheduled('fans')).toEqual(['fan1', 'fan2', 'fan3', 'fan4', 'fan5']);
  });
});

describe('a cap', () => {
  it('is kept by the order of the log, however many processes recruit beyond it', async () => {
    await create('small', { size_cap: 5 });
    const recruit = (names: readonly string[]) =>
      recruitMembers(program.log, [
        {
          platform: 'x',
          pool: 'small',
          observed_at: isoOf(START),
          members: names.map((handle) => ({ handle, via: 'seed' as const, from: null, depth: 0 })),
        },
      ]);
    await Promise.all([recruit(['a1', 'a2', 'a3', 'a4']), recruit(['b1', 'b2', 'b3', 'b4'])]);
    expect(await scheduled('small')).toHaveLength(5);
    await decide('small', {
      type: 'PoolTuned',
      data: { at: isoOf(START), decision: null, size_cap: 6 },
    });
    await recruit(['c1', 'c2']);
    const names = await scheduled('small');
    expect(names).toHaveLength(6);
    expect(names).toContain('c1');
  });

  it('counts the accounts that a pool inherits', async () => {
    await create('heir', { size_cap: 7 });
    await decide('small', {
      type: 'PoolRetired',
      data: { at: isoOf(START), decision: null, why: 'a test', heir: 'heir' },
    });
    const members = ['d1', 'd2'].map((handle) => ({ handle, via: 'seed' as const, from: null, depth: 0 }));
    await recruitMembers(program.log, [{ platform: 'x', pool: 'heir', observed_at: isoOf(START), members }]);
    expect(await scheduled('heir')).toEqual(['d1']);
  });
});
