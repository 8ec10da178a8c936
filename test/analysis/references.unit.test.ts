import { medianAbsoluteDeviation, quantileSorted } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { inflationOf } from '../../src/analysis/dependence.ts';
import { fisherP, incompleteBeta, student95, studentP } from '../../src/analysis/distributions.ts';
import { rankInterval } from '../../src/analysis/median.ts';
import { benjaminiHochberg } from '../../src/analysis/multiple-tests.ts';
import { autoregressiveFit, inverse, jointF, leastSquares } from '../../src/analysis/regression.ts';
import { theilSen } from '../../src/analysis/theil-sen.ts';

describe('formulas against published examples', () => {
  it('quartiles are those of NumPy’s default method', () => {
    const values = [3, 6, 7, 8, 8, 10, 13, 15, 16, 20];
    expect([0.25, 0.5, 0.75].map((p) => quantileSorted(values, p))).toEqual([7.25, 9, 14.5]);
  });

  it('the MAD of 1, 1, 2, 2, 4, 6, 9 is 1', () => {
    expect(medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
  });

  it('Theil–Sen’s slope is that of Helsel and Hirsch’s example, which an outlier does not move', () => {
    const y = [1, 2, 3, 4, 5, 16, 7];
    expect(theilSen(y.map((value, i) => ({ x: i + 1, y: value })))).toBe(1);
  });

  it('Benjamini and Hochberg’s example of 1995 has four discoveries at 0.05', () => {
    const p = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
      0.759, 1,
    ];
    const q = benjaminiHochberg(p);
    expect(q.filter((value) => value <= 0.05)).toHaveLength(4);
    // R: p.adjust(p, 'BH')
    expect(q.slice(0, 5).map((value) => Number(value.toFixed(6)))).toEqual([
      0.0015, 0.003, 0.0095, 0.035625, 0.0603,
    ]);
  });

  it('the incomplete beta function has the values of SciPy’s betainc', () => {
    expect(incompleteBeta(0.5, 2, 3)).toBeCloseTo(0.6875, 12);
    expect(incompleteBeta(0.5, 0.5, 0.5)).toBeCloseTo(0.5, 12);
    expect(incompleteBeta(1, 0.2, 3.5)).toBe(1);
    expect(incompleteBeta(0.4, 1, 4)).toBeCloseTo(1 - 0.6 ** 4, 12);
  });

  it('tails of Student’s t and F are those of the tables', () => {
    expect(studentP(2.228139, 10)).toBeCloseTo(0.05, 6);
    expect(fisherP(4.102821, 2, 10)).toBeCloseTo(0.05, 6);
    expect(fisherP(3.4928, 2, 20)).toBeCloseTo(0.05, 5);
    for (const [df, quantile] of [
      [8, 2.306004],
      [10, 2.228139],
      [30, 2.042272],
      [120, 1.97993],
    ] as const)
      expect(student95(df)).toBeCloseTo(quantile, 3);
  });

  it('least squares of Anscombe’s first set have his coefficients and standard errors', () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const fit = leastSquares(
      y,
      x.map((value) => [1, value]),
    );
    expect(fit?.coefficients[0]).toBeCloseTo(3.0000909, 6);
    expect(fit?.coefficients[1]).toBeCloseTo(0.5000909, 6);
    expect(Math.sqrt(fit?.covariance[0]?.[0] ?? 0)).toBeCloseTo(1.1247468, 6);
    expect(Math.sqrt(fit?.covariance[1]?.[1] ?? 0)).toBeCloseTo(0.1179055, 6);
    // The square of t is the F of a single coefficient.
    expect(fit && jointF(fit, [1])).toBeCloseTo((0.5000909 / 0.1179055) ** 2, 3);
  });

  it('order statistics about a median are within a rank of Campbell and Gardner’s', () => {
    const values = Float64Array.from({ length: 15 }, (_, i) => i + 1);
    const [low, high] = rankInterval(values, 1);
    expect(Math.abs(low - 4)).toBeLessThan(1);
    expect(Math.abs(high - 12)).toBeLessThan(1);
  });

  it('signs of a normal autoregression of 0.5 inflate the variance of a median by Sheppard’s terms', () => {
    const terms = [1, 2, 3].map((k) => (1 - k / 4) * (2 / Math.PI) * Math.asin(0.5 ** k));
    expect(inflationOf(4, { sign: 1 / 3, decay: 0.5 })).toBeCloseTo(
      1 + 2 * terms.reduce((a, b) => a + b, 0),
      12,
    );
  });

  it('a matrix times its inverse is the identity, and a singular one has none', () => {
    expect(
      inverse([
        [4, 7],
        [2, 6],
      ])?.map((row) => row.map((value) => Number(value.toFixed(12)))),
    ).toEqual([
      [0.6, -0.7],
      [-0.2, 0.4],
    ]);
    expect(
      inverse([
        [1, 2],
        [2, 4],
      ]),
    ).toBeNull();
  });

  it('a fit with fewer than 8 degrees of freedom is none', () => {
    expect(autoregressiveFit([1, 2, 3], [[1], [1], [1]], 0)).toBeNull();
  });
});
