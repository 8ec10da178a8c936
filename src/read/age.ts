/** Whole seconds since a reading; a clock that is behind the reader's does not make a reading come from the future. */
export const ageS = (readAtMs: number, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - readAtMs) / 1_000));
