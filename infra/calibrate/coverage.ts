import { betaQuantile } from '../../src/kernel/distributions.ts';

/** The exact interval of a share (Clopper and Pearson 1934). */
export const exactInterval = (hits: number, n: number, confidence: number): readonly [number, number] => {
  const tail = (1 - confidence) / 2;
  return [
    hits === 0 ? 0 : betaQuantile(tail, hits, n - hits + 1),
    hits === n ? 1 : betaQuantile(1 - tail, hits + 1, n - hits),
  ];
};
