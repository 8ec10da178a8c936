import { describe, expect, it } from 'vitest';
import { figuresText } from '../../../src/cli/commands/people.ts';
import { figuresOf, type OwnedAccount, shareOf } from '../../../src/operations/people/verify.ts';

const account = (name: string, person: string, owner: string, logOdds: number | null = 3): OwnedAccount => ({
  account: name,
  person,
  owner,
  logOdds,
  kind: owner === 'fan' ? 'fan' : 'person',
});

/** Two persons as they are, one in two parts, and one with a fan; nothing links `d2` to the rest of its owner. */
const FOUND = [
  account('a1', 'A', 'a'),
  account('a2', 'A', 'a'),
  account('b1', 'B', 'b'),
  account('b2', 'B', 'b'),
  account('c1', 'C', 'c'),
  account('c2', 'C', 'c'),
  account('c3', 'other', 'c', null),
  account('d1', 'D', 'd'),
  account('f', 'D', 'fan'),
  account('d2', 'D2', 'd', null),
];
const partOf = (name: string) => (name === 'd2' ? 'd2' : (name[0] as string));

describe('figures of people', () => {
  const figures = figuresOf(FOUND, partOf);

  it('count pairs, joined pairs and accounts', () => {
    expect(figures.precision?.value).toBeCloseTo(3 / 4, 10);
    expect(figures.recall?.value).toBeCloseTo(3 / 5, 10);
    expect(figures.recall_of_all_pairs?.value).toBeCloseTo(3 / 6, 10);
    expect(figures.b3_precision?.value).toBeCloseTo(9 / 10, 10);
    expect(figures.b3_recall?.value).toBeCloseTo((2 + 2 + 5 / 3 + 3) / 10, 10);
    expect(figures.exact?.value).toBeCloseTo(2 / 3, 10);
    expect(figures.kinds).toEqual([
      { kind: 'fan', accounts: 1, false_pairs: 1 },
      { kind: 'person', accounts: 9, false_pairs: 1 },
    ]);
  });

  it('have bins of reliability that add up to the calibration error', () => {
    const stated = 1 / (1 + Math.exp(-3));
    expect(figures.reliability).toHaveLength(1);
    expect(figures.reliability[0]?.accounts).toBe(8);
    expect(figures.reliability[0]?.right).toBeCloseTo(6 / 8, 10);
    expect(figures.calibration_error).toBeCloseTo(stated - 6 / 8, 10);
  });

  it('are printed with intervals and bins', () => {
    const text = figuresText('535f', figures);
    expect(text).toMatch(/precision of pairs +75\.00 % +\d+\.\d\d % to 100\.00 %/);
    expect(text).toMatch(/95\.26 % +75\.00 % +8/);
  });
});

describe('the interval of a share', () => {
  it('is as wide as persons differ, not as their pairs are many', () => {
    const [few, many] = [1, 10].map((pairs) =>
      shareOf(Array.from({ length: 100 }, (_, n) => [n < 90 ? pairs : 0, pairs])),
    );
    expect(few).toEqual(many);
    // That of a binomial share of 100.
    expect(few?.from).toBeCloseTo(0.9 - 1.96 * Math.sqrt((0.9 * 0.1) / 99), 6);
  });

  it('is undefined for a single person', () => {
    expect(shareOf([[1, 2]])).toEqual({ value: 0.5, from: null, to: null });
    expect(shareOf([[0, 0]])).toBeNull();
  });
});
