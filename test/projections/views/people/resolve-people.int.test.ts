import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../../../src/kernel/platform.ts';
import type { AppliedEvent } from '../../../../src/projections/projection.ts';
import { readDueLinkPages } from '../../../../src/read/people/link-pages.ts';
import { differences } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  applyPeople,
  batchesOf,
  buildPeople,
  createPeople,
  FIRST,
  pageRead,
  personsIn,
  sightedAt,
} from '../../../support/people-fold.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const NORA = { display_name: 'Nora Quill' };

/** Folds events in batches of each of two sizes and as a rebuild does, and expects the same rows. */
const expectSame = async (
  name: string,
  phases: readonly (readonly AppliedEvent[])[],
  size: number,
): Promise<string> => {
  const { db } = database;
  const [whole, part, built] = [`${name}_whole`, `${name}_part`, `${name}_built`];
  for (const schema of [whole, part, built]) await createPeople(db, schema);
  await applyPeople(db, whole, phases);
  const pages = phases.flatMap((events) => [...batchesOf(events, () => size)]);
  await applyPeople(db, part, pages);
  await buildPeople(db, built, pages);
  for (const schema of [part, built]) expect(await differences(db, whole, schema), schema).toEqual([]);
  return whole;
};

/** Accounts that are there to fill more than one chunk of those that are resolved together. */
const fillers = (from: number, count: number): readonly AppliedEvent[] =>
  Array.from({ length: count }, (_, n) =>
    sightedAt('telegram', `filler_${from + n}`, { display_name: `Filler${from + n}` }),
  );

/** Two accounts that link to each other. */
const pair = (handle: string, profile: object): readonly AppliedEvent[] => [
  sightedAt('x', handle, { ...profile, links: [`https://www.instagram.com/${handle}/`] }),
  sightedAt('instagram', handle, { ...profile, links: [`https://x.com/${handle}`] }),
];

describe('persons of a large batch', () => {
  it('equal those of small ones, where accounts of one are in different chunks', {
    tags: 'long',
  }, async () => {
    const [first, second] = [pair('noraquill77', NORA), pair('veralund77', { display_name: 'Vera Lund' })];
    const events = [
      ...first.slice(0, 1),
      ...second.slice(0, 1),
      ...fillers(0, 2_100),
      ...second.slice(1),
      ...first.slice(1),
    ];
    const schema = await expectSame('chunks', [events], 150);
    expect(await personsIn(database.db, schema)).toEqual([
      ['instagram:noraquill77', 'x:noraquill77'],
      ['instagram:veralund77', 'x:veralund77'],
    ]);
  });
});

