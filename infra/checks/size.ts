import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm run size`: how much there is to read. Lines and files of the program, the share of its lines that are import headers, and
 * words (as `wc -w` counts them) and files of the documents and of the decisions.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const DECISIONS = 'docs/adr/';

export const filesOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' }).sort();

export const textOf = (file: string): string => readFileSync(`${ROOT}/${file}`, 'utf8');

/** All documents, decisions included. */
export const documents = (): readonly string[] => [...filesOf('*.md'), ...filesOf('docs/**/*.md')];

export const wordsOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + textOf(file).split(/\s+/).filter(Boolean).length, 0);

const linesOf = (text: string): number => text.split('\n').length - 1;

/** Lines of static imports, from `import` to the specifier. */
const importLinesOf = (text: string): number =>
  [...text.matchAll(/^import\b[^;]*;\n/gm)].reduce((sum, [statement]) => sum + linesOf(statement), 0);

const print = (): void => {
  const number = (n: number): string => n.toLocaleString('en-US').padStart(8);
  for (const folder of ['src', 'infra', 'test', 'bench']) {
    const texts = filesOf(`${folder}/**/*.ts`).map(textOf);
    const lines = texts.reduce((sum, text) => sum + linesOf(text), 0);
    const imports = texts.reduce((sum, text) => sum + importLinesOf(text), 0);
    const share = ((100 * imports) / lines).toFixed(1);
    console.log(
      `${folder.padEnd(9)} ${number(lines)} lines  ${number(texts.length)} files  imports ${share} %`,
    );
  }
  const all = documents();
  const decisions = all.filter((file) => file.startsWith(DECISIONS));
  const others = all.filter((file) => !file.startsWith(DECISIONS));
  console.log(`documents ${number(wordsOf(others))} words  ${number(others.length)} files`);
  console.log(`decisions ${number(wordsOf(decisions))} words  ${number(decisions.length)} files`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) print();
