import { parseArgs } from 'node:util';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import { MODEL } from '../../src/write/people/log-odds.ts';
import { examplesOf, fit } from './fit.ts';
import { judge } from './judge.ts';
import { populationOf } from './population.ts';
import { resolve } from './resolve.ts';

/** Worlds of development: the default one and those of the first seeds; others are held back. */
const DRAWS = 10;
const FIRST_SEED = 200;
const ROUNDS = 4;
const THRESHOLDS = [1.5, 1.8, 2.1, 2.4];
/** What is chosen and not estimated: `src/write/people/log-odds.ts` says why. */
const { name_common, named_unlike } = MODEL.weights;

/** Estimates the weights again from the worlds of development, and prints them with precision and recall by threshold. */
const { values } = parseArgs({ options: { size: { type: 'string', default: '2500' } } });
const populations = Array.from({ length: DRAWS + 1 }, (_, draw) =>
  populationOf(
    draw === 0 ? DEFAULT_PARAMETERS : drawParameters(draw),
    FIRST_SEED + draw,
    Number(values.size),
  ),
);
let model = MODEL;
for (let round = 0; round < ROUNDS; round++) {
  const examples = populations.flatMap((one) => examplesOf(one, resolve(one, model)));
  model = { ...model, weights: { ...fit(examples), name_common, named_unlike } };
}
console.log(JSON.stringify(model.weights, null, 2));
for (const threshold of THRESHOLDS)
  for (const [draw, population] of populations.entries()) {
    const tried = { ...model, threshold };
    const score = judge(population, resolve(population, tried), tried);
    const precision = score.truePairs / (score.truePairs + score.falsePairs);
    console.log(threshold, draw, precision.toFixed(4), (score.found / score.joined).toFixed(4));
  }