describe('persons among too many accounts to compare', () => {
  /** Persons with two accounts each, and a third one of others between each and the next: all point at each other. */
  const chain = (from: number, to: number): readonly AppliedEvent[] =>
    Array.from({ length: to - from }, (_, k) => {
      const n = from + k;
      const name = { display_name: `Name${n} Last${n}` };
      const [x, instagram] = [`https://x.com/person_${n}`, `https://www.instagram.com/person_${n}/`];
      return [
        sightedAt('x', `person_${n}`, { ...name, links: [instagram, `https://t.me/bridge_${n}`] }),
        sightedAt('instagram', `person_${n}`, { ...name, links: [x, `https://t.me/bridge_${n - 1}`] }),
        sightedAt('telegram', `bridge_${n}`, {
          display_name: 'Bridge',
          links: [x, `https://www.instagram.com/person_${n + 1}/`],
        }),
      ];
    }).flat();

  it('are the same whether all are read at once or one tips the scale', async () => {
    const schema = await expectSame('tipped', [[...chain(0, 16), ...chain(16, 18)]], 48);
    const expected = Array.from({ length: 18 }, (_, n) => [`instagram:person_${n}`, `x:person_${n}`]);
    expect(await personsIn(database.db, schema)).toEqual(expected.toSorted());
  });

  it('keep their accounts, whoever of those that one account of theirs answers brings a crowd', async () => {
    const label = (...members: readonly string[]) =>
      sightedAt('tiktok', 'label', {
        display_name: 'Label',
        links: members.map((one) => `https://x.com/${one}`),
      });
    const member = (handle: string, name: string, links: readonly string[]) =>
      sightedAt('x', handle, { display_name: name, links: ['https://www.tiktok.com/@label', ...links] });
    const nora = [
      member('noraquill77', 'Nora Quill', ['https://www.instagram.com/noraquill77/']),
      sightedAt('instagram', 'noraquill77', { ...NORA, links: ['https://x.com/noraquill77'] }),
      label('noraquill77', 'veralund'),
    ];
    const crowd = Array.from({ length: 60 }, (_, n) =>
      sightedAt(n % 2 === 0 ? 'telegram' : 'instagram', `crowd_${n}`, {
        display_name: 'Vera Lund',
        links: [
          'https://x.com/veralund',
          `https://t.me/crowd_${n - 1}`,
          `https://t.me/crowd_${n + 1}`,
        ].concat([`https://www.instagram.com/crowd_${n - 1}/`, `https://www.instagram.com/crowd_${n + 1}/`]),
      }),
    );
    const vera = member('veralund', 'Vera Lund', ['https://t.me/crowd_0']);
    const schema = await expectSame('flooded', [nora, [vera, ...crowd]], 20);
    expect(await personsIn(database.db, schema)).toContainEqual(['instagram:noraquill77', 'x:noraquill77']);
  });
});

describe('persons whose accounts link to a page', () => {
  const PAGE = 'linktr.ee/noraquill77';
  const onPage = (...links: readonly string[]) => ({ ...NORA, links: [`https://${PAGE}`, ...links] });
  const [X, TELEGRAM] = ['https://x.com/noraquill77', 'https://t.me/noraquill77'];
  const accounts = [
    sightedAt('x', 'noraquill77', onPage(), 1),
    sightedAt('telegram', 'noraquill77', onPage(), 2),
  ];
  const both = [['telegram:noraquill77', 'x:noraquill77']];

  it('are joined by what it lists, whichever is read first, until it lists them no more', async () => {
    const listing = [pageRead(PAGE, [X, TELEGRAM], 10)];
    for (const [name, phases] of [
      ['page_last', [accounts, listing]],
      ['page_first', [listing, accounts]],
    ] as const)
      expect(await personsIn(database.db, await expectSame(name, phases, 1))).toEqual(both);
    for (const [name, links] of [
      ['page_left', [X]],
      ['page_gone', null],
      ['page_of_many', [X, TELEGRAM, ...Array.from({ length: 20 }, (_, n) => `https://t.me/client_${n}`)]],
    ] as const) {
      const schema = await expectSame(name, [accounts, listing, [pageRead(PAGE, links, 20)]], 1);
      expect(await personsIn(database.db, schema), name).toEqual([]);
    }
  });

  it('do not include who links to it and is not on it, or is on it and does not link to it', async () => {
    const fan = sightedAt('tiktok', 'noraquill77', onPage(), 3);
    const listed = sightedAt('bluesky', 'noraquill77.test', NORA, 4);
    const page = pageRead(PAGE, [X, TELEGRAM, 'https://bsky.app/profile/noraquill77.test'], 10);
    const schema = await expectSame('page_claims', [[...accounts, fan, listed], [page]], 2);
    expect(await personsIn(database.db, schema)).toEqual(both);
  });

  it('include who answers to an account whose own page lists it', async () => {
    const events = [
      sightedAt('x', 'noraquill77', onPage(), 1),
      sightedAt('bluesky', 'noraquill77.test', { ...NORA, links: [X] }, 2),
      pageRead(PAGE, [X, 'https://bsky.app/profile/noraquill77.test'], 10),
    ];
    const schema = await expectSame('page_answer', [events], 1);
    expect(await personsIn(database.db, schema)).toEqual([['bluesky:noraquill77.test', 'x:noraquill77']]);
  });

  it('are not changed by an older reading of it', async () => {
    const events = [...accounts, pageRead(PAGE, [X, TELEGRAM], 10), pageRead(PAGE, [X], 5)];
    expect(await personsIn(database.db, await expectSame('page_older', [events], 1))).toEqual(both);
  });

  it('have a row of each page that was ever linked to', async () => {
    await expectSame('page_between', [[...accounts, sightedAt('x', 'noraquill77', NORA, 3)]], 1);
  });

  it('have their pages read, each once a while, as long as an account links to it', async () => {
    const { db } = database;
    await createPeople(db, 'due');
    const due = (before: string, but: readonly string[] = []) =>
      readDueLinkPages(db, 'due', { before, but, limit: 10 });
    await applyPeople(db, 'due', [
      accounts,
      [sightedAt('tiktok', 'other', { links: ['https://linktr.ee/other'] })],
    ]);
    expect((await due(FIRST)).toSorted()).toEqual([PAGE, 'linktr.ee/other'].toSorted());
    expect(await due(FIRST, ['linktr.ee/other'])).toEqual([PAGE]);
    await applyPeople(db, 'due', [[pageRead(PAGE, null, 10)], [sightedAt('tiktok', 'other', {})]]);
    expect(await due(FIRST)).toEqual([]);
    expect(await due(new Date(Date.parse(FIRST) + 3_600_000).toISOString())).toEqual([PAGE]);
  });
});

