import { describe, expect, it } from 'vitest';
import { calibrationError, judge } from '../../bench/people/judge.ts';
import { populationOf } from '../../infra/calibrate/people/population.ts';
import { resolve } from '../../infra/calibrate/people/resolve.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import { MODEL } from '../../src/write/people/signals.ts';

const ATTACKED = {
  ...DEFAULT_PARAMETERS,
  adversaries: { ...DEFAULT_PARAMETERS.adversaries, adaptive: 0.05 },
};

describe('the method of people', () => {
  it.each([
    { name: 'the default world', world: DEFAULT_PARAMETERS },
    { name: 'a world with adversaries who know it', world: ATTACKED },
    { name: 'a drawn world', world: drawParameters(1) },
  ])(
    'has a precision of 0.99, a recall of 0.95 and a calibration error of 0.02 in $name',
    { tags: 'long' },
    async ({ world }) => {
      const population = populationOf(world, 31, 700);
      const score = await judge(population, await resolve(population, MODEL), MODEL);
      expect(score.truePairs / (score.truePairs + score.falsePairs)).toBeGreaterThanOrEqual(0.99);
      expect(score.found / score.joined).toBeGreaterThanOrEqual(0.95);
      expect(calibrationError(score.stated)).toBeLessThanOrEqual(0.02);
      expect(score.accountsByKind.impersonator).toBeGreaterThan(50);
    },
  );

  it('joins nobody to an adversary who knows it and controls nothing of the other side', async () => {
    const population = populationOf(ATTACKED, 33, 500);
    const score = await judge(population, await resolve(population, MODEL), MODEL);
    expect(score.accountsByKind.adaptive).toBeGreaterThan(70);
    expect(score.mergedByKind.adaptive ?? 0).toBe(0);
    expect(score.truePairs).toBeGreaterThan(1_000);
  });

  it('joins nobody if more is required than evidence can show', async () => {
    const population = populationOf(DEFAULT_PARAMETERS, 32, 150);
    const model = { ...MODEL, threshold: 1_000 };
    const score = await judge(population, await resolve(population, model), model);
    expect([score.truePairs, score.falsePairs, score.found]).toEqual([0, 0, 0]);
    expect(score.joined).toBeGreaterThan(300);
    expect(score.claimedPairs).toBeGreaterThan(300);
  });
});
