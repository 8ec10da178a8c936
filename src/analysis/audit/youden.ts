/** Where a score separates two classes best: the largest sum of sensitivity and specificity (Youden 1950). */
export const youdenThreshold = (scores: readonly number[], is: readonly boolean[]): number => {
  const order = scores
    .map((score, n) => ({ score, is: is[n] === true }))
    .toSorted((a, b) => b.score - a.score);
  const positives = order.filter((one) => one.is).length;
  const negatives = order.length - positives;
  let [hits, alarms, best, threshold] = [0, 0, -1, 0];
  order.forEach((one, n) => {
    if (one.is) hits += 1;
    else alarms += 1;
    const next = order[n + 1]?.score ?? one.score - 1;
    const gain = hits / positives - alarms / negatives;
    if (next < one.score && gain > best) [best, threshold] = [gain, (one.score + next) / 2];
  });
  return threshold;
};
