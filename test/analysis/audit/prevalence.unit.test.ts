import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactInterval } from '../../../infra/calibrate/coverage.ts';
import { type Labelled, trueShare, wilsonInterval } from '../../../src/analysis/audit/prevalence.ts';
import { seededRandom } from '../../../src/kernel/random.ts';

/** Labelled followers of one list, of two classes, as one rule put them. */
const labelledOf = (hits: number, positives: number, alarms: number, negatives: number): Labelled => [
  [
    { truth: 0, said: [0, 0], list: 0, n: hits },
    { truth: 0, said: [1, 1], list: 0, n: positives - hits },
  ],
  [
    { truth: 1, said: [0, 0], list: 0, n: alarms },
    { truth: 1, said: [1, 1], list: 0, n: negatives - alarms },
  ],
];

const countsOf = (flagged: number, n: number) => [{ counts: [flagged, n - flagged], rule: 0 as const }];

describe('the corrected share of a class', () => {
  it('equals Rogan and Gladen’s for two classes', () => {
    // (0.23 + 0.9 - 1) / (0.8 + 0.9 - 1)
    const found = trueShare(countsOf(230, 1_000), labelledOf(80, 100, 20, 200), 0);
    expect(found?.estimate).toBeCloseTo(0.13 / 0.7, 10);
    expect(found?.low).toBeLessThan(0.13 / 0.7);
    expect(found?.high).toBeGreaterThan(0.13 / 0.7);
  });

  it('is bounded by 0 and 1, and cannot be told from 0 where only false alarms were flagged', () => {
    const found = trueShare(countsOf(40, 500), labelledOf(80, 100, 20, 200), 0);
    expect(found).toMatchObject({ estimate: 0, low: 0 });
    expect(found?.high).toBeGreaterThan(0);
    expect(trueShare(countsOf(500, 500), labelledOf(80, 100, 20, 200), 0)).toMatchObject({
      estimate: 1,
      high: 1,
    });
  });

  it('is unknown if a rule treats both classes alike', () => {
    expect(trueShare(countsOf(40, 500), labelledOf(50, 100, 100, 200), 0)).toBeNull();
  });

  it('has an interval that narrows with the labelled sample and with the followers that were read', () => {
    const width = (n: number, labels: number) => {
      const found = trueShare(
        countsOf(0.23 * n, n),
        labelledOf(0.8 * labels, labels, 0.1 * labels, labels),
        0,
      );
      return (found?.high ?? 1) - (found?.low ?? 0);
    };
    expect(width(1_000, 100)).toBeGreaterThan(1.3 * width(1_000, 1_000));
    expect(width(200, 10_000)).toBeGreaterThan(1.8 * width(1_000, 10_000));
  });

  it('adds up strata that different rules classified, each with its own errors', () => {
    const labelled: Labelled = [
      [
        { truth: 0, said: [0, 0], list: 0, n: 70 },
        { truth: 0, said: [0, 1], list: 0, n: 20 },
        { truth: 0, said: [1, 1], list: 0, n: 10 },
      ],
      [
        { truth: 1, said: [0, 0], list: 0, n: 10 },
        { truth: 1, said: [1, 0], list: 0, n: 10 },
        { truth: 1, said: [1, 1], list: 0, n: 80 },
      ],
    ];
    const strata = [
      { counts: [26, 74], rule: 0 },
      { counts: [60, 40], rule: 1 },
    ] as const;
    // (0.26 - 0.1) / 0.8 of the first hundred, (0.6 - 0.2) / 0.5 of the second.
    expect(trueShare(strata, labelled, 0)?.estimate).toBeCloseTo((0.2 + 0.8) / 2, 10);
  });

  it('is found for three classes by inverting the matrix of errors', () => {
    const rates = [
      [0.8, 0.1, 0.1],
      [0.05, 0.85, 0.1],
      [0.06, 0.04, 0.9],
    ];
    const labelled = rates.map((row, truth) =>
      row.map((share, to) => ({ truth, said: [to, to] as const, list: 0, n: Math.round(1_000 * share) })),
    );
    const truths = [0.2, 0.3, 0.5];
    const counts = [0, 1, 2].map(
      (to) =>
        10_000 * truths.reduce((sum, share, of) => sum + share * ((rates[of] as number[])[to] as number), 0),
    );
    truths.forEach((share, target) => {
      expect(trueShare([{ counts, rule: 0 }], labelled, target)?.estimate).toBeCloseTo(share, 8);
    });
  });

  it('has an interval that contains the truth in at least 93 of 100 random samples', () => {
    const random = seededRandom(5);
    const draw = (n: number, chance: number) => {
      let hits = 0;
      for (let i = 0; i < n; i++) if (random.next() < chance) hits += 1;
      return hits;
    };
    for (const [n, positives, se, sp] of [
      [400, 40, 0.85, 0.92],
      [400, 5, 0.8, 0.95],
      [400, 150, 0.7, 0.85],
      [50, 2, 0.95, 0.99],
      [50, 45, 0.95, 0.99],
      [200, 2, 0.98, 0.998],
    ] as const) {
      let held = 0;
      const rounds = 2_000;
      for (let round = 0; round < rounds; round++) {
        const flagged = draw(positives, se) + draw(n - positives, 1 - sp);
        const labelled = labelledOf(draw(200, se), 200, draw(800, 1 - sp), 800);
        const found = trueShare(countsOf(flagged, n), labelled, 0);
        if (found !== null && found.low <= positives / n && positives / n <= found.high) held += 1;
      }
      const [, high] = exactInterval(held, rounds, 0.999);
      expect(high, `${positives} of ${n}`).toBeGreaterThan(0.93);
    }
  });

  it('has an interval that contains the truth of most audiences, whichever sample was labelled', () => {
    const random = seededRandom(6);
    const draw = (n: number, chance: number) => {
      let hits = 0;
      for (let i = 0; i < n; i++) if (random.next() < chance) hits += 1;
      return hits;
    };
    const coverages = Array.from({ length: 100 }, () => {
      const labelled = labelledOf(draw(200, 0.85), 200, draw(800, 0.08), 800);
      const rounds = 200;
      let held = 0;
      for (let round = 0; round < rounds; round++) {
        const found = trueShare(countsOf(draw(60, 0.85) + draw(440, 0.08), 500), labelled, 0);
        if (found !== null && found.low <= 0.12 && 0.12 <= found.high) held += 1;
      }
      return held / rounds;
    });
    expect(coverages.filter((coverage) => coverage >= 0.93).length).toBeGreaterThanOrEqual(90);
  });

  it('cannot be told from 0 where none or one follower was flagged, and may be 1 where all were', () => {
    const sharp = labelledOf(300, 300, 0, 700);
    expect(trueShare(countsOf(0, 50), sharp, 0)).toMatchObject({ estimate: 0, low: 0 });
    expect(trueShare(countsOf(50, 50), sharp, 0)).toMatchObject({ estimate: 1, high: 1 });
    const one = trueShare(countsOf(1, 200), labelledOf(294, 300, 2, 1_000), 0);
    expect(one?.estimate).toBeCloseTo((0.005 - 0.002) / 0.978, 8);
    expect(one?.low).toBe(0);
  });

  it('lies in its interval, and the interval in 0 to 1, for any counts', () => {
    const verdicts = fc.array(
      fc.record({
        said: fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })),
        list: fc.integer({ min: 0, max: 4 }),
        n: fc.integer({ min: 1, max: 400 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const counts = fc.array(fc.nat({ max: 1_000 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 3 }),
        fc.tuple(counts, counts),
        fc.tuple(verdicts, verdicts, verdicts),
        fc.boolean(),
        (classes, both, labels, isOfEach) => {
          const strata = both.map((of, rule) => ({ counts: of.slice(0, classes), rule: rule as 0 | 1 }));
          const last = classes - 1;
          const labelled = labels.slice(0, classes).map((of, truth) =>
            of.map(({ said: [a, b], ...rest }) => ({
              ...rest,
              truth,
              said: [Math.min(a, last), Math.min(b, last)] as const,
            })),
          );
          fc.pre(strata.some(({ counts: of }) => of.some((n) => n > 0)));
          const errors = isOfEach ? 'of each list' : 'as tested';
          const found = trueShare(strata, labelled, 0, { errors });
          if (found === null) return;
          const { estimate, low, high } = found;
          expect([0 <= low, low <= estimate, estimate <= high, high <= 1]).toEqual([true, true, true, true]);
        },
      ),
      { numRuns: 2_000, seed: 4 },
    );
  });

  it('is less certain when errors differ between the labelled lists', () => {
    const lists = (hits: readonly number[]): Labelled => [
      hits.flatMap((n, list) => [
        { truth: 0, said: [0, 0] as const, list, n },
        { truth: 0, said: [1, 1] as const, list, n: 20 - n },
      ]),
      hits.map((_, list) => ({ truth: 1, said: [1, 1] as const, list, n: 100 })),
    ];
    const width = (labelled: Labelled) => {
      const found = trueShare(countsOf(200, 500), labelled, 0);
      return (found?.high ?? 1) - (found?.low ?? 0);
    };
    const alike = Array.from({ length: 20 }, (_, list) => 15 + (list % 3));
    const unlike = Array.from({ length: 20 }, (_, list) => (list % 2 === 0 ? 12 : 20));
    expect(width(lists(unlike))).toBeGreaterThan(2 * width(lists(alike)));
  });
});

describe('the share of a sample', () => {
  it('has Wilson’s interval', () => {
    // Newcombe 1998, table I: 15 of 148.
    const { low, high } = wilsonInterval(15, 148);
    expect([low, high].map((share) => share.toFixed(4))).toEqual(['0.0624', '0.1605']);
    expect(wilsonInterval(0, 20)).toMatchObject({ estimate: 0, low: 0 });
  });
});
