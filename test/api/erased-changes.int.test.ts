import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;
let n = 0;

const FEED = '/v2/directory/changes';

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
});
afterAll(() => program.close());

/** Another account is found, so that the feed has a change. */
const discover = async (): Promise<string> => {
  n += 1;
  await program.append('x', `other${n}`, sighted(`other${n}`, new Date().toISOString(), { id: `9${n}` }));
  await program.project();
  return `other${n}`;
};

/** Erases an account, whose names are known until it is taken out. */
const erase = async (
  subject: string,
  id: string | null,
  handles: readonly string[],
  platform: Platform = 'x',
) => {
  const { database, log } = program;
  await database.db.query(sql`
    insert into erasure.open (subject, platform, native_id, handles, tenures, marks)
    values (${subject}, ${platform}, ${id}, ${handles}, '[]', '{}')`);
  for (const [i, handle] of handles.entries()) {
    const at = new Date().toISOString();
    const data = { at, subject, from: -1, through: -1, since: null, is_first: i === 0 };
    const event = { id: uuidV7(Date.now()), type: 'AccountErased', data };
    await log.append(accountStream(platform, handle), [event], 'any');
  }
  await program.project();
};
const takeOut = (subject: string) =>
  program.database.db.query(sql`delete from erasure.open where subject = ${subject}`);

// biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
const read = async (query = ''): Promise<any> => (await program.get(`${FEED}?limit=1000${query}`, key)).body;
const erasedIn = ({ data }: { data: { kind: string }[] }) => data.filter(({ kind }) => kind === 'erased');

describe('the feed of changes', () => {
  it('names who was erased by the ID, or by the handle where there is none', async () => {
    await discover();
    await erase('s-one', '71', ['ada', 'ada2']);
    await discover();
    await erase('s-two', null, ['channel'], 'telegram');
    const told = [
      { platform: 'x', id: '71', handle: null, kind: 'erased', before: null, after: null },
      { platform: 'telegram', id: null, handle: 'channel', kind: 'erased', before: null, after: null },
    ];
    expect(erasedIn(await read())).toMatchObject(told);
    expect((await read('&kind=erased')).data).toMatchObject(told);
    expect((await read('&kind=erased&platform=telegram')).data).toMatchObject([told[1]]);
    expect(JSON.stringify(await read())).not.toContain('s-one');
    const csv = await program.app.inject({
      url: `${FEED}?kind=erased&platform=x`,
      headers: { authorization: `Bearer ${key}`, accept: 'text/csv' },
    });
    expect(csv.payload).toMatch(/^position,.*\s+\d+,[^,]*,x,71,,erased,,\s*$/);
  });

  it('tells it no more once its names are gone, and refuses the cursors that missed it', async () => {
    const behind = (await read()).meta.resume_cursor;
    const other = await discover();
    await erase('s-three', '73', ['grace']);
    const page = await read(`&cursor=${behind}`);
    expect(page.data).toMatchObject([{ handle: other }, { kind: 'erased', id: '73' }]);
    await takeOut('s-three');
    expect((await read(`&cursor=${behind}`)).error).toMatchObject({ code: 'cursor_invalid' });
    // Who has heard of it goes on.
    const later = await discover();
    expect((await read(`&cursor=${page.meta.resume_cursor}`)).data).toMatchObject([{ handle: later }]);
    const whole = await read();
    expect(erasedIn(whole)).toHaveLength(2);
    expect(whole.data.map(({ handle }: { handle: string }) => handle)).toContain(later);
  });

  it('can be read from its beginning by who begins after an erasure, in pages of any size', async () => {
    const handles: string[] = [];
    let cursor = '';
    for (let pages = 0; cursor !== null && pages < 100; pages++) {
      const { data, meta, error } = (
        await program.get(`${FEED}?limit=1${cursor && `&cursor=${cursor}`}`, key)
      ).body;
      expect(error).toBeUndefined();
      handles.push(...data.map(({ handle }: { handle: string }) => handle));
      cursor = meta.next_cursor;
    }
    expect(new Set(handles).size).toBe(n + 2);
  });

  it('is refused to who began before an erasure that he did not reach', async () => {
    const { meta } = (await program.get(`${FEED}?limit=1`, key)).body;
    await discover();
    await erase('s-four', '74', ['alan']);
    expect((await read(`&cursor=${meta.next_cursor}`)).error).toBeUndefined();
    await takeOut('s-four');
    expect((await read(`&cursor=${meta.next_cursor}`)).error).toMatchObject({ code: 'cursor_invalid' });
    // Who follows another platform never had the account.
    const elsewhere = (await program.get(`${FEED}?limit=1&platform=telegram`, key)).body;
    expect((await read(`&platform=telegram&cursor=${elsewhere.meta.resume_cursor}`)).error).toBeUndefined();
  });
});
