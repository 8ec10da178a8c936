import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/kernel/platform.ts';
import {
  accountKey,
  type Candidate,
  candidateOf,
  identityFacts,
  type Links,
  targetsOf,
} from '../../../src/write/people/account.ts';
import { clusterOf, evidenceOf, membershipOf } from '../../../src/write/people/cluster.ts';
import {
  folded,
  introIn,
  nameKey,
  readName,
  relateHandles,
  relateNames,
  searchedWords,
} from '../../../src/write/people/names.ts';
import { edgeBetween, logOddsOf, MODEL } from '../../../src/write/people/signals.ts';

const NAME = 'Nora Quill Hess';

const account = (
  platform: Platform,
  handle: string,
  links: string[] = [],
  name = NAME,
  bio = '',
): Candidate =>
  candidateOf(
    { key: accountKey(platform, handle, null), platform, handle },
    identityFacts(platform, { display_name: name, bio, avatar_url: null, links, followers: 100 }),
  );

/** Links among accounts, with so many that link to a page, and that have a name. */
const linksAmong = (all: readonly Candidate[], sharers = 2, bearers = 1): Links => ({
  out: (key) => {
    const from = all.find((one) => one.key === key);
    return new Set(all.filter((other) => from?.targets.includes(other.key)).map((other) => other.key));
  },
  sharers: () => sharers,
  bearers: () => bearers,
});

const groupsOf = (all: readonly Candidate[], links = linksAmong(all)): readonly string[][] =>
  clusterOf(all, links, MODEL)
    .groups.map((group) => group.map(({ key }) => key))
    .filter(({ length }) => length > 1);

const X = 'https://x.com/noraquill77';
const INSTAGRAM = 'https://www.instagram.com/noraquill77/';

describe('names', () => {
  it.each([
    ['Nora Quill Hess', '✨ nora_quill', 'alike'],
    ['Nora Quill Hess', 'Quill Hess, Nora', 'equal'],
    ['Nora Quill Hess', 'N. Quill Hess', 'alike'],
    ['Nora Quill Hess', 'Nora Q.', 'short'],
    ['Nora Quill Hess', 'Nora Quill Stone', 'partial'],
    ['Nora Quill Hess', 'Ivan Quill', 'unlike'],
    ['佐藤 ゆい Nora Hess', '佐藤 ゆい', 'alike'],
    ['Nora Quill', '🚲', 'unknown'],
    ['José García', 'Jose Garcia', 'equal'],
    ['Ｎｏｒａ Ｈｅｓｓ', 'nora hess', 'equal'],
    ['Jürgen Müller', 'Juergen Mueller', 'alike'],
    ['Юлия Щербакова', 'Julia Shcherbakova', 'alike'],
    ['محمد صلاح', 'Mohamed Salah', 'alike'],
    ['राहुल शर्मा', 'Rahul Sharma', 'alike'],
    ['佐藤ゆい', '佐藤 ゆい', 'equal'],
    ['佐藤ゆい', '佐藤ゆい Official', 'alike'],
    ['ゆい', 'ゆい Official', 'short'],
    ['佐藤ゆい', '佐藤はな', 'unlike'],
    ['李小龙', 'Xiaolong Li', 'alike'],
    ['김민수', 'Kim Min-su', 'alike'],
    ['김민수', 'Nora Hess', 'unknown'],
    ['Bob Hess', 'Robert P. Hess, Jr.', 'alike'],
    ['Pepe García', 'José García', 'alike'],
    ['Mike', 'Michael', 'short'],
    ['Mary J. Stone', 'Mary Stone', 'alike'],
    ['Mary J. Stone', 'Mary B. Stone', 'partial'],
    ['JP Hess', 'Jean-Paul Hess', 'short'],
  ])('%s and %s are %s', (a, b, relation) => {
    expect(relateNames(readName(a), readName(b))).toBe(relation);
    expect(relateNames(readName(b), readName(a))).toBe(relation);
  });
});

