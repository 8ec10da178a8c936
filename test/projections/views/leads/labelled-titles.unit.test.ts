import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyTitle } from '../../../../src/projections/views/leads/titles/classify-title.ts';

/** Titles with `lang`, `seniority` and `function`, labelled by a reader. They have owners, and are no part of the project. */
const FILE = new URL('../../../../../shared/fixtures/titles.tsv', import.meta.url);

const isThere = existsSync(FILE);
if (!isThere) console.warn('Labelled titles are skipped: ../shared/fixtures/titles.tsv is absent.');

interface Labelled {
  readonly expected: string;
  readonly found: string;
}

/** Mean over classes of the harmonic mean of precision and recall, which counts each class alike. */
const macroF1 = (titles: readonly Labelled[]): number => {
  const classes = [...new Set(titles.map(({ expected }) => expected))];
  const scores = classes.map((one) => {
    const right = titles.filter(({ expected, found }) => expected === one && found === one).length;
    const either = titles.filter(({ expected }) => expected === one).length;
    const claimed = titles.filter(({ found }) => found === one).length;
    return (2 * right) / (either + claimed);
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
};

describe.skipIf(!isThere)('labelled titles', () => {
  const rows = isThere
    ? readFileSync(FILE, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split('\t'))
    : [];

  it('have a macro-F1 of at least 0.9 for seniority', () => {
    const titles = rows.map(([title = '', , expected = '']) => ({
      expected,
      found: classifyTitle(title).seniority ?? 'unknown',
    }));
    expect(titles.length).toBeGreaterThan(300);
    expect(macroF1(titles)).toBeGreaterThanOrEqual(0.9);
  });

  it('have a macro-F1 of at least 0.9 for function', () => {
    const titles = rows.map(([title = '', , , expected = '']) => ({
      expected,
      found: classifyTitle(title).function ?? 'unknown',
    }));
    expect(macroF1(titles)).toBeGreaterThanOrEqual(0.9);
  });
});
