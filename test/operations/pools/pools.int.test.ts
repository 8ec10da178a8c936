import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { parseConfig } from '../../../src/kernel/config.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import {
  createPool,
  expandPool,
  NEW_POOL,
  type NewPool,
  pausePool,
  reopenPool,
  resumePool,
  retirementOf,
  retirePool,
  tunePool,
} from '../../../src/operations/pools/change-pool.ts';
import { parsePoolName, secondsOf, settingsOf } from '../../../src/operations/pools/pool-settings.ts';
import {
  addMembers,
  addSeeds,
  listMembers,
  listPools,
  moveMembers,
  parseSeedList,
  poolHistory,
  poolNamed,
  removeMembers,
  showPool,
} from '../../../src/operations/pools/pools.ts';
import { descriptorOf } from '../../../src/platforms/index.ts';
import { openRuntime, type Runtime } from '../../../src/runtime/open-runtime.ts';
import { recruitMembers } from '../../../src/write/pools/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { fenceOf } from '../../support/erasures.ts';
import { sighted } from '../../support/program.ts';

let database: TestDatabase;
let program: Runtime;
beforeAll(async () => {
  database = await createTestDatabase();
  program = await openRuntime(parseConfig({ DATABASE_URL: database.url }), 'command', silentLogger);
});
afterAll(async () => {
  await program.close();
  await database.drop();
});

const create = (pool: string, more: Partial<NewPool> = {}) =>
  createPool(program, {
    ...NEW_POOL,
    ...{ pool, platform: 'x', rule: 'seed', seeds: null, depth: null, sources: [] },
    ...more,
  });
