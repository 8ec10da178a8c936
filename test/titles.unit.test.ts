import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadEndpoints } from '../src/api/endpoints/load-endpoints.ts';

const TESTS = globSync('test/**/*.test.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The literal titles of tests: of `it('…', `, `it.each(…)('…', ` and tables that end before the title. */
const TITLE = /^\s*(?:(?:it|test)\b.*?|\](?: as (?:const|\w+(?:\[\])?))?\))\((['"`])((?:(?!\1).)+)\1,/gm;

/** What continues a clause, and means nothing without what comes before it. */
const FRAGMENT = /^(?:that|which|whose|who|of|by|with|without|in|on|at|to|from|as|but|and|or|unless|than)\b/;

it('each operation of the API is named by a test of it', async () => {
  const named = TESTS.filter(({ file }) => file.startsWith('test/api/'))
    .map(({ text }) => text)
    .join('\n');
  const operations = (await loadEndpoints()).map(({ operation }) => operation);
  expect(operations.filter((operation) => !new RegExp(`['\`, ]${operation}\\b`).test(named))).toEqual([]);
});

it('no title of a test is the rest of a sentence', () => {
  const titles = TESTS.flatMap(({ file, text }) =>
    [...text.matchAll(TITLE)].map(([, , title = '']) => ({ file, title })),
  );
  expect(titles.length).toBeGreaterThan(1_500);
  expect(titles.filter(({ title }) => FRAGMENT.test(title))).toEqual([]);
});
