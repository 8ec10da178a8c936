/** Whole seconds since a reading; never negative, although clocks may differ. */
export const ageS = (readAtMs: number, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - readAtMs) / 1_000));