describe('persons with a domain', () => {
  it('are the account with the domain for a handle, and who links to its site and is linked to', async () => {
    const site = { ...NORA, links: ['https://noraquill.test/'] };
    const answered = sightedAt(
      'bluesky',
      'noraquill.test',
      { ...NORA, links: ['https://x.com/noraquill77'] },
      2,
    );
    const schema = await expectSame('domain', [[sightedAt('x', 'noraquill77', site, 1), answered]], 1);
    expect(await personsIn(database.db, schema)).toEqual([['bluesky:noraquill.test', 'x:noraquill77']]);
    const silent = sightedAt('bluesky', 'noraquill.test', NORA, 2);
    const other = await expectSame('domain_silent', [[sightedAt('x', 'noraquill77', site, 1), silent]], 1);
    expect(await personsIn(database.db, other)).toEqual([]);
  });
});

describe('persons of an account whose name another one has', () => {
  it('do not include who took the name over, by a link that appeared before', async () => {
    const [x, instagram] = ['https://x.com/noraquill77', 'https://www.instagram.com/noraquill77/'];
    const own = { id: '9', ...NORA };
    const before = [
      sightedAt('instagram', 'noraquill77', { id: '70', ...NORA, links: [x] }, 1),
      sightedAt('x', 'noraquill77', { ...own, links: [] }, 2),
      sightedAt('x', 'noraquill77', { ...own, links: [instagram] }, 3),
      sightedAt('instagram', 'nora.quill', { id: '70', ...NORA, links: [x] }, 10),
    ];
    const taken = sightedAt('instagram', 'noraquill77', { id: '666', ...NORA, links: [x] }, 20);
    const schema = await expectSame('taken', [before, [taken]], 1);
    expect(await personsIn(database.db, schema)).toEqual([['instagram:id:70', 'x:id:9']]);
  });

  it('do not include who took the name over, by a link that was gone for a while', async () => {
    const [x, instagram] = ['https://x.com/noraquill77', 'https://www.instagram.com/noraquill77/'];
    const own = (links: readonly string[]) => ({ id: '9', ...NORA, links });
    const events = [
      sightedAt('x', 'noraquill77', own([]), 1),
      sightedAt('instagram', 'noraquill77', { id: '70', ...NORA, links: [x] }, 2),
      sightedAt('x', 'noraquill77', own([instagram]), 3),
      sightedAt('instagram', 'nora.quill', { id: '70', ...NORA, links: [x] }, 10),
      sightedAt('instagram', 'noraquill77', { id: '666', ...NORA, links: [x] }, 20),
      sightedAt('x', 'noraquill77', own([]), 30),
      sightedAt('x', 'noraquill77', own([instagram]), 40),
    ];
    const schema = await expectSame('returned', [events], 1);
    expect(await personsIn(database.db, schema)).toEqual([['instagram:id:70', 'x:id:9']]);
  });

  it('need names that agree, if a link was there from the first reading on', async () => {
    const links = (url: string, first: string) => ({ display_name: first, links: [url] });
    const back = sightedAt(
      'instagram',
      'noraquill77',
      {
        id: '70',
        ...links('https://x.com/noraquill77', 'Nora Quill Stone'),
      },
      2,
    );
    const read = (at: number, shown: object) =>
      sightedAt('x', 'noraquill77', { id: '9', display_name: 'Nora Quill Hess', ...shown }, at);
    const link = { links: ['https://www.instagram.com/noraquill77/'] };
    const unlinked = sightedAt('instagram', 'noraquill77', { id: '70', display_name: 'Nora Quill Stone' }, 1);
    const undated = await expectSame('undated', [[back, read(3, link)]], 1);
    expect(await personsIn(database.db, undated)).toEqual([]);
    const dated = await expectSame('dated', [[read(0, {}), unlinked, back, read(4, link)]], 1);
    expect(await personsIn(database.db, dated)).toEqual([['instagram:id:70', 'x:id:9']]);
  });

  it('do not change when their owner adds a link, since an old one means the name’s owner at the time', async () => {
    const star = (...links: readonly string[]) => ({ id: '9', display_name: 'Nora Quill', links });
    const [own, other] = ['https://www.instagram.com/noraquill77/', 'https://t.me/noraquill77'];
    const owner = { id: '70', display_name: 'Nora Quill', links: ['https://x.com/noraquill77'] };
    const attacker = { ...owner, id: '666' };
    const events = [
      sightedAt('x', 'noraquill77', star(own), 1),
      sightedAt('instagram', 'noraquill77', owner, 2),
      sightedAt('instagram', 'nora.quill', owner, 10),
      sightedAt('instagram', 'noraquill77', attacker, 20),
      sightedAt('x', 'noraquill77', star(other, own), 30),
    ];
    const schema = await expectSame('redated', [events], 1);
    expect(await personsIn(database.db, schema)).toEqual([['instagram:id:70', 'x:id:9']]);
    // Nor when it has another name itself.
    const renamed = [...events, sightedAt('x', 'nora_quill_77', star(other, own), 40)];
    const again = await expectSame('redated_renamed', [renamed], 1);
    expect(await personsIn(database.db, again)).toEqual([['instagram:id:70', 'x:id:9']]);
  });

  it('change when it is seen under a former name again', async () => {
    const own = (links: readonly string[]) => ({ id: '9', display_name: 'Nora Quill', links });
    const back = { id: '70', display_name: 'Nora Quill', links: ['https://x.com/noraquill77'] };
    const unchanged = (at: number): AppliedEvent => {
      const event = sightedAt('x', 'noraquill77', {}, at);
      const data = { ...(event.data as object), moved: { followers: 3 }, profile: undefined };
      return { ...event, type: 'AccountUnchanged', data } as unknown as AppliedEvent;
    };
    const events = [
      sightedAt('x', 'noraquill77', own(['https://www.instagram.com/noraquill77/']), 1),
      sightedAt('instagram', 'noraquill77', back, 2),
      sightedAt('x', 'nora_other', own([]), 10),
      sightedAt('x', 'noraquill77', own(['https://www.instagram.com/noraquill77/']), 20),
      unchanged(30),
    ];
    await expectSame('former', [events], 1);
    await expectSame('former_late', [events.slice(0, 3), events.slice(3)], 1);
  });
});

