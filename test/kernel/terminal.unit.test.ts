import { globSync, readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { print, printJson, write, writeError } from '../../src/kernel/terminal.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../support/hidden-characters.ts';

afterEach(() => vi.restoreAllMocks());

it('what commands print has no hidden characters of strangers, and the program’s own colours', () => {
  const printed: string[] = [];
  const keep = (text: string | Uint8Array): boolean => {
    printed.push(String(text));
    return true;
  };
  vi.spyOn(console, 'log').mockImplementation(keep);
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  print(`\u001b[1m${WITH_ALL_HIDDEN}`);
  printJson({ [WITH_ALL_HIDDEN]: WITH_ALL_HIDDEN });
  printJson([WITH_ALL_HIDDEN], 2);
  write(WITH_ALL_HIDDEN);
  writeError(WITH_ALL_HIDDEN);
  vi.restoreAllMocks();
  expect(printed).toHaveLength(5);
  expect(printed[0]).toMatch('\u001b[1ma');
  expect(hiddenIn(printed.join(''))).toEqual([]);
});

it('no other code prints', () => {
  const root = new URL('../../src/', import.meta.url);
  const printing = globSync('**/*.ts', { cwd: root }).filter((file) =>
    /\bconsole\.(?:assert|debug|dir|error|info|log|table|trace|warn)\b|\bstd(?:out|err)\.write\(/.test(
      readFileSync(new URL(file, root), 'utf8'),
    ),
  );
  // Samples show callers’ code, and the command of the package says which Node it needs before it loads anything.
  expect(printing.sort()).toEqual(['api/description/code-samples.ts', 'cli/bin.ts', 'kernel/terminal.ts']);
});
