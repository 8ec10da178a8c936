import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  betaQuantile,
  binomialTail,
  digamma,
  fisherP,
  incompleteBeta,
  normalQuantile,
  normalTail,
  poissonAtMost,
  student95,
  studentP,
  studentReach,
  studentTail,
  trigamma,
  trigammaInverse,
} from '../../src/kernel/distributions.ts';

/** Relative errors: counts of tens of thousands lose digits in ln Γ. */
const [EXACT, LARGE] = [2e-12, 1e-10];

/** Values of SciPy 1.17.1. */
const TABLE: readonly (readonly [
  of: (...values: number[]) => number,
  values: readonly number[],
  value: number,
  error?: number,
])[] = [
  // special.betainc(a, b, x)
  [incompleteBeta, [0.5, 0.5, 0.5], 0.5],
  [incompleteBeta, [0.5, 2, 3], 0.6875],
  [incompleteBeta, [0.4, 1, 4], 0.8704],
  [incompleteBeta, [0.9, 0.2, 3.5], 0.9999736420061305],
  [incompleteBeta, [0.1, 5, 0.5], 2.5705896992293723e-6],
  [incompleteBeta, [0.999, 50, 0.5], 0.7523690199653766],
  [incompleteBeta, [0.35, 40, 60], 0.15345812249917395],
  [incompleteBeta, [0.33, 300, 700], 0.9794613776615778],
  [incompleteBeta, [0.21, 2_000, 8_000], 0.9933328163637958],
  [incompleteBeta, [0.04, 12.5, 3.25], 4.667743349126979e-16],
  [incompleteBeta, [0.5, 100, 2], 4.02319061662716e-29],
  [incompleteBeta, [0.001, 8, 2.5], 2.111546105596932e-23],
  [incompleteBeta, [0.334, 50_000, 100_000], 0.7082048515233923, LARGE],
  // special.betaincinv(a, b, share)
  [betaQuantile, [0.025, 3, 98], 0.006229971538306395],
  [betaQuantile, [0.975, 4, 97], 0.08517605297428002],
  [betaQuantile, [0.0005, 40, 961], 0.022584435888329386],
  [betaQuantile, [0.9995, 1, 1_000], 0.007572088650311295],
  [betaQuantile, [0.5, 2.5, 0.5], 0.9044741819621789],
  [betaQuantile, [0.025, 65_171, 20_814], 0.7550658842681309, LARGE],
  // 2 * stats.t.sf(t, df), stats.t.sf(t, df), stats.t.ppf(0.5 + level / 2, df)
  [studentP, [2.228139, 10], 0.04999998745288254],
  [studentP, [0.1, 4], 0.9251558409394532],
  [studentP, [12, 8], 2.143866747688769e-6],
  [studentP, [3.3, 200.5], 0.0011442567990690713],
  [studentP, [40, 30], 1.3726045194406417e-27],
  [studentP, [1.5, 2.5], 0.24783645308629618],
  [studentTail, [2.776, 4], 0.02501138915998821],
  [studentTail, [-1.2, 7.5], 0.866665538603389],
  [student95, [4], 2.7764451051977934],
  [student95, [4.5], 2.6589123472044034],
  [student95, [8], 2.306004135204166],
  [student95, [30], 2.0422724563012378],
  [student95, [1_000.25], 1.9623384864941926],
  [studentReach, [0.5, 4], 0.7406970841126829],
  [studentReach, [0.999, 12.5], 4.266936766292182],
  // stats.f.sf(f, df1, df2)
  [fisherP, [4.102821, 2, 10], 0.05000000041554152],
  [fisherP, [1, 3, 17], 0.41678702003837276],
  [fisherP, [0.02, 2, 90], 0.980203028464612],
  [fisherP, [55, 4, 200], 3.2022618723552626e-31],
  [fisherP, [9.5, 1, 7.25], 0.017000271277389418],
  [fisherP, [0, 2, 10], 1],
  // special.betainc(k, n - k + 1, p)
  [binomialTail, [8, 10, 0.5], 0.0546875],
  [binomialTail, [3.5, 12.25, 0.1], 0.05905686797748312],
  [binomialTail, [40, 1_000, 0.02], 4.339875894746424e-5],
  [binomialTail, [0.4, 7, 0.03], 0.5810070018717677],
  [binomialTail, [0, 10, 0.5], 1],
  [binomialTail, [11, 10, 0.5], 0],
  // special.gammaincc(k + 1, mean)
  [poissonAtMost, [3, 2.5], 0.7575761331330662],
  [poissonAtMost, [0, 1.2], 0.3011942119122021],
  [poissonAtMost, [10.75, 30.5], 3.5602103590557446e-5],
  [poissonAtMost, [200, 250], 0.0006132795361468565],
  [poissonAtMost, [0.4, 0.01], 0.9987315090849564],
  [poissonAtMost, [5, 40], 4.127308729731743e-12],
  [poissonAtMost, [3_000, 3_100], 0.03642629939989004],
  [poissonAtMost, [3, 0], 1],
  // stats.norm.sf(z), stats.norm.ppf(share)
  [normalTail, [-8], 0.9999999999999993],
  [normalTail, [-2.5], 0.9937903346742238],
  [normalTail, [0.3], 0.3820885778110474],
  [normalTail, [1.959963984540054], 0.025],
  [normalTail, [6], 9.865876450376946e-10],
  [normalQuantile, [1e-9], -5.9978070150076865],
  [normalQuantile, [0.02], -2.053748910631823],
  [normalQuantile, [0.3], -0.5244005127080409],
  [normalQuantile, [0.5], 0],
  [normalQuantile, [0.999999], 4.753424308817087],
];

describe('distributions', () => {
  it.each(TABLE.map(([of, values, value, error = EXACT]) => ({ name: of.name, of, values, value, error })))(
    'have SciPy’s value: $name of $values',
    ({ of, values, value, error }) => {
      expect(Math.abs(of(...values) - value)).toBeLessThanOrEqual(error * Math.abs(value));
    },
  );

  it('have a probability everywhere, even too small for a number', () => {
    const size = fc.double({ min: -3, max: 7, noNaN: true }).map((power) => 10 ** power);
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(size, size, size, share, (a, b, c, p) => {
        for (const found of [
          incompleteBeta(p, a, b),
          studentTail(a, b),
          fisherP(a, b, c),
          binomialTail(a, b, p),
          poissonAtMost(a, b),
          normalTail(a),
        ]) {
          expect(found).toBeGreaterThanOrEqual(0);
          expect(found).toBeLessThanOrEqual(1);
        }
      }),
      { seed: 20_261_127, numRuns: 2_000 },
    );
  });
});

describe('derivatives of ln Γ', () => {
  it('have their known values at one', () => {
    expect(digamma(1)).toBeCloseTo(-0.5772156649015329, 12);
    expect(trigamma(1)).toBeCloseTo(Math.PI ** 2 / 6, 12);
  });

  it('are inverted', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 500, noNaN: true }), (x) => {
        expect(trigammaInverse(trigamma(x)) / x).toBeCloseTo(1, 6);
      }),
    );
  });
});
