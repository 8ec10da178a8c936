import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCURACY,
  binOf,
  centerOf,
  emptyHistogram,
  histogramOf,
  mergedHistograms,
  quantileOf,
  totalOf,
} from '../../src/kernel/log-histogram.ts';

const values = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e12, noNaN: true })), {
  minLength: 1,
  maxLength: 200,
});

describe('a logarithmic histogram', () => {
  it('stands for each value with at most its relative error', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (value) => {
        expect(Math.abs(centerOf(binOf(value)) - value) / value).toBeLessThanOrEqual(ACCURACY + 1e-9);
      }),
    );
  });

  it('is the same however its values are split and merged', () => {
    fc.assert(
      fc.property(values, fc.nat(200), (all, at) => {
        const merged = mergedHistograms([histogramOf(all.slice(0, at)), histogramOf(all.slice(at))]);
        expect(merged).toEqual(histogramOf(all));
        expect(totalOf(merged)).toBe(all.length);
      }),
    );
  });

  it('gives quantiles within its relative error of the exact ones, and zero exactly', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, q) => {
        const exact = all.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(q * all.length) - 1)] as number;
        const found = quantileOf(histogramOf(all), q) as number;
        if (exact === 0) expect(found).toBe(0);
        else expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(ACCURACY + 1e-9);
      }),
    );
  });

  it('has no quantile without values', () => {
    expect(quantileOf(emptyHistogram, 0.5)).toBeNull();
  });
});
