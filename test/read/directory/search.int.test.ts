import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listEntries } from '../../../src/read/directory/list.ts';
import { listSimilar } from '../../../src/read/directory/similar.ts';
import { openReadPool, type ReadPool } from '../../../src/read/read-pool.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
let pool: ReadPool;

const day = (n: number) => new Date(Date.UTC(2026, 9, 1 + n)).toISOString();

const sight = (handle: string, id: string, display_name: string | null, n = 0, links: string[] = []) =>
  program.append('x', handle, sighted(handle, day(n), { id, display_name, links }));

const handles = async (q: string): Promise<readonly (string | null)[]> =>
  (await listEntries(pool, program.builds, { q }, 'handle', 100, null)).items.map(({ handle }) => handle);

const similarTo = async (value: string): Promise<readonly (string | null)[]> => {
  const found = await program.services.entries.find({ platform: 'x', by: 'handle', value });
  if (found === null) throw new Error(`${value} is not there`);
  return (await listSimilar(pool, program.builds, found, 100, null)).items.map(({ handle }) => handle);
};

beforeAll(async () => {
  program = await createTestProgram();
  pool = await openReadPool(program.database.url, 2);
  await sight('leila.belov', '1', 'Leila Belov');
  await sight('obrien', '2', "Sinéad O'Brien");
  await sight('long', '3', `${'x'.repeat(900)} tail`);
  await sight('wordy', '4', Array.from({ length: 40 }, (_, i) => `w${i}`).join(' '));
  await sight('nameless', '5', null);
  await sight('renamed', '6', 'Former Name');
  await sight('moved', '7', 'Moving Target');
  await program.project();
  await sight('renamed', '6', 'Present Name', 1);
  await sight('elsewhere', '7', 'Moving Target', 1);
  await program.project();
});

afterAll(async () => {
  await pool.end();
  await program.close();
});

describe('a search', () => {
  it.each([
    ['leila', ['leila.belov']],
    ['bel lei', ['leila.belov']],
    ['leila.bel', ['leila.belov']],
    ['@LEILA', ['leila.belov']],
    ['leila bell', []],
    ['eila', []],
    ["o'brien", ['obrien']],
    ["o'br sin", ['obrien']],
    ["o'bell", []],
    ['SINÉAD', ['obrien']],
    [`${'x'.repeat(90)}`, ['long']],
    [`${'x'.repeat(90)}y`, []],
    ['w22', ['wordy']],
    ['nameless', ['nameless']],
    ['_', []],
    ['@', []],
  ])('for %o finds accounts by prefixes of the handle and of words of the name', async (q, found) => {
    expect(await handles(q)).toEqual(found);
  });

  it('finds an account by its present name, and by a former handle that no other account has', async () => {
    expect([await handles('former'), await handles('present')]).toEqual([[], ['renamed']]);
    expect([await handles('moved'), await handles('move'), await handles('moving')]).toEqual([
      ['elsewhere'],
      [],
      ['elsewhere'],
    ]);
    const { rows } = await program.database.db.query(
      `select word from ${program.builds.schema('directory')}.words w
       join ${program.builds.schema('directory')}.entries e using (platform, entry)
       where e.handle = 'renamed' order by 1`,
    );
    expect(rows.map(({ word }) => word)).toEqual([' present name', 'name', 'present']);
  });
});

describe('similar accounts', () => {
  it('share a prefix of a handle or word, the name, or a link', async () => {
    await sight('leila_belova', '20', 'Somebody');
    await sight('unlike', '21', 'Leila Belova');
    await sight('linked', '22', 'Quite Different', 0, ['https://example.org/me']);
    await sight('linking', '23', 'Another One', 0, ['https://example.org/me/']);
    await program.project();
    expect((await similarTo('leila.belov')).toSorted()).toEqual(['leila_belova', 'unlike']);
    expect(await similarTo('linked')).toContain('linking');
    expect(await similarTo('nameless')).toEqual([]);
  });

  it('share more than a word or link that over 200 have', async () => {
    for (let i = 0; i < 205; i++) await sight(`n${i}`, String(1_000 + i), `Anna Common${i}`);
    await sight('first', '2000', 'Anna Smithson', 0, ['https://example.org/shop']);
    await sight('second', '2001', 'Anna Smithson');
    for (let i = 0; i < 205; i++)
      await sight(`shop${i}`, String(3_000 + i), `Number ${i}`, 0, ['https://example.org/shop']);
    await program.project();
    expect(await similarTo('first')).toEqual(['second']);
  });
});