describe('keys of names', () => {
  it('are equal whatever accents and order a name is written with', () => {
    const keys = ['José García', 'Jose Garcia', 'GARCÍA, José', 'José García (no oficial)'];
    expect(new Set(keys.map((name) => nameKey(readName(name))))).toEqual(new Set(['garcia jose']));
  });
  it('need two words, which a name in Chinese characters or hangul has in one', () => {
    const keys = ['Nora', '王', 'ゆい', '王伟', '김민수'].map((name) => nameKey(readName(name)));
    expect(keys).toEqual([null, null, null, '王伟', '김민수']);
  });
});

describe('names of any languages', () => {
  const name = fc
    .array(
      fc.constantFrom('José', 'Nora', 'Юлия', 'Łukasz', '王伟', 'ゆい', 'محمد', 'J.', 'Bob', 'Robert', 'AJ'),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((words) => readName(words.join(' ')));
  it('relate in either direction alike, and each to itself', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(relateNames(a, b)).toBe(relateNames(b, a));
        expect(['equal', 'alike', 'short', 'unlike']).toContain(relateNames(a, a));
      }),
    );
  });
});

describe('texts of a profile', () => {
  it('are cut between characters, so that what is stored is what is compared', () => {
    const long = '\u{20000}'.repeat(700);
    expect(nameKey(readName(`a${long} bb`))?.isWellFormed()).toBe(true);
    for (const prefix of ['', 'a', 'ab']) expect(introIn(`${prefix}${long}`)?.isWellFormed()).toBe(true);
    const handle = `a${'b'.repeat(990)}`;
    for (const prefix of ['', 'a', 'ab']) {
      const words = searchedWords([{ handle, displayName: `${prefix}${long}` }]);
      expect([words.isWellFormed(), words.length > 990]).toEqual([true, true]);
    }
  });
});

describe('searches', () => {
  it('find a name with and without accents, and in Latin letters as in its own', () => {
    const words = searchedWords([{ handle: null, displayName: 'José 王伟 Юлия' }]);
    for (const q of ['José', 'jose', '王伟', 'Wei', 'юлия', 'Yuliya'])
      expect(words, q).toContain(` ${folded(q)}`);
  });
});

describe('handles', () => {
  it.each([
    ['noraquill77', 'noraquill77', 'equal'],
    ['nora', 'nora', 'alike'],
    ['noraquill77', 'quill_nora', 'alike'],
    ['noraquill77', 'ivanmarsh', 'unlike'],
  ])('%s and %s are %s', (a, b, relation) => {
    expect(relateHandles(a, b)).toBe(relation);
  });
});

describe('targets of a profile', () => {
  it('are accounts elsewhere and pages, from links and the bio', () => {
    const bio = `Coach\n${INSTAGRAM} and https://linktr.ee/Nora?x=1, https://youtu.be/abc`;
    expect(targetsOf('x', { links: ['https://t.me/nora_q', 'https://x.com/ivan'], bio })).toEqual([
      'telegram:nora_q',
      'instagram:noraquill77',
      'page:linktr.ee/nora',
    ]);
  });

  it('are ignored for a directory that links to many accounts', () => {
    const links = Array.from({ length: 21 }, (_, n) => `https://t.me/client_${n}`);
    expect(targetsOf('x', { links, bio: null })).toEqual([]);
    expect(targetsOf('x', { links: links.slice(1), bio: null })).toHaveLength(20);
  });
});

