import { parseArgs } from 'node:util';
import { populationOf } from '../../infra/calibrate/people/population.ts';
import { resolve } from '../../infra/calibrate/people/resolve.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import { MODEL } from '../../src/write/people/signals.ts';
import { examplesOf, fit } from './fit.ts';
import { judge, type Score } from './judge.ts';

/** Worlds of development: the default one and those of the first seeds; others are held back. */
const DRAWS = 10;
/** Seeds of the populations of a world, from its draw on: one population says too little of a precision. */
const FIRST_SEEDS = [200, 300];
const ROUNDS = 4;
const THRESHOLDS = [-1, 0, 1, 2, 3, 4];

/** Estimates the weights again from the worlds of development, and prints them with precision and recall by threshold. */
const { values } = parseArgs({ options: { size: { type: 'string', default: '2500' } } });
const worlds = Array.from({ length: DRAWS + 1 }, (_, draw) => {
  const parameters = draw === 0 ? DEFAULT_PARAMETERS : drawParameters(draw);
  return FIRST_SEEDS.map((seed) => populationOf(parameters, seed + draw, Number(values.size)));
});
let model = MODEL;
for (let round = 0; round < ROUNDS; round++) {
  const examples = [];
  for (const one of worlds.flat()) examples.push(...examplesOf(one, await resolve(one, model)));
  const { disclaimed } = MODEL.weights;
  model = { ...model, weights: { ...fit(examples), disclaimed } };
}
console.log(JSON.stringify(model.weights, null, 2));
for (const threshold of THRESHOLDS)
  for (const [draw, populations] of worlds.entries()) {
    const tried = { ...model, threshold };
    const scores: Score[] = [];
    for (const one of populations) scores.push(await judge(one, await resolve(one, tried), tried));
    const total = (of: (score: Score) => number) => scores.reduce((sum, score) => sum + of(score), 0);
    const right = total(({ truePairs }) => truePairs);
    const precision = right / (right + total(({ falsePairs }) => falsePairs));
    const [joined, all] = [total((score) => score.joined), total(({ allPairs }) => allPairs)];
    const found = total((score) => score.found);
    console.log(threshold, draw, precision.toFixed(4), (found / joined).toFixed(4), (right / all).toFixed(4));
  }
