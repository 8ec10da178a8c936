import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundEntry } from '../../../src/read/directory/entry.ts';
import type { ListReads } from '../../../src/read/lists.ts';
import { listPosts } from '../../../src/read/posts/entry-posts.ts';
import { openReadPool, type ReadPool } from '../../../src/read/read-pool.ts';
import { itemsOf } from '../../support/pages.ts';
import { createTestProgram, posted, sighted, type TestProgram, unavailable } from '../../support/program.ts';

let program: TestProgram;
let pool: ReadPool;

const hour = (n: number) => new Date(Date.UTC(2026, 9, 1) + n * 3_600_000).toISOString();
const COUNT = 640;

beforeAll(async () => {
  program = await createTestProgram();
  await program.append('x', 'busy', sighted('busy', hour(0), { id: '1' }));
  for (let from = 0; from < COUNT; from += 40) {
    const some = Array.from({ length: 40 }, (_, i) => ({
      id: `b${from + i}`,
      at: hour(from + i),
      likes: from,
    }));
    await program.append('x', 'busy', posted(hour(from + 40), ...some));
  }
  // Paged back, and undated.
  const older = Array.from({ length: 30 }, (_, i) => ({ id: `o${i}`, at: hour(-1 - i), likes: 1 }));
  await program.append('x', 'busy', posted(hour(COUNT), ...older, { id: 'u1' }, { id: 'u2', likes: 0 }));
  await program.project();
  pool = await openReadPool(program.database.url, 2);
});

afterAll(async () => {
  await pool.end();
  await program.close();
});

const entry = async (handle: string): Promise<FoundEntry> => {
  const found = await program.services.entries.find({ platform: 'x', by: 'handle', value: handle });
  if (found === null) throw new Error(`${handle} is not in the directory`);
  return found;
};

/** Reads pages to the end. @returns the posts, and the rows that each page took from the database. */
const walk = async (handle: string, limit: number) => {
  const found = await entry(handle);
  const rows: number[] = [];
  const posts = await itemsOf(async (after) => {
    let taken = 0;
    const counting: ListReads = {
      any: async (query) => {
        const all = await pool.any(query);
        taken += all.length;
        return all;
      },
    };
    const page = await listPosts(counting, program.builds, found, limit, after);
    rows.push(taken);
    return page;
  });
  return { posts, rows };
};

const ids = async (handle: string, limit = 100) => (await walk(handle, limit)).posts.map(({ id }) => id);

describe('the posts of an entry', () => {
  it('are listed newest first, undated last, each once, on pages of any size', async () => {
    const expected = [
      ...Array.from({ length: COUNT }, (_, i) => `b${COUNT - 1 - i}`),
      ...Array.from({ length: 30 }, (_, i) => `o${i}`),
      'u2',
      'u1',
    ];
    for (const limit of [7, 40, 100]) expect(await ids('busy', limit), `limit ${limit}`).toEqual(expected);
  });

  it('take as many rows a page at any depth', async () => {
    const { rows } = await walk('busy', 20);
    expect(rows.length).toBeGreaterThan(30);
    expect(Math.max(...rows)).toBeLessThanOrEqual(4);
  });

  it('have the counts of their last sighting, even beyond the newest', async () => {
    const { posts } = await walk('busy', 100);
    const first = posts.find(({ id }) => id === 'b0');
    expect(first).toMatchObject({ likes: 0, views: null, observed_at: hour(40), at: hour(0) });
    expect(posts.find(({ id }) => id === 'u2')).toMatchObject({
      at: null,
      likes: 0,
      observed_at: hour(COUNT),
    });
  });

  it('stay for an account that stopped publishing, undated ones last', async () => {
    await program.append(
      'x',
      'old',
      sighted('old', hour(0), { id: '8' }),
      posted(
        hour(0),
        { id: 'young', at: hour(-399 * 24) },
        { id: 'old', at: hour(-401 * 24) },
        { id: 'undated' },
      ),
    );
    await program.project();
    expect(await ids('old')).toEqual(['young', 'old', 'undated']);
  });

  it('follow a rename, each once though recorded under both handles', async () => {
    await program.append(
      'x',
      'before',
      sighted('before', hour(0), { id: '2' }),
      posted(hour(0), { id: 'p1', at: hour(-2) }, { id: 'p2', at: hour(-1), likes: 5 }),
    );
    await program.append(
      'x',
      'after',
      sighted('after', hour(9), { id: '2' }),
      posted(hour(9), { id: 'p2', at: hour(-1), likes: 6 }, { id: 'p3', at: hour(8) }),
    );
    await program.project();
    expect(await ids('after', 1)).toEqual(['p3', 'p2', 'p1']);
    const { posts } = await walk('after', 10);
    expect(posts.find(({ id }) => id === 'p2')?.likes).toBe(6);
  });

  it('are not inherited with a taken handle', async () => {
    await program.append(
      'x',
      'wanted',
      sighted('wanted', hour(0), { id: '3' }),
      posted(hour(0), { id: 'mine', at: hour(-1) }),
    );
    await program.append('x', 'moved_on', sighted('moved_on', hour(1), { id: '3' }));
    await program.append('x', 'wanted', unavailable(hour(2), 'absent'));
    await program.project();
    expect(await ids('moved_on')).toEqual(['mine']);
    await program.append(
      'x',
      'wanted',
      sighted('wanted', hour(3), { id: '4' }),
      posted(hour(3), { id: 'theirs', at: hour(2) }),
    );
    await program.project();
    expect(await ids('wanted')).toEqual(['theirs']);
    expect(await ids('moved_on')).toEqual([]);
  });
});
