import { populationOf } from '../../infra/calibrate/people/population.ts';
import { resolve } from '../../infra/calibrate/people/resolve.ts';
import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { MODEL, type Model } from '../../src/write/people/signals.ts';
import { examplesOf, fit } from './fit.ts';
import { judge } from './judge.ts';

/** Populations of the document that the oracle knows, which are none that it is judged on. */
const SEEDS = [900_001, 900_002, 900_003];
const PRECISION = 0.99;
const THRESHOLDS = Array.from({ length: 25 }, (_, n) => 0.25 + n / 8);

/**
 * Who knows the densities of a document: the weights of all signals as they are there, from labels of other populations
 * of it, and the lowest threshold at which its precision there is 0.99. It sees no more of an account than the method.
 */
export const oracleOf = (parameters: Parameters, size: number): Model => {
  const populations = SEEDS.map((seed) => populationOf(parameters, seed, size));
  let model = MODEL;
  for (let round = 0; round < 2; round++) {
    const examples = populations.flatMap((one) => examplesOf(one, resolve(one, model)));
    model = { ...model, weights: fit(examples) };
  }
  const precisionAt = (threshold: number): number => {
    const scores = populations.map((one) => {
      const known = { ...model, threshold };
      return judge(one, resolve(one, known), known);
    });
    const [right, wrong] = [
      scores.reduce((sum, { truePairs }) => sum + truePairs, 0),
      scores.reduce((sum, { falsePairs }) => sum + falsePairs, 0),
    ];
    return right / Math.max(1, right + wrong);
  };
  const threshold = THRESHOLDS.find((one) => precisionAt(one) >= PRECISION) ?? (THRESHOLDS.at(-1) as number);
  return { ...model, threshold };
};
