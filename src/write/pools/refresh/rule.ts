import type { PoolTuning } from '../events.ts';
import { CHANGE_BINS, changeOfBin, UNAVAILABLE_BIN } from './change-bins.ts';
import { divergence, GROWTH_EXPONENT, gapFor } from './divergence.ts';

export const DAY_S = 86_400;

/** What an account's interval follows from, besides its bin. */
export type RefreshSettings = Pick<
  PoolTuning,
  'refresh' | 'refresh_min_s' | 'refresh_max_s' | 'refresh_factor' | 'refresh_threshold'
>;

/**
 * The threshold of a pool that has none: its median account is read at the geometric mean of the pool's bounds, so that as many
 * accounts may be read more often as less often.
 */
const defaultThreshold = ({ refresh_min_s, refresh_max_s }: RefreshSettings, median: number): number =>
  divergence(changeOfBin(median), Math.sqrt(refresh_min_s * refresh_max_s) / DAY_S);

/** The threshold that a pool has. @param median bin of its median account. */
export const thresholdOf = (settings: RefreshSettings, median: number): number =>
  settings.refresh_threshold ?? defaultThreshold(settings, median);

/** Seconds between readings of a pool whose interval does not depend on changes. */
const fixedInterval = ({ refresh_min_s, refresh_factor }: RefreshSettings): number =>
  refresh_min_s * refresh_factor;

/** Seconds until the divergence of an account of a bin reaches a threshold, without the pool's bounds. */
const unboundedInterval = ({ refresh_factor }: RefreshSettings, threshold: number, bin: number): number =>
  refresh_factor * gapFor(threshold, changeOfBin(bin)) * DAY_S;

/** Seconds between readings of the accounts of a bin. */
export const intervalOf = (settings: RefreshSettings, threshold: number, bin: number): number => {
  if (settings.refresh === 'fixed') return fixedInterval(settings);
  const { refresh_min_s, refresh_max_s } = settings;
  if (bin === UNAVAILABLE_BIN) return refresh_max_s;
  return Math.min(refresh_max_s, Math.max(refresh_min_s, unboundedInterval(settings, threshold, bin)));
};

/** Intervals by bin, in whole seconds: computed once a change of settings or of the median, not for each reading. */
export const intervalTable = (settings: RefreshSettings, median: number): Int32Array => {
  const threshold = thresholdOf(settings, median);
  return Int32Array.from({ length: CHANGE_BINS }, (_, bin) =>
    Math.round(intervalOf(settings, threshold, bin)),
  );
};

/** Threshold at which an account of a bin has an interval, the bounds apart. */
export const thresholdAt = ({ refresh_factor }: RefreshSettings, seconds: number, bin: number): number =>
  divergence(changeOfBin(bin), seconds / refresh_factor / DAY_S);

/** Intervals are proportional to this power of the threshold. */
export const INTERVAL_POWER = 1 / (1 + GROWTH_EXPONENT);
