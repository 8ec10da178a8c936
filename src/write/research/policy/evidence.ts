import { rounded } from './rounded.ts';

/** What readings of a pool's accounts cost and gave in an hour, counted since 1970. */
export interface HourOfPool {
  readonly hour: number;
  readonly requests: number;
  readonly discovered: number;
}

/** Sums in which older hours count less. */
export interface Evidence {
  readonly requests: number;
  readonly discovered: number;
}

/** Hours whose weight is below a thousandth, by half-life. */
export const hoursThatCount = (halfLifeH: number): number => Math.ceil(10 * halfLifeH);

/**
 * Discounted sums: an hour counts half as much a half-life later, since yields drift and pools dry up (discounted Thompson sampling: Raj and
 * Kalyani, *Taming non-stationary bandits*, 2017). @param hours at or before `now`.
 */
export const evidenceOf = (hours: readonly HourOfPool[], now: number, halfLifeH: number): Evidence => {
  let [requests, discovered] = [0, 0];
  for (const each of hours) {
    const weight = 0.5 ** (Math.max(0, now - each.hour) / halfLifeH);
    requests += weight * each.requests;
    discovered += weight * each.discovered;
  }
  return { requests: rounded(requests), discovered: rounded(discovered) };
};
