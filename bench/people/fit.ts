import type { Labelled, Population } from '../../infra/calibrate/people/population.ts';
import { logisticWeights, termsOf } from '../../src/analysis/logistic.ts';
import type { Candidate } from '../../src/write/people/account.ts';
import type { Clustering, Comparison } from '../../src/write/people/cluster.ts';
import { SIGNAL_NAMES, type SignalName, type Signals, type Weights } from '../../src/write/people/signals.ts';

import { isOlderTaker } from './judge.ts';

export interface Example {
  readonly signals: Signals;
  readonly isSame: boolean;
  readonly logOdds: number;
}

/** Of whom most accounts of a group are. */
const ownerOf = ({ byKey }: Population, group: readonly Candidate[]): number => {
  const counts = Map.groupBy(group, ({ key }) => (byKey.get(key) as Labelled).person);
  return [...counts].toSorted((a, b) => b[1].length - a[1].length || a[0] - b[0])[0]?.[0] as number;
};

export const examplesOf = (population: Population, results: readonly Clustering[]): readonly Example[] =>
  results.flatMap(({ merged, apart }) =>
    [...merged, ...apart]
      .filter(({ a, b }) => ![...a, ...b].some(isOlderTaker(population)))
      .map(({ a, b, signals, logOdds }: Comparison) => ({
        signals,
        logOdds,
        isSame: ownerOf(population, a) === ownerOf(population, b),
      })),
  );

/** Prior precision of a weight: half an example of either outcome moves it hardly, a hundred do. */
const RIDGE = 0.1;

/** Logistic regression of whether two groups are of the same person on their signals. */
export const fit = (examples: readonly Example[]): Weights => {
  const weights = logisticWeights(
    examples.map(({ signals, isSame }) => ({
      terms: termsOf(SIGNAL_NAMES.map((name) => signals[name] ?? 0)),
      hits: isSame ? 1 : 0,
      misses: isSame ? 0 : 1,
    })),
    SIGNAL_NAMES.map(() => ({ mean: 0, precision: RIDGE })),
  );
  return Object.fromEntries(
    SIGNAL_NAMES.map((name, i) => [name, Number((weights[i] as number).toFixed(2))]),
  ) as Record<SignalName, number>;
};
