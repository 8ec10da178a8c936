/**
 * Rate-limits an expensive computation: beyond the limit the last result is returned, so a hundred requests per
 * second cost no more than one.
 * @param perSecond sustained rate.
 * @param atOnce burst after idle time.
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
  let inFlight: Promise<T> | undefined;
  return () => {
    // Concurrent requests share the computation in flight.
    if (inFlight !== undefined) return inFlight;
    const now = steadyMs();
    left = Math.min(atOnce, left + ((now - countedMs) / 1_000) * perSecond);
    countedMs = now;
    if (left < 1 && last !== undefined) return last;
    left = Math.max(0, left - 1);
    const making = make().finally(() => {
      inFlight = undefined;
    });
    inFlight = making;
    last = making;
    // A failure is returned to current requests and not cached.
    making.catch(() => {
      if (last === making) last = undefined;
    });
    return making;
  };
};