const code = (code: string) => expect.objectContaining({ name: 'OperatorError', code });
describe('a pool', () => {
  it('is created once, and shown with its settings before the frontier has a build', async () => {
    await create('press', { share: 4 });
    await expect(create('press')).rejects.toEqual(code('pool_exists'));
    expect(await showPool(program, 'press')).toMatchObject({
      pool: 'press',
      status: 'active',
      share: 4,
      refresh_min_s: 21_600,
      accounts: null,
      due: null,
    });
    await expect(showPool(program, 'nope')).rejects.toEqual(code('pool_unknown'));
  });

  it('is changed by the differences, and refuses contradictory settings unchanged', async () => {
    expect(await tunePool(program, 'press', { share: 4 })).toBe(false);
    expect(await tunePool(program, 'press', { share: 2, refresh_max_s: 30_000 })).toBe(true);
    await expect(tunePool(program, 'press', { refresh_min_s: 40_000 })).rejects.toEqual(code('pool_invalid'));
    await expect(tunePool(program, 'nope', { share: 2 })).rejects.toEqual(code('pool_unknown'));
    await expect(expandPool(program, 'press', { share: 1, size_cap: null })).rejects.toEqual(
      code('pool_invalid'),
    );
    expect(await expandPool(program, 'press', { share: null, size_cap: 2_000_000 })).toBe(true);
    expect(await showPool(program, 'press')).toMatchObject({
      share: 2,
      refresh_max_s: 30_000,
      size_cap: 2_000_000,
    });
  });

  it('is paused with a reason, and resumed', async () => {
    expect(await pausePool(program, 'press', 'too slow')).toBe(true);
    expect(await pausePool(program, 'press', 'again')).toBe(false);
    expect(await showPool(program, 'press')).toMatchObject({ status: 'paused', why: 'too slow' });
    expect(await resumePool(program, 'press')).toBe(true);
    expect(await showPool(program, 'press')).toMatchObject({ status: 'active', why: null });
  });

  it('needs existing source pools, where its rule has any', async () => {
    await expect(create('a', { rule: 'mention', sources: ['nope'] })).rejects.toEqual(code('pool_unknown'));
    await expect(create('a', { rule: 'demand', sources: ['press'] })).rejects.toEqual(code('pool_invalid'));
    await create('mentions', { rule: 'mention', sources: ['press'], depth: 2 });
    expect(await showPool(program, 'mentions')).toMatchObject({ sources: ['press'], depth: 2 });
  });

  it('shows its accounts, and the reason for each', async () => {
    const add = async (pool: string, names: readonly string[]) =>
      addMembers(program, await poolNamed(program, pool), names);
    expect(await add('press', ['nasa', 'esa', 'nasa'])).toMatchObject({ named: 2, recruited: 2, present: 0 });
    expect(await add('mentions', ['nasa', 'jaxa'])).toMatchObject({ named: 2, recruited: 1, present: 1 });
    const listed = await listMembers(program, 'press', { handles: ['@NASA'], limit: 10, why: true });
    expect(listed).toMatchObject([
      { handle: 'nasa', depth: 0, observed_at: null, why: { via: 'seed', from: null } },
    ]);
    expect(await listMembers(program, 'press', { handles: [], limit: 1, why: false })).toHaveLength(1);
    expect(await showPool(program, 'press')).toMatchObject({ accounts: 2, read: 0, due: 2 });
    await expect(listMembers(program, 'nope', { handles: [], limit: 1, why: false })).rejects.toEqual(
      code('pool_unknown'),
    );
  });

  it('reports what it has of the accounts that an operator names, whatever its cap is', async () => {
    await create('small', { size_cap: 3 });
    const names = ['a1', 'a2', 'a3', 'a4', 'a5'];
    const add = async (some: readonly string[]) =>
      addMembers(program, await poolNamed(program, 'small'), some);
    const listed = async () =>
      (await listMembers(program, 'small', { handles: [], limit: 50, why: false }))
        .map(({ handle }) => handle)
        .toSorted();
    const sequences: readonly (readonly [readonly string[], number | null])[] = [
      [names.slice(0, 2), null],
      [names, null],
      [names, null],
      [['nasa', ...names], 4],
      [names, 5],
      [names, 6],
    ];
    let had: readonly string[] = [];
    for (const [named, cap] of sequences) {
      if (cap !== null) await tunePool(program, 'small', { size_cap: cap });
      const { recruited, present, refused } = await add(named);
      const has = await listed();
      expect(recruited).toBe(has.length - had.length);
      expect(recruited + present + refused.length).toBe(named.length);
      expect(refused.filter((handle) => has.includes(handle))).toEqual([]);
      had = has;
    }
    expect(had).toEqual(names);
    await retirePool(program, 'small', null, 'over');
    await expect(add(['a6'])).rejects.toEqual(code('pool_retired'));
  });

  it('is retired in favour of an heir of its platform, and then unchangeable', async () => {
    await create('abroad', { platform: 'bluesky' });
    for (const heir of ['abroad', 'mentions'])
      await expect(retirePool(program, 'mentions', heir, 'merged')).rejects.toEqual(code('pool_invalid'));
    expect(await retirementOf(program, 'press')).toMatchObject({ accounts: 2, fed: ['mentions'] });
    expect(await retirePool(program, 'mentions', 'press', 'merged')).toBe(true);
    expect(await showPool(program, 'mentions')).toMatchObject({ status: 'retired', heir: 'press' });
    expect(await showPool(program, 'press')).toMatchObject({
      took_over: [{ pool: 'mentions', accounts: 1 }],
    });
    expect(await retirementOf(program, 'press')).toMatchObject({ accounts: 3, inherited: ['mentions'] });
    expect(await reopenPool(program, 'mentions')).toBe(true);
    expect(await reopenPool(program, 'mentions')).toBe(false);
    expect(await showPool(program, 'mentions')).toMatchObject({ status: 'active', heir: null });
    expect(await showPool(program, 'press')).toMatchObject({ took_over: [] });
    await expect(reopenPool(program, 'nope')).rejects.toEqual(code('pool_unknown'));
    expect(await retirePool(program, 'mentions', 'press', 'merged')).toBe(true);
    await expect(tunePool(program, 'mentions', { share: 9 })).rejects.toEqual(code('pool_retired'));
    await expect(retirePool(program, 'abroad', 'mentions', 'x')).rejects.toEqual(code('pool_invalid'));
  });

  it('is not retired as the last one of a platform whose engine runs', async () => {
    await expect(retirePool(program, 'abroad', null, 'over')).rejects.toEqual(code('pool_last'));
    await program.db.query(
      sql`insert into crawl.engine_controls (engine, revision, paused, rate_per_s) values ('bluesky', 1, true, null)`,
    );
    expect(await retirePool(program, 'abroad', null, 'over')).toBe(true);
    expect(await reopenPool(program, 'abroad')).toBe(true);
  });

  it('keeps the history of every decision', async () => {
    const types = (await poolHistory(program, 'press')).map(({ type }) => type);
    expect(types).toEqual(['PoolCreated', 'PoolTuned', 'PoolExpanded', 'PoolPaused', 'PoolResumed']);
    await expect(poolHistory(program, 'nope')).rejects.toEqual(code('pool_unknown'));
    expect((await listPools(program)).map(({ pool }) => pool)).toEqual([
      'abroad',
      'mentions',
      'press',
      'small',
    ]);
  });
});

