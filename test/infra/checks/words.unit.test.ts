import { expect, it } from 'vitest';
import { findingsIn } from '../../../infra/checks/words.ts';

it('the check of words finds words in comments, texts and parts of identifiers, with the line and the word to use', () => {
  const code = ['// Waits for whoever comes.', "const underWay = 'built anew';", 'const inFlight = 1;'].join(
    '\n',
  );
  expect(findingsIn('src/a.ts', code)).toEqual([
    'src/a.ts:1: "whoever": use name the component',
    'src/a.ts:2: "under way": use in flight, in progress',
    'src/a.ts:2: "anew": use again, from scratch',
  ]);
});

it('the check of words checks titles only in tests, and whole lines of documents', () => {
  const test = "it('lets nobody wait', () => { const nobody = 1; });";
  expect(findingsIn('test/a.unit.test.ts', test)).toEqual([
    'test/a.unit.test.ts:1: "nobody": use name the component',
  ]);
  expect(findingsIn('docs/a.md', 'Fine.\nIt goes on.')).toEqual([
    'docs/a.md:2: "goes on": use resume, continue',
  ]);
});
