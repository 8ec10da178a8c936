import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../../../src/kernel/platform.ts';
import type { AppliedEvent } from '../../../../src/projections/projection.ts';
import { differences } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  applyPeople,
  batchesOf,
  buildPeople,
  createPeople,
  personsIn,
  sightedAt,
} from '../../../support/people-fold.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** After every other reading. */
const LATER = 1_000_000;

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

/** Two accounts, of which the first links to the second one. */
const claim = (handle: string, profile: object): readonly AppliedEvent[] => [
  sightedAt('x', handle, { ...profile, links: [`https://www.instagram.com/${handle}/`] }),
  sightedAt('instagram', handle, profile),
];

const evidenceOf = async (schema: string, handle: string): Promise<string> => {
  const { rows } = await database.db.query<{ members: unknown }>(
    `select p.members from ${schema}.members m join ${schema}.people p using (person) where m.account = $1`,
    [`x:${handle}`],
  );
  return JSON.stringify(rows[0]?.members);
};

describe('persons of a large batch', () => {
  it('equal those of small ones where names, pages and hubs become common across its chunks', {
    tags: 'long',
  }, async () => {
    const page = { links: ['https://linktr.ee/vera.lund.pages'] };
    const star = { links: ['https://www.youtube.com/@starstarstar'] };
    const bearers = Array.from({ length: 62 }, (_, n) => claim(`noraquill${100 + n}`, NORA)).flat();
    const vera = { display_name: 'Vera Lund', ...page };
    const sharers = [
      sightedAt('x', 'veralund77', vera),
      sightedAt('tiktok', 'veralund77', vera),
      ...Array.from({ length: 8 }, (_, n) => sightedAt('tiktok', `early_sharer${n}`, page)),
    ];
    const linking = [
      sightedAt('youtube', 'starstarstar', { display_name: 'Star Starling' }),
      sightedAt('x', 'starstarstar', { display_name: 'Star Starling', ...star }),
      ...Array.from({ length: 149 }, (_, n) => sightedAt('tiktok', `early_fan${n}`, star)),
    ];
    const late = (half: number) => [
      ...Array.from({ length: 28 }, (_, n) => sightedAt('bluesky', `late${half}-${n}.test`, NORA)),
      ...Array.from({ length: 6 }, (_, n) => sightedAt('tiktok', `late_sharer${half}_${n}`, page)),
      ...Array.from({ length: 55 }, (_, n) => sightedAt('tiktok', `late_fan${half}_${n}`, star)),
    ];
    const second = [...late(1), ...fillers(0, 2_000), ...late(2)];
    const schema = await expectSame('crossing', [[...bearers, ...sharers, ...linking], second], 150);
    expect(await evidenceOf(schema, 'veralund77')).not.toContain('same_native_link');
    expect((await personsIn(database.db, schema)).flat()).not.toContain('x:starstarstar');
  });

  it('equal those of small ones where names, pages and hubs become rare again across its chunks', {
    tags: 'long',
  }, async () => {
    const page = { links: ['https://linktr.ee/vera.lund.pages'] };
    const star = { links: ['https://www.youtube.com/@starstarstar'] };
    const vera = { display_name: 'Vera Lund', ...page };
    const crowd = (profile: { bearer?: object; page?: object; star?: object }) => (half: number) => [
      ...Array.from({ length: 28 }, (_, n) =>
        sightedAt('bluesky', `late${half}-${n}.test`, profile.bearer ?? {}),
      ),
      ...Array.from({ length: 6 }, (_, n) =>
        sightedAt('tiktok', `late_sharer${half}_${n}`, profile.page ?? {}),
      ),
      ...Array.from({ length: 55 }, (_, n) =>
        sightedAt('tiktok', `late_fan${half}_${n}`, profile.star ?? {}),
      ),
    ];
    const [common, rare] = [crowd({ bearer: NORA, page, star }), crowd({})];
    const first = [
      ...Array.from({ length: 50 }, (_, n) => claim(`noraquill${100 + n}`, NORA)).flat(),
      sightedAt('x', 'veralund77', vera),
      sightedAt('tiktok', 'veralund77', vera),
      sightedAt('youtube', 'starstarstar', { display_name: 'Star Starling' }),
      sightedAt('x', 'starstarstar', { display_name: 'Star Starling', ...star }),
      ...Array.from({ length: 120 }, (_, n) => sightedAt('tiktok', `early_fan${n}`, star)),
      ...common(1),
      ...common(2),
    ];
    const second = [...rare(1), ...fillers(0, 2_000), ...rare(2)];
    const schema = await expectSame('rare', [first, second], 150);
    const persons = (await personsIn(database.db, schema)).flat();
    expect(persons).toContain('x:starstarstar');
    expect(persons).toContain('x:veralund77');
  });
});

