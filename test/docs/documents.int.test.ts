import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { DECISIONS, documents, filesOf, textOf, wordsOf } from '../../infra/checks/size.ts';
import { loadAllGroups } from '../../src/cli/groups.ts';

const all = documents();
const decisions = all.filter((file) => file.startsWith(DECISIONS));
const ROOTS = ['src', 'test', 'infra', 'bench', 'docs'];
const LAYERS = readdirSync('src');
const withoutCode = (text: string): string => text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

/** Anchors of a page, as GitHub makes them of headings. */
const anchorsOf = (file: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(textOf(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

describe('the documents', () => {
  it('are few enough to be read', () => {
    expect(wordsOf(all)).toBeLessThanOrEqual(35_000);
    expect(all.length - decisions.length).toBeLessThanOrEqual(19);
    expect(decisions.length).toBeLessThanOrEqual(20);
    for (const decision of decisions) expect(wordsOf([decision]), decision).toBeLessThanOrEqual(400);
  });

  it.each(all)('%s links to pages, headings and pictures that exist', (file) => {
    const broken = [...withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^https?:/.test(target)) return [];
      const [path = '', anchor] = target.split('#');
      const page = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(page)) return [target];
      return anchor === undefined || anchorsOf(page).has(anchor) ? [] : [target];
    });
    expect(broken).toEqual([]);
  });

  it.each(all)('%s names files that exist', (file) => {
    const paths = [...withoutCode(textOf(file)).matchAll(/`((?:[\w-]+\/)+[\w.<>-]*)`/g)].flatMap(
      ([, path = '']) => {
        const [top = ''] = path.split('/');
        if (ROOTS.includes(top)) return [path];
        return LAYERS.includes(top) ? [`src/${path}`] : [];
      },
    );
    const missing = paths.filter((path) => filesOf(path.replaceAll(/<\w+>/g, '*')).length === 0);
    // What the worked examples would add.
    expect(missing.filter((path) => !/notes?\b|AccountNote/i.test(path))).toEqual([]);
  });
});

describe('a decision', () => {
  it.each(decisions)('%s is cited from a file that it names', (decision) => {
    const named = [...textOf(decision).matchAll(/`((?:src|infra)\/[^`\s]+)`/g)].map(([, path = '']) => path);
    expect(named).not.toEqual([]);
    const files = named.flatMap((path) => filesOf(path.endsWith('/') ? `${path}**/*.ts` : path));
    expect(files.filter((file) => textOf(file).includes(decision))).not.toEqual([]);
  });

  it('is cited only where there is one', () => {
    const cited = filesOf('{src,infra,test,bench}/**/*.{ts,sql}').flatMap((file) =>
      [...textOf(file).matchAll(/(?<![\w/])docs\/[\w/-]+\.md/g)].map(([path]) => path),
    );
    expect([...new Set(cited)].filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('a command in the documents', () => {
  let groups: readonly Command[];
  beforeAll(async () => {
    groups = await loadAllGroups();
  });

  const commands = all.flatMap((file) =>
    [...textOf(file).matchAll(/^( *)```(?:sh)?\n([\s\S]*?)^\1```$/gm)].flatMap(([, , block = '']) =>
      block
        .replaceAll(/\\\n/g, ' ')
        .split(/\n|&&|\|/)
        .flatMap(
          (line) =>
            /(?:^|\s)(?:npm run (?:-s )?)?(?<!exec )sightline (?:-- )?([a-z].*?)(?:\s+#.*)?$/.exec(
              line.trim(),
            )?.[1] ?? [],
        )
        .map((line) => [file, line] as const),
    ),
  );

  it.each(commands)('%s: %s', (_, line) => {
    const words = line.replaceAll(/"[^"]*"|'[^']*'/g, 'text').split(/\s+/);
    let command = groups.find((group) => [group.name(), group.alias()].includes(words[0] as string));
    expect(command, words[0]).toBeDefined();
    for (const word of words.slice(1)) {
      const child = (command as Command).commands.find((one) => one.name() === word);
      if (child === undefined) break;
      command = child;
    }
    const known = new Set((command as Command).options.flatMap(({ long, short }) => [long, short]));
    const given = words.filter((word) => /^--?[a-z]/.test(word));
    expect(given.filter((option) => !known.has(option))).toEqual([]);
  });
});
