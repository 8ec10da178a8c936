import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCurrentPools } from '../../../src/crawlers/pools/current-pools.ts';
import { createDemandOutlook, recruitDemand } from '../../../src/crawlers/pools/demand.ts';
import { createRecruiter } from '../../../src/crawlers/recruiter.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { createDemand, type DemandOutlook, NOT_QUEUED, type NotQueued } from '../../../src/write/demand.ts';
import { NOTHING_ERASED } from '../../../src/write/erasure/fence.ts';
import { type PoolEvent, poolStream, recruitMembers } from '../../../src/write/pools/pool.ts';
import { poolCreated } from '../../support/pools.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';

const START = Date.UTC(2026, 9, 1);
const AT = isoOf(START);

let program: TestProgram;
let pools: ReturnType<typeof createCurrentPools>;

const decide = (pool: string, event: PoolEvent) =>
  program.log.append(poolStream(pool), [{ id: uuidV7(START), ...event }], 'any');
const create = (pool: string, platform: Platform, more: Parameters<typeof poolCreated>[3]) =>
  decide(pool, { type: 'PoolCreated', data: poolCreated(pool, platform, START, more) });
const pause = (pool: string) =>
  decide(pool, { type: 'PoolPaused', data: { at: AT, decision: null, why: 'a test' } });
const retire = (pool: string, heir: string | null) =>
  decide(pool, { type: 'PoolRetired', data: { at: AT, decision: null, why: 'a test', heir } });
const recruit = (platform: Platform, pool: string, handle: string) =>
  recruitMembers(program.log, [
    { platform, pool, observed_at: AT, members: [{ handle, via: 'demand', from: null, depth: 0 }] },
  ]);
const project = async () => {
  await program.project();
  await pools.refresh();
};

/** What callers ask for: by whom, and why it is not queued, or null. */
const TABLE: readonly (readonly [Platform, account: string, holders: string[], NotQueued | null])[] = [
  ['x', 'alone', ['one'], 'too_few_holders'],
  ['x', 'again', ['one', 'one', 'one'], 'too_few_holders'],
  ['x', 'wanted', ['one', 'two'], null],
  ['x', 'id:123456789', ['one', 'two'], 'handle_needed'],
  ['x', 'waiting', ['one'], null],
  ['x', 'inherited', ['one'], null],
  ['x', 'gone', ['one', 'two'], 'read_before'],
  ['x', 'orphan', ['one', 'two'], 'pool_retired'],
  ['x', 'resting', ['one', 'two'], 'pool_paused'],
  ['instagram', 'nowhere', ['one', 'two'], 'no_demand_pool'],
  ['tiktok', 'paused', ['one', 'two'], 'pool_paused'],
  ['youtube', 'onetoomany', ['one', 'two'], 'pool_full'],
  ['youtube', 'UCaaaaaaaaaaaaaaaaaaaaaa', ['one'], 'pool_full'],
  ['telegram', 'pausedengine', ['one'], 'engine_paused'],
  ['bluesky', 'id:did:plc:aaaaaaaaaaaaaaaaaaaaaaaa', ['one'], null],
  ['bluesky', 'one.suffices.test', ['one'], null],
  ['linkedin', 'company:acme', ['one', 'two', 'three'], null],
  ['linkedin', 'company:other', ['one', 'two'], 'too_few_holders'],
];

beforeAll(async () => {
  program = await createTestProgram();
  pools = createCurrentPools(program.database.db, program.builds, silentLogger, () => START);
  await create('seeds', 'x', {});
  for (const pool of ['ended', 'left', 'resting']) await create(pool, 'x', {});
  await recruit('x', 'seeds', 'waiting');
  await recruit('x', 'seeds', 'gone');
  await program.append('x', 'gone', sighted('gone', AT, {}));
  await recruit('x', 'ended', 'inherited');
  await recruit('x', 'left', 'orphan');
  await recruit('x', 'resting', 'resting');
  await retire('ended', 'seeds');
  await retire('left', null);
  await pause('resting');
  await create('wanted', 'x', { rule: 'demand', size_cap: 100 });
  await create('paused', 'tiktok', { rule: 'demand', min_holders: 1 });
  await pause('paused');
  await create('closed', 'tiktok', { rule: 'demand', min_holders: 1 });
  await retire('closed', null);
  await create('full', 'youtube', { rule: 'demand', min_holders: 1, size_cap: 1 });
  await recruit('youtube', 'full', 'first');
  await create('stopped', 'telegram', { rule: 'demand', min_holders: 1 });
  await program.database.db.query(
    `insert into crawl.engine_controls (engine, revision, paused, rate_per_s) values ('telegram', 1, true, null)`,
  );
  await create('many', 'bluesky', { rule: 'demand', min_holders: 2 });
  await create('one', 'bluesky', { rule: 'demand', min_holders: 1 });
  await create('companies', 'linkedin', { rule: 'demand', min_holders: 3 });
  await project();
});
afterAll(() => program.close());

it('an account is queued where demand has it read, and every other status says why not', async () => {
  const { db } = program.database;
  const demand = createDemand(db, silentLogger, NOTHING_ERASED);
  const outlook: DemandOutlook = createDemandOutlook(db, program.builds, NOTHING_ERASED);
  const said: (NotQueued | null | undefined)[] = [];
  for (const [platform, account, holders] of TABLE) {
    let last: NotQueued | null | undefined;
    for (const holder of holders) {
      demand.count(platform, account, holder);
      last = await outlook({ platform, account, holder });
      await demand.flush();
    }
    said.push(last);
  }
  await demand.close();
  expect(said).toEqual(TABLE.map(([, , , reason]) => reason));
  expect(new Set(said)).toEqual(new Set([null, ...Object.keys(NOT_QUEUED)]));

  const recruiter = createRecruiter(db, program.builds, pools, program.log, NOTHING_ERASED);
  await recruitDemand(db, pools, recruiter, START);
  await project();
  const { rows } = await db.query<{ name: string; pool: string }>(
    `select platform || ':' || handle as name, pool from ${program.builds.schema('frontier')}.due where observed_at is null`,
  );
  // Pools that are read, with those that they inherited from; what waits for a paused engine is due as well.
  const isActive = (pool: string) =>
    !['left', 'resting'].includes(pool) && !pool.startsWith('paused') && pool !== 'stopped';
  const due = new Set(rows.flatMap(({ name, pool }) => (isActive(pool) ? name : [])));
  const isDue = TABLE.map(([platform, account]) => due.has(`${platform}:${account.replace(/^id:/, '')}`));
  expect(isDue).toEqual(TABLE.map(([, , , reason]) => reason === null));

  // Once they wait to be read, it no longer matters how many ask.
  const again = await Promise.all(
    TABLE.map(([platform, account]) => outlook({ platform, account, holder: 'four' })),
  );
  for (const [i, [, , , reason]] of TABLE.entries()) if (reason === null) expect(again[i]).toBeNull();
});
