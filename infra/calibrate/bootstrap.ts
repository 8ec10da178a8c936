import { medianSorted } from 'simple-statistics';
import { seededRandom } from '../../src/kernel/random.ts';

const REPLICATES = 199;

/**
 * Width of the 95 % percentile interval of the median by a circular block bootstrap (Politis and Romano 1992), with
 * blocks of 2 n^(1/3) posts.
 */
export const bootstrapWidth = (values: readonly number[], seed: number): number => {
  const n = values.length;
  const length = Math.min(n, Math.max(1, Math.round(Math.cbrt(n))));
  const random = seededRandom(seed);
  const sample = new Float64Array(n);
  const medians = new Float64Array(REPLICATES);
  for (let replicate = 0; replicate < REPLICATES; replicate++) {
    for (let filled = 0; filled < n; ) {
      const from = random.int(n);
      for (let k = 0; k < length && filled < n; k++) sample[filled++] = values[(from + k) % n] as number;
    }
    medians[replicate] = medianSorted(sample.toSorted() as unknown as number[]);
  }
  medians.sort();
  return (
    (medians[Math.ceil(0.975 * (REPLICATES + 1)) - 1] as number) -
    (medians[Math.floor(0.025 * (REPLICATES + 1))] as number)
  );
};
