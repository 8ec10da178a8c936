import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/kernel/platform.ts';
import {
  accountKey,
  type Candidate,
  candidateOf,
  identityFacts,
  type Links,
  linkPageIn,
  type Pointer,
  targetsListed,
  targetsOf,
} from '../../../src/write/people/account.ts';
import { clusterOf, evidenceOf, membershipOf } from '../../../src/write/people/cluster.ts';
import { componentsAround } from '../../../src/write/people/components.ts';
import {
  folded,
  introIn,
  nameKey,
  readName,
  relateHandles,
  relateNames,
  searchedWords,
} from '../../../src/write/people/names.ts';
import { logOddsOf, MODEL } from '../../../src/write/people/signals.ts';

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
    identityFacts(platform, {
      display_name: name,
      bio,
      avatar_url: null,
      links,
      followers: 100,
      verified: false,
      created_at: null,
    }),
  );

/** Links among accounts, all by handles that were linked to before anybody read who had them, unless they are dated. */
const linksAmong = (all: readonly Candidate[], pointer: Pointer = 'undated'): Links => ({
  out: (key) => {
    const from = all.find((one) => one.key === key);
    return new Map(
      all.filter((other) => from?.targets.includes(other.key)).map((other) => [other.key, pointer]),
    );
  },
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

describe('a link page', () => {
  it('lists accounts of all platforms, unless it is a directory', () => {
    expect(targetsListed([X, INSTAGRAM, 'https://example.org'])).toEqual([
      'x:noraquill77',
      'instagram:noraquill77',
    ]);
    expect(targetsListed(Array.from({ length: 21 }, (_, n) => `https://t.me/client_${n}`))).toEqual([]);
  });

  it.each([
    ['page:linktr.ee/nora', 'linktr.ee/nora'],
    ['page:linktr.ee/nora/more', null],
    ['page:linktr.ee', null],
    ['page:linktr.ee.example.org/nora', null],
    ['x:linktr.ee/nora', null],
  ])('is told by its host: %s', (target, page) => {
    expect(linkPageIn(target)).toBe(page);
  });
});

const FACTS = {
  name: [NAME, 'Nora Q.', 'Ivan Marsh'],
  handle: ['noraquill77', 'quill_nora', 'ivanmarsh1'],
  bio: ['', 'Maps, data and bad puns'],
  links: [[], [X], [INSTAGRAM], [X, INSTAGRAM], [X, INSTAGRAM, 'https://t.me/noraquill77']],
} as const;

const claimant = fc.record({
  platform: fc.constantFrom('tiktok', 'youtube', 'bluesky', 'linkedin'),
  name: fc.constantFrom(...FACTS.name),
  handle: fc.constantFrom(...FACTS.handle),
  bio: fc.constantFrom(...FACTS.bio),
  links: fc.constantFrom(...FACTS.links),
});

describe('persons', () => {
  it('are accounts that link to each other', () => {
    const all = [account('x', 'noraquill77', [INSTAGRAM]), account('instagram', 'noraquill77', [X])];
    expect(groupsOf(all)).toEqual([['instagram:noraquill77', 'x:noraquill77']]);
  });

  it('never gain an account by anything that it controls itself, whatever it shows and however many do', () => {
    const victims = [
      account('x', 'noraquill77', [INSTAGRAM, 'https://t.me/noraquill77'], NAME, FACTS.bio[1]),
      account('instagram', 'noraquill77', [X], NAME, FACTS.bio[1]),
      account('telegram', 'ivanmarsh1', [], 'Ivan Marsh'),
    ];
    fc.assert(
      fc.property(fc.array(claimant, { minLength: 1, maxLength: 6 }), (claimants) => {
        const strangers = claimants.map(({ platform, handle, links, name, bio }, n) => ({
          ...account(platform as Platform, handle, [...links], name, bio),
          key: `${platform}:id:${n}`,
        }));
        const all = [...victims, ...strangers];
        // They link to one another too.
        const own = linksAmong(all, 'dated');
        const links: Links = {
          out: (key) =>
            strangers.some((one) => one.key === key)
              ? new Map([...own.out(key), ...strangers.map((one) => [one.key, 'dated'] as const)])
              : own.out(key),
        };
        const persons = groupsOf(all, links).filter((group) =>
          group.some((key) => victims.some((one) => one.key === key)),
        );
        expect(persons).toEqual([['instagram:noraquill77', 'x:noraquill77']]);
      }),
    );
  });

  it('gain an account that one of their accounts links to and that links to another', () => {
    const all = [
      account('x', 'noraquill77', [INSTAGRAM]),
      account('instagram', 'noraquill77', [X, 'https://t.me/noraquill77']),
      account('telegram', 'noraquill77', [X]),
    ];
    expect(groupsOf(all)).toHaveLength(1);
    expect(groupsOf(all)[0]).toHaveLength(3);
  });

  it('do not include who may have taken over a handle that they link to, unless names agree and no platform is in both', () => {
    const own = account('x', 'noraquill77', [INSTAGRAM]);
    const taker = (name: string) => account('instagram', 'noraquill77', [X], name);
    expect(groupsOf([own, taker('Ivan Marsh')])).toEqual([]);
    expect(groupsOf([own, taker(NAME)])).toHaveLength(1);
    const other = { ...account('instagram', 'quill_nora', [X, INSTAGRAM]), key: 'instagram:quill_nora' };
    const linked = account('x', 'noraquill77', [INSTAGRAM, 'https://www.instagram.com/quill_nora/']);
    expect(groupsOf([linked, taker(NAME), other])[0]).toHaveLength(2);
  });

  it('do not include a company by links alone', () => {
    const company = (name: string) => account('linkedin', 'company:noraquill77', [X], name);
    const founder = account('x', 'noraquill77', ['https://www.linkedin.com/company/noraquill77']);
    for (const [name, persons] of [
      ['Quill Studio', 0],
      [NAME, 1],
    ] as const) {
      const all = [founder, company(name)];
      expect(groupsOf(all, linksAmong(all, 'dated'))).toHaveLength(persons);
    }
  });

  it('do not include a parody that says so, even if it is answered', () => {
    const all = [
      account('x', 'noraquill77', ['https://www.tiktok.com/@noraquill77']),
      account('tiktok', 'noraquill77', [X], `${NAME} (parody)`),
    ];
    expect(groupsOf(all)).toEqual([]);
  });

  it('are the same in any order of accounts', () => {
    const all = [
      account('x', 'noraquill77', [INSTAGRAM, 'https://www.tiktok.com/@noraquill77']),
      account('instagram', 'noraquill77', [X]),
      account('tiktok', 'noraquill77', [X], 'Nora Q.'),
      account('youtube', 'ivanmarsh1', [X], 'Ivan Marsh'),
    ];
    expect(groupsOf(all.toReversed())).toEqual(groupsOf(all));
  });

  it('have evidence that adds up to the log odds', () => {
    const all = [
      account('x', 'quill_nora', [INSTAGRAM]),
      account('instagram', 'noraquill77', ['https://x.com/quill_nora']),
    ];
    const links = linksAmong(all);
    const comparison = membershipOf(all[0] as Candidate, all, { links, model: MODEL });
    if (comparison === null) throw new Error('no comparison');
    const sum = evidenceOf(comparison, MODEL.weights, links).reduce((total, { weight }) => total + weight, 0);
    expect(sum).toBeCloseTo(comparison.logOdds, 6);
    expect(logOddsOf(comparison.signals, MODEL.weights)).toBe(comparison.logOdds);
  });
});

describe('components', () => {
  const graphOf = (links: Readonly<Record<string, readonly string[]>>) => {
    const loaded = new Set<string>();
    return {
      loaded,
      load: async (keys: readonly string[]) => {
        for (const key of keys) loaded.add(key);
      },
      candidate: () => undefined,
      crowding: () => 0,
      out: (key: string) => new Map((links[key] ?? []).map((to) => [to, 'undated' as const])),
    };
  };
  const around = async (links: Readonly<Record<string, readonly string[]>>, ...seeds: string[]) =>
    (await componentsAround(graphOf(links), new Set(seeds)))
      .map(({ accounts, crowding }) => ({ accounts: accounts.toSorted(), crowding }))
      .toSorted((a, b) => ((a.accounts[0] as string) < (b.accounts[0] as string) ? -1 : 1));

  it('are found whole from each of their accounts', async () => {
    const accounts = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const edges = fc.array(fc.tuple(accounts, accounts), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(edges, async (some) => {
        const between = some.filter(([from, to]) => from !== to);
        const links = Object.fromEntries(
          [...Map.groupBy(between, ([from]) => from)].map(([from, all]) => [from, all.map(([, to]) => to)]),
        );
        const all = await around(links, 'a', 'b', 'c', 'd', 'e', 'f');
        for (const component of all)
          for (const key of component.accounts) expect(await around(links, key)).toContainEqual(component);
      }),
    );
  });

  it('do not read who points at an account without an answer, however many do', async () => {
    const links = {
      a: ['b'],
      b: ['a'],
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`c${n}`, ['a', 'b']])),
    };
    const graph = graphOf(links);
    expect(await componentsAround(graph, new Set(['a']))).toEqual([{ accounts: ['a', 'b'], crowding: 0 }]);
    expect([...graph.loaded].toSorted()).toEqual(['a', 'b']);
  });

  it('that are too large fall into sets that point at each other, and these into accounts', async () => {
    const ring = (name: string, n: number) =>
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [
          `${name}${i}`,
          [`${name}${(i + 1) % n}`, `${name}${(i + n - 1) % n}`],
        ]),
      );
    const [first, second] = [ring('a', 30), ring('b', 30)];
    const joined = {
      ...first,
      ...second,
      a0: [...(first.a0 ?? []), 'b0'],
      b5: [...(second.b5 ?? []), 'a5'],
    };
    expect((await around(joined, 'a0')).map(({ accounts, crowding }) => [accounts.length, crowding])).toEqual(
      [
        [30, 1],
        [30, 1],
      ],
    );
    const large = await around(ring('a', 60), 'a0');
    expect(large.every(({ accounts, crowding }) => accounts.length === 1 && crowding === 2)).toBe(true);
  });
});