describe('rows of persons', () => {
  it('are not rewritten where a change leaves them as they are', async () => {
    const { db } = database;
    await createPeople(db, 'unchanged');
    const versions = async () => {
      const { rows } = await db.query<{ xmin: string }>(`select xmin::text from unchanged.people`);
      return rows.map(({ xmin }) => xmin);
    };
    const shown = { id: '1', followers: 100, ...NORA };
    const read = (profile: object) => [sightedAt('x' as Platform, 'noraquill77', { ...shown, ...profile })];
    await applyPeople(db, 'unchanged', [read({ bio: 'Maps, data and bad puns' })]);
    const before = await versions();
    await applyPeople(db, 'unchanged', [read({ bio: 'Data, maps and worse puns' })]);
    expect(await versions()).toEqual(before);
    await applyPeople(db, 'unchanged', [read({ followers: 200 })]);
    expect(await versions()).not.toEqual(before);
  });
});

describe('rows of words', () => {
  interface Word {
    readonly rank: number;
    readonly word: string;
    readonly version: string;
  }
  const wordsIn = async (schema: string): Promise<readonly Word[]> => {
    const { rows } = await database.db.query<Word>(
      `select rank, word, xmin::text as version from ${schema}.words order by rank, word`,
    );
    return rows;
  };
  const listed = (words: readonly Word[]): readonly string[] =>
    words.map(({ rank, word }) => `${rank} ${word}`);
  const read = (profile: object) => [sightedAt('bluesky', 'quill.test', { id: '1', ...profile })];

  it('are a person’s present ones, and only changed ones are rewritten', async () => {
    const { db } = database;
    await createPeople(db, 'words');
    await applyPeople(db, 'words', [read({ display_name: 'Nora Quill', followers: 9 })]);
    const first = await wordsIn('words');
    expect(listed(first)).toEqual(['20 nora', '20 quill', '20 quill.test']);
    await applyPeople(db, 'words', [read({ display_name: 'Nora Quills', followers: 9 })]);
    const renamed = await wordsIn('words');
    expect(listed(renamed)).toEqual(['20 nora', '20 quill.test', '20 quills']);
    const versionOf = (words: readonly Word[], of: string) => words.find(({ word }) => word === of)?.version;
    for (const word of ['nora', 'quill.test']) expect(versionOf(renamed, word)).toBe(versionOf(first, word));
    await applyPeople(db, 'words', [read({ display_name: 'Nora Quills', followers: 99 })]);
    expect(listed(await wordsIn('words'))).toEqual(['40 nora', '40 quill.test', '40 quills']);
  });

  it('belong to the accounts of existing persons', async () => {
    const { db } = database;
    await createPeople(db, 'merged');
    const [linking, linked] = pair('noraquill77', NORA);
    await applyPeople(db, 'merged', [[linking as AppliedEvent]]);
    expect(listed(await wordsIn('merged'))).toEqual(['-1 nora', '-1 noraquill77', '-1 quill']);
    const { rows: former } = await db.query<{ person: string }>('select person from merged.people');
    await applyPeople(db, 'merged', [[linked as AppliedEvent]]);
    await applyPeople(db, 'merged', [
      [
        sightedAt('instagram', 'noraquill77', {
          display_name: 'Nora Quill Anders',
          links: ['https://x.com/noraquill77'],
        }),
      ],
    ]);
    expect(await personsIn(db, 'merged')).toHaveLength(1);
    const { rows: now } = await db.query<{ person: string }>('select person from merged.people');
    expect(now).not.toEqual(former);
    const { rows } = await db.query(
      `select rank, w as word from merged.people, unnest(string_to_array(substr(words, 2), ' ')) w order by 1, 2`,
    );
    expect((await wordsIn('merged')).map(({ rank, word }) => ({ rank, word }))).toEqual(rows);
    const { rows: strays } = await db.query(
      `select from merged.words w where not exists (select from merged.people where person = w.person)`,
    );
    expect(strays).toEqual([]);
  });

  it('are cut to what an index holds', async () => {
    const { db } = database;
    await createPeople(db, 'long_words');
    await applyPeople(db, 'long_words', [read({ display_name: '\u{20000}y'.repeat(400) })]);
    const words = await wordsIn('long_words');
    expect(words).toHaveLength(2);
    expect(Math.max(...words.map(({ word }) => word.length))).toBeLessThanOrEqual(60);
  });
});
