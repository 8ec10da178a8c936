import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparePeople } from '../../../src/operations/people/compare.ts';
import { explainPeople } from '../../../src/operations/people/explain.ts';
import { type TrueOwner, verifyPeople } from '../../../src/operations/people/verify.ts';
import { createBuild } from '../../../src/projections/builds/builds.ts';
import type { AppliedEvent } from '../../../src/projections/projection.ts';
import { people } from '../../../src/projections/views/people/projection.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { applyPeople, sightedAt } from '../../support/people-fold.ts';

const NORA = { display_name: 'Nora Quill' };
const [X, INSTAGRAM, TELEGRAM] = [
  'https://x.com/noraquill77',
  'https://www.instagram.com/noraquill77/',
  'https://t.me/noraquill77',
];

/** Two accounts that link to each other, one without a link, and one of another name that links to the first. */
const events: readonly AppliedEvent[] = [
  sightedAt('x', 'noraquill77', { ...NORA, id: '1', links: [INSTAGRAM] }),
  sightedAt('instagram', 'noraquill77', { ...NORA, id: '2', links: [X] }),
  sightedAt('telegram', 'noraquill77', NORA),
  sightedAt('tiktok', 'some_fan_of_hers', { display_name: 'Ivan Berg', id: '4', links: [X] }),
];

let database: TestDatabase;
let [active, later] = ['', ''];
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  active = (await createBuild(db, people, 'active')).schema;
  await applyPeople(db, active, [events]);
  later = (await createBuild(db, people, 'building')).schema;
  const linked = [
    sightedAt('telegram', 'noraquill77', { ...NORA, links: [X] }),
    sightedAt('x', 'noraquill77', { ...NORA, id: '1', links: [INSTAGRAM, TELEGRAM] }),
  ];
  await applyPeople(db, later, [events, linked]);
});
afterAll(() => database.drop());

const code = (code: string) => expect.objectContaining({ name: 'OperatorError', code });

describe('an explanation of two accounts', () => {
  it('has the evidence that makes them one person, whose weights add up to the log odds', async () => {
    const found = await explainPeople(database, 'x:@NoraQuill77', INSTAGRAM);
    expect(found).toMatchObject({ are_one: true, groups: [['x:id:1'], ['instagram:id:2']], reasons: [] });
    expect(found.evidence.map(({ kind }) => kind)).toContain('mutual_link');
    const sum = found.evidence.reduce((total, { weight }) => total + weight, 0);
    expect(sum).toBeCloseTo(found.log_odds ?? 0, 1);
    expect(found.log_odds).toBeGreaterThan(found.threshold);
    expect(found.confidence).toBeGreaterThan(0.9);
  });

  it('says what keeps accounts from being compared', async () => {
    expect(await explainPeople(database, 'x:noraquill77', 'telegram:noraquill77')).toMatchObject({
      are_one: false,
      confidence: null,
      evidence: [],
      reasons: ['no link connects them'],
    });
    const { are_one, reasons } = await explainPeople(database, 'x:id:1', 'tiktok:some_fan_of_hers');
    expect([are_one, reasons]).toEqual([
      false,
      ['a link one way: nothing that the other side controls answers it'],
    ]);
  });

  it('is refused for no account, for one that the catalog lacks, and for the same account twice', async () => {
    for (const other of ['nobody', 'x:unknown_to_all', 'x:id:1'])
      await expect(explainPeople(database, 'x:noraquill77', other)).rejects.toEqual(code('argument_invalid'));
  });
});

describe('a comparison of two builds', () => {
  it('lists the pairs that only one of them has', async () => {
    const gained = [
      ['instagram:id:2', 'telegram:noraquill77'],
      ['telegram:noraquill77', 'x:id:1'],
    ];
    const forwards = await comparePeople(database, active, later, 10);
    expect(forwards).toEqual({
      pairs: { first: 1, second: 3, both: 1 },
      gained: { count: 2, some: gained },
      lost: { count: 0, some: [] },
    });
    const backwards = await comparePeople(database, later, active, 1);
    expect(backwards).toEqual({
      pairs: { first: 3, second: 1, both: 1 },
      gained: { count: 0, some: [] },
      lost: { count: 2, some: gained.slice(0, 1) },
    });
  });

  it('is refused for a build that does not exist', async () => {
    await expect(comparePeople(database, active, 'people_v9_b9', 10)).rejects.toEqual(code('build_unknown'));
  });
});

describe('a verification', () => {
  async function* truth(instagram: number | null, role: string | null): AsyncGenerator<TrueOwner> {
    yield { platform: 'x', id: '1', handle: 'noraquill77', person: 7, role: null };
    yield { platform: 'instagram', id: '2', handle: 'noraquill77', person: instagram, role };
    yield { platform: 'tiktok', id: '4', handle: 'some_fan_of_hers', person: null, role: 'fan' };
    yield { platform: 'youtube', id: '5', handle: 'never_read', person: 7, role: null };
  }

  it('counts the found pairs of one owner, among accounts that were read', async () => {
    const figures = await verifyPeople(database, truth(7, null));
    expect(figures).toMatchObject({ accounts: 3, precision: { value: 1 }, recall: { value: 1 } });
    expect(figures.kinds).toEqual(expect.arrayContaining([{ kind: 'fan', accounts: 1, false_pairs: 0 }]));
  });

  it('counts a pair of two owners as false, by the kind of the misleading account', async () => {
    const figures = await verifyPeople(database, truth(null, 'impersonator'));
    expect(figures).toMatchObject({ precision: { value: 0 }, recall: null });
    expect(figures.kinds).toEqual(
      expect.arrayContaining([{ kind: 'impersonator', accounts: 1, false_pairs: 1 }]),
    );
  });
});
