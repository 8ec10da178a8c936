/**
 * The error of followers after a gap, and when an account is read again.
 *
 * The served number of followers is off by |ln((served + 1) / (true + 1))|, on average c·t^H after t days: independent relative
 * changes, of which growth consists (Gibrat's law), add up to H = 1/2. c is the account's *change coefficient*.
 *
 * Olston and Pandey, "Recrawl scheduling based on information longevity" (2008), minimize the mean error of all accounts
 * for a given number of readings: an account is read when t·e(t) - ∫e, the error that reading it would have saved, reaches a
 * threshold that all accounts share.
 */
export const GROWTH_EXPONENT = 0.5;

const H = GROWTH_EXPONENT;

/** Mean error of followers over a gap. @param change coefficient, error after one day. @param days between readings. */
export const meanError = (change: number, days: number): number => (change * days ** H) / (1 + H);

/** Divergence that accumulates over a gap, t·e(t) - ∫e, in days. */
export const divergence = (change: number, days: number): number => (change * days ** (1 + H) * H) / (1 + H);

/** Days until the divergence reaches a threshold: the inverse of `divergence`. */
export const gapFor = (threshold: number, change: number): number =>
  ((threshold * (1 + H)) / (change * H)) ** (1 / (1 + H));
