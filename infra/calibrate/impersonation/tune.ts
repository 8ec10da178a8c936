import { PART_NAMES } from '../../../src/write/people/impersonation.ts';
import { drawParameters } from '../../simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../simulator/world/parameters.ts';
import { populationOf } from '../people/population.ts';
import { type Asked, examplesOf } from './examples.ts';
import { estimate, patternsOf } from './fit.ts';
import { isJudged, isRight, precisionAndRecall, RIDGE, SIZE } from './measure.ts';

/** Worlds of development: the default one and those of the first seeds; others are held back. */
const DRAWS = 10;
/** Seeds of the populations of a world, from its draw on. */
const FIRST_SEEDS = [4_200, 4_300];
const THRESHOLDS = [-3, -2.5, -2, -1.5, 1, 1.5, 2, 2.5, 3];

/** Estimates the weights of the parts again from the worlds of development, and prints precision and recall by threshold. */
const worlds: Asked[][] = [];
for (let draw = 0; draw <= DRAWS; draw++) {
  const parameters = draw === 0 ? DEFAULT_PARAMETERS : drawParameters(draw);
  const asked: Asked[] = [];
  for (const seed of FIRST_SEEDS) asked.push(await examplesOf(populationOf(parameters, seed + draw, SIZE)));
  worlds.push(asked);
}
const judged = worlds
  .flat()
  .flatMap(({ examples }) => examples.filter((each) => isJudged(each) && !each.isUnconfirmed));
const fitted = estimate(patternsOf(judged.map((one) => ({ parts: one.parts, is: isRight(one) }))), RIDGE);
const weights = fitted.weights.map((weight) => Number(weight.toFixed(2)));
console.log(
  JSON.stringify(
    { prior: weights[0], ...Object.fromEntries(PART_NAMES.map((name, i) => [name, weights[i + 1]])) },
    null,
    2,
  ),
);
for (const threshold of THRESHOLDS)
  for (const [draw, asked] of worlds.entries()) {
    const [impersonated, all] = [true, false].map((only) =>
      precisionAndRecall(asked, fitted.logOdds, threshold, only),
    );
    const text = (one: typeof all) => `${one?.precision.toFixed(4)} ${one?.recall.toFixed(4)}`;
    console.log(threshold, draw, 'of the impersonated', text(impersonated), 'of all', text(all));
  }
