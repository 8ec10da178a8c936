import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catalogPersistence,
  NO_AGREEMENT,
  ownness,
  reachOf,
  strengthsOf,
} from '../../src/analysis/dependence.ts';
import { autoregression } from './post-samples.ts';

const USUAL = catalogPersistence(NO_AGREEMENT);
const counts = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 8, maxLength: 80 });

describe('how strongly posts may depend on one another', () => {
  it('has probabilities that add up, and depends on ranks alone', () => {
    fc.assert(
      fc.property(counts, (values) => {
        const strengths = strengthsOf(values, USUAL);
        expect(strengths.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
        expect(strengths.every(({ inflation }) => inflation >= 1)).toBe(true);
        const scaled = strengthsOf(
          values.map((value) => Math.log1p(value) ** 3),
          USUAL,
        );
        expect(ownness(scaled)).toBeCloseTo(ownness(strengths), 6);
        expect(reachOf(values.length, strengths)).toBeGreaterThanOrEqual(1.9);
      }),
    );
  });

  it('is the catalog’s until the posts of an account say that it is another', () => {
    const meanOwnness = (strength: number, posts: number) =>
      Array.from({ length: 40 }, (_, seed) =>
        ownness(strengthsOf(autoregression(posts, strength, seed + 1), USUAL)),
      ).reduce((a, b) => a + b, 0) / 40;
    expect(meanOwnness(0.25, 200)).toBeLessThan(0.4);
    expect(meanOwnness(0.85, 200)).toBeGreaterThan(0.99);
    expect(meanOwnness(0.85, 10)).toBeLessThan(0.7);
  });
});
