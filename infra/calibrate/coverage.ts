import { incompleteBeta } from '../../src/analysis/distributions.ts';

/** Where an increasing function of a share reaches a level. */
const solve = (of: (share: number) => number, level: number): number => {
  let [low, high] = [0, 1];
  for (let n = 0; n < 50; n++) {
    const middle = (low + high) / 2;
    if (of(middle) < level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** The exact interval of a share (Clopper and Pearson 1934). */
export const exactInterval = (hits: number, n: number, confidence: number): readonly [number, number] => {
  const tail = (1 - confidence) / 2;
  return [
    hits === 0 ? 0 : solve((p) => incompleteBeta(p, hits, n - hits + 1), tail),
    hits === n ? 1 : solve((p) => incompleteBeta(p, hits + 1, n - hits), 1 - tail),
  ];
};