describe('input of operators', () => {
  it('may be a list of handles, whose other lines are reported by number', () => {
    const list = parseSeedList('x', '# press\nnasa\r\n\n@Esa\nno handle!\nnasa\n');
    expect(list.handles).toEqual(['nasa', 'esa']);
    expect(list.rejected).toEqual([{ line: 5, text: 'no handle!' }]);
    expect(list.digest).toBe(parseSeedList('x', 'nasa\nesa').digest);
    expect(list.digest).not.toBe(parseSeedList('x', 'esa\nnasa').digest);
  });

  it.each(PLATFORMS)(
    'may be addresses of profiles of %s, as people copy them, and of no other platform',
    (platform) => {
      const { profileUrl } = descriptorOf(platform);
      const [name = ''] = adapterOf(platform).probes;
      const url = profileUrl(name);
      const ways = [name, url, url.replace(/^https:\/\//, ''), `${url}?lang=en`];
      for (const way of ways) expect([way, parseSeedList(platform, way).handles]).toEqual([way, [name]]);
      const others = PLATFORMS.filter((each) => each !== platform);
      for (const other of others) {
        const foreign = descriptorOf(other).profileUrl(adapterOf(other).probes[0] ?? '');
        expect(parseSeedList(platform, foreign)).toMatchObject({ handles: [], rejected: [{ line: 1 }] });
      }
    },
  );

  it('is refused if no account is named', () => {
    for (const text of ['', '\n\n', '# nobody yet\n'])
      expect(() => parseSeedList('x', text)).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
  });

  it('may be settings with units', () => {
    const settings = settingsOf({
      share: '0.5',
      refresh: 'by-change',
      refreshMin: '90s',
      refreshMax: '7d',
      cap: '5000',
      requests: '8000',
      schedule: '* 0-5 * * *',
    });
    expect(settings).toEqual({
      share: 0.5,
      refresh: 'by_change',
      refresh_min_s: 90,
      refresh_max_s: 604_800,
      size_cap: 5_000,
      requests_per_day: 8_000,
      schedule: '* 0-5 * * *',
    });
    expect(settingsOf({ schedule: 'always', requests: 'none' })).toEqual({
      schedule: null,
      requests_per_day: null,
    });
    expect(settingsOf({})).toEqual({});
  });

  it.for([
    { share: '0' },
    { share: 'much' },
    { share: '' },
    { refresh: 'often' },
    { refreshMin: '6' },
    { refreshMin: '0s' },
    { refreshMax: '4000d' },
    { refreshFactor: '-1' },
    { cap: '1.5' },
    { requests: '0' },
    { requests: 'many' },
    { schedule: '61 * * * *' },
    { schedule: '* * 31 2 *' },
    { schedule: '* * * * * *' },
  ])('is refused with what is allowed: %o', (texts) => {
    expect(() => settingsOf(texts)).toThrow(code('pool_invalid') as unknown as Error);
  });

  it('may be durations and names', () => {
    expect(['1s', '2m', '3h', '4d'].map(secondsOf)).toEqual([1, 120, 10_800, 345_600]);
    expect(parsePoolName('fans-of-nasa')).toBe('fans-of-nasa');
    for (const name of ['', '-a', 'A', 'a_b', 'a'.repeat(61)])
      expect(() => parsePoolName(name)).toThrow(code('pool_invalid') as unknown as Error);
  });
});

describe('a pool that an operator gives accounts', () => {
  it('takes no account that was erased, and reports it as refused', async () => {
    const fence = fenceOf({ platform: 'x', id: '5551', handles: ['ada'] });
    const added = await addSeeds({ ...program, fence }, 'x', ['ada', 'https://x.com/ada', 'grace']);
    expect(added).toMatchObject({ named: 2, recruited: 1, present: 0, refused: [], erased: ['ada'] });
    const members = await listMembers(program, added.pool, { handles: [], limit: 50, why: false });
    expect(members.map(({ handle }) => handle)).toEqual(['grace']);
  });

  it('takes accounts of others up to its cap, and gives up those that are removed until an operator adds them', async () => {
    await create('from');
    await create('to', { size_cap: 2 });
    const row = (pool: string) => poolNamed(program, pool);
    const listed = async (pool: string) =>
      (await listMembers(program, pool, { handles: [], limit: 50, why: false })).map(({ handle }) => handle);
    await addMembers(program, await row('from'), ['m1', 'm2', 'm3', 'm4']);
    expect(await moveMembers(program, await row('to'), ['m1', 'm2', 'm3', 'm9'])).toEqual({
      named: 4,
      changed: 2,
      unknown: ['m9'],
      refused: ['m3'],
    });
    expect([await listed('from'), await listed('to')]).toEqual([
      ['m3', 'm4'],
      ['m1', 'm2'],
    ]);
    expect(await removeMembers(program, await row('from'), ['m4', 'm1'])).toEqual({
      named: 2,
      changed: 1,
      unknown: ['m1'],
      refused: [],
    });
    expect([await listed('from'), await listed('to')]).toEqual([['m3'], ['m1', 'm2']]);
    expect(await showPool(program, 'from')).toMatchObject({ accounts: 1, due: 1 });
    // A reading that names it, or finds it, does not bring it back.
    await recruitMembers(program.log, [
      {
        ...{ platform: 'x', pool: 'from', observed_at: new Date().toISOString() },
        members: [{ handle: 'm4', via: 'mention', from: null, depth: 1 }],
      },
    ]);
    await program.log.append(
      'account-x:m4',
      [{ id: uuidV7(Date.now()), ...sighted('m4', new Date().toISOString()) }],
      'any',
    );
    expect(await moveMembers(program, await row('from'), ['m4'])).toMatchObject({ unknown: ['m4'] });
    expect(await addMembers(program, await row('from'), ['m4'])).toMatchObject({ recruited: 1 });
    expect(await listed('from')).toEqual(['m3', 'm4']);
    await retirePool(program, 'to', 'from', 'over');
    await expect(moveMembers(program, await row('to'), ['m3'])).rejects.toEqual(code('pool_retired'));
    expect(await moveMembers(program, await row('from'), ['m1'])).toMatchObject({ changed: 1 });
  });
});
