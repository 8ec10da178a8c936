import type { AnalyzedPost } from '../../src/analysis/sample.ts';
import { seededRandom } from '../../src/kernel/random.ts';

export const DAY_MS = 86_400_000;
export const NOW = Date.UTC(2026, 9, 1);

/** A ripe original of X, a day ago times `days`. */
export const postAt = (days: number, given: Partial<AnalyzedPost> = {}): AnalyzedPost => ({
  id: `post ${days}`,
  atMs: NOW - days * DAY_MS,
  observedMs: NOW,
  kind: 'original',
  media: 'none',
  isOrdered: true,
  likes: 100,
  replies: 5,
  reposts: 7,
  quotes: 1,
  views: 4_000,
  followers: 10_000,
  length: 80,
  hashtags: 0,
  links: 0,
  mentions: 0,
  ...given,
});

/** A standard normal draw (Box and Muller 1958). */
export const normals = (seed: number): (() => number) => {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
};

/** Values of a first-order autoregression with deviation 1. */
export const autoregression = (n: number, phi: number, seed: number): readonly number[] => {
  const draw = normals(seed);
  const values: number[] = [draw()];
  while (values.length < n) values.push(phi * (values.at(-1) as number) + Math.sqrt(1 - phi ** 2) * draw());
  return values;
};
