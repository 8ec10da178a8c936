/**
 * The quantile of a sample below which the next value of the same law is with a given chance: the order statistic of rank
 * p (n + 1), interpolated (Hyndman and Fan, "Sample quantiles in statistical packages", 1996, type 6). An interval between
 * two of them holds the next value with the difference of their chances, whatever the law is, if values are exchangeable
 * (Wilks 1941; Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005). Beyond the extremes it is the
 * extreme, so that a small sample covers less than asked.
 * @param sorted ascending, at least one.
 */
export const predictionQuantile = (sorted: readonly number[], chance: number): number => {
  const n = sorted.length;
  const rank = Math.min(n, Math.max(1, chance * (n + 1)));
  const below = Math.floor(rank);
  const low = sorted[below - 1] as number;
  return low + (rank - below) * ((sorted[Math.min(n, below + 1) - 1] as number) - low);
};
