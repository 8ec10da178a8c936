import { medianAbsoluteDeviation, quantileSorted } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg } from '../../src/analysis/content-effects.ts';
import { inflationOf } from '../../src/analysis/dependence.ts';
import { theilSen } from '../../src/analysis/growth.ts';
import { logisticWeights, termsOf } from '../../src/analysis/logistic.ts';
import { rankInterval } from '../../src/analysis/percentiles.ts';
import { autoregressiveFit, inverse, jointF, leastSquares } from '../../src/analysis/regression.ts';

describe('formulas against published examples', () => {
  it('quartiles are those of NumPy’s default method', () => {
    const values = [3, 6, 7, 8, 8, 10, 13, 15, 16, 20];
    expect([0.25, 0.5, 0.75].map((p) => quantileSorted(values, p))).toEqual([7.25, 9, 14.5]);
  });

  it('the MAD of 1, 1, 2, 2, 4, 6, 9 is 1', () => {
    expect(medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
  });

  it('Theil–Sen’s slope is that of Helsel and Hirsch’s example, unmoved by an outlier', () => {
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

  it('least squares on Anscombe’s first set give his coefficients and standard errors', () => {
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
    expect(fit && jointF(fit, [])).toBeNull();
  });

  it('weights of a logistic regression are the posterior mode that Newton’s method finds to 40 digits', () => {
    const [columns, hits, misses] = [
      [
        [0.5, 1],
        [1.5, 0],
        [2, 1],
        [2.5, 0],
        [3, 1],
        [3.5, 0],
        [4, 1],
        [0.75, 0],
      ],
      [0, 1, 2, 1, 3, 2, 5, 0],
      [3, 2, 2, 1, 1, 0, 1, 2],
    ];
    const weights = logisticWeights(
      columns.map((row, n) => ({
        terms: termsOf([1, ...row]),
        hits: hits[n] as number,
        misses: misses[n] as number,
      })),
      [
        { mean: 0, precision: 0 },
        { mean: 0, precision: 1 },
        { mean: 0.5, precision: 0.1 },
      ],
    );
    [-2.54665819508405, 1.12867920156488, -0.02892173809151].forEach((value, i) => {
      expect(weights[i]).toBeCloseTo(value, 10);
    });
  });

  it('weights of a logistic regression are finite where a column separates the classes', () => {
    const weights = logisticWeights(
      [-2, -1, 1, 2].map((x) => ({
        terms: termsOf([1, 1_000 * x]),
        hits: x > 0 ? 9 : 0,
        misses: x > 0 ? 0 : 9,
      })),
      [
        { mean: 0, precision: 0 },
        { mean: 0, precision: 1 },
      ],
    );
    expect(weights.every(Number.isFinite)).toBe(true);
    expect(weights[1]).toBeGreaterThan(0);
  });

  it('order statistics about a median are within a rank of Campbell and Gardner’s', () => {
    const values = Float64Array.from({ length: 15 }, (_, i) => i + 1);
    const [low, high] = rankInterval(values, 1.96);
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

  it('a matrix times its inverse is the identity, and a singular one has no inverse', () => {
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

  it('a fit with fewer than 8 degrees of freedom is refused', () => {
    expect(autoregressiveFit([1, 2, 3], [[1], [1], [1]], 0)).toBeNull();
  });
});
