/** Pairs of more points take longer than a request may. */
const MOST_POINTS = 120;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The median of the slopes between all pairs of points with different x (Theil 1950; Sen, "Estimates of the regression
 * coefficient based on Kendall's tau", JASA 1968); NaN without such a pair. Of more than 120 points it takes 120,
 * evenly.
 */
export const theilSen = (points: readonly Point[]): number => {
  const n = Math.min(points.length, MOST_POINTS);
  const some = Array.from(
    { length: n },
    (_, i) => points[n === points.length ? i : Math.round((i * (points.length - 1)) / (n - 1))] as Point,
  );
  const slopes = new Float64Array((n * (n - 1)) / 2);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const from = some[i] as Point;
    for (let j = i + 1; j < n; j++) {
      const to = some[j] as Point;
      if (to.x !== from.x) slopes[count++] = (to.y - from.y) / (to.x - from.x);
    }
  }
  if (count === 0) return Number.NaN;
  const sorted = slopes.subarray(0, count).sort();
  const middle = count >> 1;
  return count % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};
