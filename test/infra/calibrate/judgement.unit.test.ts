import { describe, expect, it } from 'vitest';
import { bootstrapWidth } from '../../../infra/calibrate/bootstrap.ts';
import { exactInterval } from '../../../infra/calibrate/coverage.ts';
import { medianOfMixture } from '../../../infra/calibrate/estimands.ts';
import { caterpillarOf } from '../../../infra/calibrate/picture.ts';
import type { Result } from '../../../infra/calibrate/records.ts';
import { missesOf, summaryOf } from '../../../infra/calibrate/summary.ts';
import { seededRandom } from '../../../src/kernel/random.ts';

/** A normal draw of deviation 1 (Box and Muller 1958). */
const normals = (seed: number): (() => number) => {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
};

/** Results of which so many hold what is so. */
const resultsOf = (n: number, held: number, given: Partial<Result> = {}): readonly Result[] =>
  Array.from({ length: n }, (_, i) => ({
    figure: 'likes',
    value: 10,
    low: 8,
    high: 12,
    truth: i < held ? 11 : 20,
    few: false,
    common: true,
    band: 2,
    bots: 0.1,
    width: null,
    ...given,
  }));

describe('the judgement of figures', () => {
  it('has Clopper and Pearson’s exact intervals', () => {
    const [low, high] = exactInterval(5, 10, 0.95);
    expect(low).toBeCloseTo(0.1871, 4);
    expect(high).toBeCloseTo(0.8129, 4);
    expect(exactInterval(0, 10, 0.95)[1]).toBeCloseTo(0.3085, 4);
    expect(exactInterval(10, 10, 0.95)).toEqual([expect.closeTo(0.6915, 4), 1]);
  });

  it('misses a coverage whose interval is outside 93 to 97 %, and one of few values only from below', () => {
    const missed = (held: number, few: boolean) => missesOf(summaryOf(resultsOf(1_000, held, { few }), []));
    expect(missed(950, false)).toEqual([]);
    expect(missed(900, false)).toEqual(['likes: coverage below 93 %']);
    expect(missed(995, false)).toEqual(['likes: coverage above 97 %']);
    expect(missed(995, true)).toEqual([]);
    expect(missed(900, true)).toEqual(['likes (few values): coverage below 93 %']);
  });

  it('misses a width of more than twice the bootstrap’s', () => {
    const wide = summaryOf(resultsOf(1_000, 950, { width: 2.2 }), []);
    expect(missesOf(wide)).toEqual(['likes: width above 2 times the bootstrap’s']);
    expect(wide.figures[0]?.wide).toBe(1);
  });

  it('misses more than 7 % of false discoveries, over accounts without an effect', () => {
    const decisions = Array.from({ length: 400 }, (_, i) => ({
      test: 'media',
      is: i >= 200,
      found: i < 20 || i >= 300,
    }));
    const { tests } = summaryOf([], decisions);
    expect(tests[0]).toMatchObject({
      without: 200,
      false_discoveries: 0.1,
      missed: 'false discoveries above 7 %',
    });
    expect(tests[0]?.power).toBe(0.5);
  });

  it('counts insufficient data over unselected accounts', () => {
    const results = [
      ...resultsOf(30, 30),
      ...resultsOf(10, 0, { value: null }),
      ...resultsOf(40, 40, { common: false }),
    ];
    expect(summaryOf(results, []).figures[0]).toMatchObject({ n: 70, coverage: 1, insufficient: 0.25 });
  });
});

describe('the reference of figures', () => {
  it('is the median of a log-normal law, slightly raised by outliers', () => {
    expect(medianOfMixture([7], 0.9, 0)).toBeCloseTo(7, 6);
    const draw = normals(3);
    const random = seededRandom(4);
    const sample = Array.from({ length: 100_000 }, () => {
      const outlier = random.next() < 0.03 ? 10 * 10 ** random.next() : 1;
      return 7 * Math.exp(0.9 * draw()) * outlier;
    }).sort((a, b) => a - b);
    expect(medianOfMixture([7], 0.9, 0.03) / (sample[50_000] as number)).toBeCloseTo(1, 1);
    expect(medianOfMixture([7], 0.9, 0.03)).toBeGreaterThan(7);
  });

  it('is a bootstrap for widths, with the normal median’s standard error for independent values', () => {
    const widths = Array.from({ length: 20 }, (_, seed) => {
      const draw = normals(seed + 50);
      return bootstrapWidth(
        Array.from({ length: 200 }, () => draw()),
        seed,
      );
    });
    const mean = widths.reduce((a, b) => a + b, 0) / widths.length;
    // 1.2533 σ / √n, on both sides.
    expect(mean / (2 * 1.96 * 1.2533 * Math.sqrt(1 / 200))).toBeGreaterThan(0.85);
    expect(mean / (2 * 1.96 * 1.2533 * Math.sqrt(1 / 200))).toBeLessThan(1.15);
  });

  it('is drawn with a line for each account', () => {
    const svg = caterpillarOf(resultsOf(20, 19), { title: 'Likes', caption: 'World.', isLog: true });
    expect(svg.match(/<circle/g)).toHaveLength(20);
    expect(svg.match(/stroke="#c0392b"/g)).toHaveLength(1);
    expect(svg).not.toContain('NaN');
  });
});