describe('persons', () => {
  it('are accounts that link to each other', () => {
    const all = [account('x', 'noraquill77', [INSTAGRAM]), account('instagram', 'noraquill77', [X])];
    expect(groupsOf(all)).toEqual([['instagram:noraquill77', 'x:noraquill77']]);
  });

  it('are never made of equal names, handles and bios alone', () => {
    const all = [
      account('x', 'noraquill77', [], NAME, 'Coach, runner'),
      account('instagram', 'noraquill77', [], NAME, 'Coach, runner'),
    ];
    expect(groupsOf(all)).toEqual([]);
  });

  it('do not include a fan that links to a star of another name', () => {
    const all = [account('x', 'noraquill77'), account('tiktok', 'ivanmarsh1', [X], 'Ivan Marsh')];
    expect(groupsOf(all)).toEqual([]);
    expect(edgeBetween(all[0] as Candidate, all[1] as Candidate, linksAmong(all))).toBeNull();
  });

  it('do not include an impersonator that copies name, bio and links of one of their accounts', () => {
    const own = [
      account('x', 'noraquill77', [INSTAGRAM, 'https://t.me/noraquill77'], NAME, 'Maps, data and bad puns'),
      account('instagram', 'noraquill77', [X]),
      account('telegram', 'noraquill77', [X]),
    ];
    const copy = account(
      'tiktok',
      'quillnora_5',
      [INSTAGRAM, 'https://t.me/noraquill77'],
      NAME,
      'Maps, data and bad puns',
    );
    expect(groupsOf([...own, copy])).toEqual([
      ['instagram:noraquill77', 'telegram:noraquill77', 'x:noraquill77'],
    ]);
  });

  it('do not include a parody that says so', () => {
    const all = [account('x', 'noraquill77'), account('tiktok', 'noraquill77', [X], `${NAME} (parody)`)];
    expect(groupsOf(all)).toEqual([]);
  });

  it('are not connected by a page that many accounts link to', () => {
    const page = ['https://linktr.ee/noraquill77'];
    const all = [account('x', 'noraquill77', page), account('instagram', 'noraquill77', page)];
    expect(groupsOf(all, linksAmong(all, 2))).toHaveLength(1);
    expect(groupsOf(all, linksAmong(all, 15))).toEqual([]);
  });

  it('are more certain for a rare name than for a common one', () => {
    const all = [account('x', 'noraquill77', [INSTAGRAM]), account('instagram', 'noraquill77')];
    const sureness = (bearers: number) =>
      membershipOf(all[0] as Candidate, all, { links: linksAmong(all, 2, bearers), model: MODEL, all })
        ?.logOdds;
    const [rare, common, veryCommon] = [sureness(1), sureness(200), sureness(2_000)] as [
      number,
      number,
      number,
    ];
    expect(rare).toBeGreaterThan(common);
    expect(common).toBeGreaterThan(veryCommon);
  });

  it('have evidence of sizes, except for LinkedIn accounts', () => {
    const sized = (platform: Platform, followers: number, links: string[]) => {
      const shown = { display_name: NAME, bio: '', avatar_url: null, links, followers };
      const handle = 'noraquill77';
      return candidateOf(
        { key: accountKey(platform, handle, null), platform, handle },
        identityFacts(platform, shown),
      );
    };
    const signals = (all: readonly Candidate[]) =>
      membershipOf(all[0] as Candidate, all, { links: linksAmong(all), model: MODEL, all })?.signals;
    expect(signals([sized('tiktok', 10, [X]), sized('x', 90_000, [])])).toMatchObject({ much_smaller: 1 });
    for (const all of [
      [sized('linkedin', 10, [X]), sized('x', 90_000, [])],
      [sized('tiktok', 10, ['https://www.linkedin.com/in/noraquill77']), sized('linkedin', 90_000, [])],
    ]) {
      expect(signals(all)).toMatchObject({ claim: 1 });
      expect(signals(all)).not.toHaveProperty('much_smaller');
    }
  });

  it('are the same in any order of accounts', () => {
    const all = [
      account('x', 'noraquill77', [INSTAGRAM]),
      account('instagram', 'noraquill77', [X]),
      account('tiktok', 'noraquill77', [X], 'Nora Q.'),
      account('youtube', 'ivanmarsh1', [X], 'Ivan Marsh'),
    ];
    expect(groupsOf(all.toReversed())).toEqual(groupsOf(all));
  });

  it('have evidence that adds up to the log odds', () => {
    const all = [account('x', 'quill_nora', [INSTAGRAM]), account('instagram', 'noraquill77')];
    const links = linksAmong(all);
    const comparison = membershipOf(all[0] as Candidate, all, { links, model: MODEL, all });
    if (comparison === null) throw new Error('no comparison');
    const sum = evidenceOf(comparison, MODEL.weights, links).reduce((total, { weight }) => total + weight, 0);
    expect(sum).toBeCloseTo(comparison.logOdds, 6);
    expect(logOddsOf(comparison.signals, MODEL.weights)).toBe(comparison.logOdds);
  });
});
