/**
 * Makes something anew for whoever asks, but no more than so often: past that the last one made is given again, so that
 * those who ask a hundred times a second cost no more than those who ask once.
 * @param perSecond how often it is made in the long run.
 * @param atOnce how often in a row, where it was not asked for for a while.
 */
export const throttled = <T>(
  make: () => Promise<T>,
  perSecond: number,
  atOnce = perSecond,
  steadyMs: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let left = atOnce;
  let countedMs = steadyMs();
  let last: Promise<T> | undefined;
  let underWay: Promise<T> | undefined;
  return () => {
    // Whoever asks while it is being made waits for that.
    if (underWay !== undefined) return underWay;
    const now = steadyMs();
    left = Math.min(atOnce, left + ((now - countedMs) / 1_000) * perSecond);
    countedMs = now;
    if (left < 1 && last !== undefined) return last;
    left = Math.max(0, left - 1);
    const making = make().finally(() => {
      underWay = undefined;
    });
    underWay = making;
    last = making;
    // A failure is told to who asks now, and to nobody later.
    making.catch(() => {
      if (last === making) last = undefined;
    });
    return making;
  };
};
