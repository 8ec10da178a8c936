import { afterAll, beforeAll, expect, it } from 'vitest';
import { recruitSeeds } from '../../../../src/crawlers/pools/choose-pool.ts';
import { isoOf } from '../../../../src/kernel/clock.ts';
import { uuidV7 } from '../../../../src/kernel/ids.ts';
import { frontier } from '../../../../src/projections/views/frontier/projection.ts';
import { readMembers, readSizes } from '../../../../src/read/frontier.ts';
import { recruitMembers } from '../../../../src/write/pools/pool.ts';
import { poolCreated } from '../../../support/pools.ts';
import { createTestProgram, sighted, type TestProgram, unavailable } from '../../../support/program.ts';

const FROM = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const day = (n: number) => isoOf(FROM + n * DAY_MS);

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [frontier] });
  await recruitSeeds(program.log, 'x', ['seed'], FROM);
  await recruit('named', FROM);
});
afterAll(() => program.close());

const recruit = (handle: string, atMs: number) =>
  recruitMembers(program.log, [
    {
      platform: 'x',
      pool: 'seed-x',
      observed_at: isoOf(atMs),
      members: [{ handle, via: 'mention', from: null, depth: 1 }],
    },
  ]);
const absent = async (handle: string, at: string) => {
  await program.append('x', handle, unavailable(at, 'absent'));
  await program.project();
};
const isMember = async (handle: string) =>
  (await readMembers(program.database.db, program.builds, [{ platform: 'x', handle }])).size === 1;
const sizeOf = async () => (await readSizes(program.database.db, program.builds)).get('seed-x');
const dueAt = async (handle: string) => {
  const { rows } = await program.database.db.query<{ due_at: string }>(
    `select due_at from ${program.builds.schema('frontier')}.due_x where handle = $1`,
    [handle],
  );
  return rows[0]?.due_at;
};

it('an absent account counts against no cap', async () => {
  await absent('named', day(1));
  expect(await sizeOf()).toEqual({ found: 0, seeds: 1 });
  await absent('seed', day(1));
  expect(await sizeOf()).toEqual({ found: 0, seeds: 0 });
});

it('an account is not given up by callers who read it twice at once', async () => {
  await absent('named', isoOf(FROM + DAY_MS + 60_000));
  expect(await isMember('named')).toBe(true);
});

it('an absent account rests for as long as another absence takes to count, however short its interval', async () => {
  const pool = poolCreated('hasty', 'x', FROM, { refresh: 'fixed', refresh_min_s: 60, refresh_max_s: 60 });
  await program.log.append('pool-hasty', [{ id: uuidV7(FROM), type: 'PoolCreated', data: pool }], 'any');
  await recruitMembers(program.log, [
    {
      platform: 'x',
      pool: 'hasty',
      observed_at: day(0),
      members: [{ handle: 'vanished', via: 'mention', from: null, depth: 1 }],
    },
  ]);
  for (let readings = 0; readings < 2; readings++)
    await absent('vanished', (await dueAt('vanished')) ?? day(1));
  expect(await isMember('vanished')).toBe(false);
});

it('a name that is absent twice leaves the schedule, unless an operator gave it', async () => {
  await absent('named', day(3));
  await absent('seed', day(3));
  expect(await isMember('named')).toBe(false);
  expect(await dueAt('named')).toBe('2200-01-01T00:00:00.000Z');
  expect(await isMember('seed')).toBe(true);
});

it('an account returns once it is seen, or named by somebody who may', async () => {
  await program.append('x', 'named', sighted('named', day(4)));
  await program.project();
  expect(await isMember('named')).toBe(true);
  expect(await sizeOf()).toEqual({ found: 1, seeds: 0 });
  await absent('named', day(6));
  await absent('named', day(8));
  expect(await isMember('named')).toBe(false);
  await recruit('named', FROM + 9 * DAY_MS);
  await program.project();
  expect(await isMember('named')).toBe(true);
  expect(await dueAt('named')).toBe(day(9));
});
