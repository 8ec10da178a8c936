import { describe, expect, it } from 'vitest';
import { calibrationError, judge, reliabilityOf } from '../../bench/people/judge.ts';
import { pictureOf } from '../../bench/people/picture.ts';
import { populationOf } from '../../infra/calibrate/people/population.ts';
import { resolve } from '../../infra/calibrate/people/resolve.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import { MODEL } from '../../src/write/people/signals.ts';

describe('the method of people', () => {
  it.each([
    { name: 'the default world', world: DEFAULT_PARAMETERS },
    { name: 'a drawn world', world: drawParameters(1) },
  ])(
    'has a precision of 0.99, a recall of 0.9 and a calibration error of 0.02 in $name',
    { tags: 'long' },
    ({ world }) => {
      const population = populationOf(world, 31, 700);
      const score = judge(population, resolve(population, MODEL), MODEL);
      expect(score.truePairs / (score.truePairs + score.falsePairs)).toBeGreaterThanOrEqual(0.99);
      expect(score.found / score.joined).toBeGreaterThanOrEqual(0.9);
      expect(calibrationError(score.stated)).toBeLessThanOrEqual(0.02);
      expect(score.accountsByKind.impersonator).toBeGreaterThan(50);
    },
  );

  it('joins nobody if more is required than evidence can show', () => {
    const population = populationOf(DEFAULT_PARAMETERS, 32, 150);
    const model = { ...MODEL, threshold: 1_000 };
    const score = judge(population, resolve(population, model), model);
    expect([score.truePairs, score.falsePairs, score.found]).toEqual([0, 0, 0]);
    expect(score.joined).toBeGreaterThan(500);
    expect(score.b3.precision).toBe(1);
  });
});

describe('the reliability diagram', () => {
  it('has a dot for each bin, and its error', () => {
    const stated = Array.from({ length: 100 }, (_, n) => ({
      confidence: n < 50 ? 0.52 : 0.97,
      isRight: n % 2 === 0,
    }));
    expect(calibrationError(stated)).toBeCloseTo((0.02 + 0.47) / 2, 6);
    const picture = pictureOf(reliabilityOf(stated), calibrationError(stated), 'A test.');
    expect(picture.match(/<circle/g)).toHaveLength(2);
    expect(picture).toContain('24.50 %');
  });
});
