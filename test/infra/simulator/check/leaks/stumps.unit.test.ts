import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../../../../infra/simulator/check/leaks/stumps.ts';
import { unit } from '../../../../../infra/simulator/world/hash.ts';

const CASES = 900;
const numbers = Array.from({ length: CASES }, (_, n) => n);
const labels = numbers.map((n) => unit(n, 1) < 0.3);

/** Share of pairs of a labelled and another case in which the labelled one has the higher score. */
const auc = (scores: readonly number[]): number => {
  const of = (label: boolean) => scores.filter((_, n) => labels[n] === label);
  const [yes, no] = [of(true), of(false)];
  const above = yes.flatMap((a) => no.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return above.reduce<number>((sum, each) => sum + each, 0) / above.length;
};
/** Scores out of a figure beside one that says nothing. */
const scored = (figure: (n: number) => number) =>
  auc(scoresOf({ rows: numbers.map((n) => [unit(n, 2), figure(n)]), labels }, numbers, 7));

describe('the classifier of leaks', () => {
  it('finds a label that a figure shows, also where it is neither the largest nor the smallest', () => {
    expect(scored((n) => (labels[n] ? 1 : 2) + unit(n, 3) / 2)).toBeGreaterThan(0.99);
    expect(scored((n) => (labels[n] ? 0.5 : n % 2) + unit(n, 3) / 10)).toBeGreaterThan(0.99);
  });

  it('finds nothing where no figure shows anything, as cases are scored by what others taught', () => {
    expect(Math.abs(scored((n) => unit(n, 3)) - 0.5)).toBeLessThan(0.1);
  });
});