describe('persons of an account whose name another one has', () => {
  const fans = Array.from({ length: 210 }, (_, n) =>
    sightedAt('tiktok', `fan_of_hub${n}`, { links: ['https://x.com/hubname'] }, 1),
  );
  const link = (platform: string) => ({ links: [platform] });

  it('do not rest on a link to a hub, whichever end changes', { tags: 'long' }, async () => {
    const named = { display_name: 'Star Starling' };
    const linking = { ...named, links: ['https://www.youtube.com/@starstarstar'] };
    const merged = async (name: string, count: number, changed: AppliedEvent): Promise<boolean> => {
      const first = [
        ...Array.from({ length: count }, (_, n) =>
          sightedAt('tiktok', `fan${n}`, { links: ['https://www.youtube.com/@starstarstar'] }),
        ),
        sightedAt('youtube', 'starstarstar', named),
        sightedAt('x', 'starstarstar', linking),
      ];
      const schema = await expectSame(name, [first, [changed]], 50);
      return (await personsIn(database.db, schema)).flat().includes('x:starstarstar');
    };
    const target = sightedAt(
      'youtube',
      'starstarstar',
      { ...named, bio: 'Songs, stages and long drives', verified: true },
      LATER,
    );
    const source = sightedAt(
      'x',
      'starstarstar',
      { ...linking, bio: 'Songs, stages and long drives', verified: true },
      LATER,
    );
    // With the link itself, 200 are the most that link to an account which is no hub.
    expect(await merged('few_target', 199, target)).toBe(true);
    expect(await merged('few_source', 199, source)).toBe(true);
    expect(await merged('many_target', 200, target)).toBe(false);
    expect(await merged('many_source', 200, source)).toBe(false);
  });

  it('are resolved without a hub that an account far from the changed one links to', async () => {
    const named = { display_name: 'Star Starling' };
    const at = (n: number): [Platform, string, string] =>
      n % 2 === 0
        ? ['telegram', `starling_${n}`, `https://t.me/starling_${n}`]
        : ['tiktok', `starling_${n}`, `https://www.tiktok.com/@starling_${n}`];
    // As many as a component may have: with the hub it would be too large for links one way.
    const chain = Array.from({ length: 50 }, (_, n) => {
      const [platform, handle] = at(n);
      const linked = n === 49 ? 'https://www.youtube.com/@starstarstar' : at(n + 1)[2];
      return sightedAt(platform, handle, { ...named, links: [linked] });
    });
    const persons = async (name: string, count: number) => {
      const linking = Array.from({ length: count }, (_, n) =>
        sightedAt('x', `fan${n}`, { links: ['https://www.youtube.com/@starstarstar'] }),
      );
      const first = [...linking, sightedAt('youtube', 'starstarstar', named), ...chain];
      const [platform, handle] = at(0);
      const changed = sightedAt(
        platform,
        handle,
        { ...named, bio: 'Songs, stages and long drives', links: [at(1)[2]] },
        LATER,
      );
      const schema = await expectSame(name, [first, [changed]], 50);
      return personsIn(database.db, schema);
    };
    expect((await persons('far_hub', 200)).length).toBeGreaterThan(10);
    expect(await persons('far_account', 199)).toEqual([]);
  });

  it('do not remain where a hub turns out to be another’s', async () => {
    const events = [
      ...fans,
      sightedAt('x', 'hubname', { id: '1', display_name: 'Ada', ...link('https://t.me/friend_f') }, 2),
      sightedAt('telegram', 'friend_f', { display_name: 'Ivan', ...link('https://x.com/hubname') }, 5),
    ];
    const late = sightedAt('x', 'hubname', { id: '2', display_name: 'Someone' }, 3);
    const schema = await expectSame('hub', [events, [late]], 40);
    await expectSame('hub_first', [[late], events], 40);
    const { rows } = await database.db.query(
      `select from ${schema}.members m where not exists (select from ${schema}.people p where p.person = m.person)`,
    );
    expect(rows).toEqual([]);
    expect(await personsIn(database.db, schema)).toEqual([]);
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

  it('are found by a name whose key would end within a character', async () => {
    const { db } = database;
    await createPeople(db, 'cut');
    const name = (more: string) => ({ display_name: `a${'\u{20000}'.repeat(50)} bb${more}` });
    const read = (more: string) => [sightedAt('bluesky', 'long.test', { id: '1', ...name(more) })];
    await applyPeople(db, 'cut', [read('')]);
    await applyPeople(db, 'cut', [read(' cc')]);
    await applyPeople(db, 'cut', [read('')]);
    const { rows } = await db.query<{ n: string }>('select n from cut.bearers');
    expect(rows).toEqual([{ n: '1' }]);
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
    const [linking, linked] = claim('noraquill77', NORA);
    await applyPeople(db, 'merged', [[linking as AppliedEvent]]);
    expect(listed(await wordsIn('merged'))).toEqual(['-1 nora', '-1 noraquill77', '-1 quill']);
    const { rows: former } = await db.query<{ person: string }>('select person from merged.people');
    await applyPeople(db, 'merged', [[linked as AppliedEvent]]);
    await applyPeople(db, 'merged', [
      [
        sightedAt('instagram', 'noraquill77', {
          display_name: 'Nora Anders',
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
