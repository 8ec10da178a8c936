import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Platform } from '../../../../src/kernel/platform.ts';
import { createTestProgram, sighted, type TestProgram } from '../../../support/program.ts';

let program: TestProgram;

const day = (n: number) => new Date(Date.UTC(2026, 9, 1 + n)).toISOString();

beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const see = (platform: Platform, handle: string, id: string, at: number, followers: number) =>
  program.append(platform, handle, sighted(handle, day(at), { id, followers }));

const entries = async (): Promise<readonly unknown[]> => {
  const { db } = program.database;
  const { rows: builds } = await db.query<{ schema: string }>(
    `select schema_name as schema from projections.builds where projection = 'directory' and status = 'active'`,
  );
  const { rows } = await db.query(
    `select platform, handle, native_id as id, followers::int, previous_handles as former
     from ${builds[0]?.schema}.entries order by platform, native_id`,
  );
  return rows;
};

it('accounts of two platforms with one handle and one ID stay apart, in one batch and in later ones', async () => {
  await see('x', 'same', '1', 0, 10);
  await see('instagram', 'same', '1', 0, 20);
  await program.project();
  await see('instagram', 'same', '1', 1, 21);
  await see('x', 'same', '1', 1, 11);
  await program.project();
  expect(await entries()).toEqual([
    { platform: 'instagram', handle: 'same', id: '1', followers: 21, former: [] },
    { platform: 'x', handle: 'same', id: '1', followers: 11, former: [] },
  ]);
});

it('a handle is not listed as former once its account has it again', async () => {
  await see('tiktok', 'first', '7', 0, 1);
  await see('tiktok', 'second', '7', 1, 1);
  await see('tiktok', 'first', '7', 2, 1);
  await program.project();
  expect(await entries()).toContainEqual({
    platform: 'tiktok',
    handle: 'first',
    id: '7',
    followers: 1,
    former: ['second'],
  });
});
