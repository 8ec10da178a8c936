import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const page = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8');
/** Queries of the page on tables of the served builds; those on copies name schemas of their own. */
const queries = [...page.matchAll(/```sql\n(.*?)```/gs)]
  .map(([, sql = '']) => sql)
  .filter((sql) => /_v\d+_b\d+\./.test(sql));

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
  for (const [handle, hour] of [
    ['nasa_old', 8],
    ['nasa', 9],
  ] as const)
    await program.append(
      'x',
      handle,
      sighted(handle, `2026-11-21T0${hour}:00:00.000Z`, { id: '11348282', followers: 96_000_000 }),
    );
  await program.project();
});
afterAll(() => program.close());

const rowsOf = async (query: string) => {
  const own = query.replaceAll(/\b(\w+)_v\d+_b\d+\./g, (_, name) => `${program.builds.schema(name)}.`);
  return (await program.database.db.query(own)).rows;
};

it('queries of the page for analysts run as they stand, but for the number of the build', async () => {
  expect(queries.length).toBeGreaterThan(1);
  for (const query of queries) await rowsOf(query);
});

it('renames are found by the query of the page', async () => {
  const query = queries.find((each) => each.includes("'renamed'")) ?? '';
  expect(await rowsOf(query)).toEqual([
    {
      at: '2026-11-21T09:00:00.000Z',
      platform: 'x',
      native_id: '11348282',
      old_handle: 'nasa_old',
      new_handle: 'nasa',
    },
  ]);
});
