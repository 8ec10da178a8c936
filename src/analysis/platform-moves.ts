import { medianSorted } from 'simple-statistics';
import type { GrowthPoint, PlatformMove } from './growth.ts';

const DAY_MS = 86_400_000;
/** Accounts that were read around a day, from which on it is judged. */
const MIN_ACCOUNTS = 30;
/** Change of the median account in a day that no growth explains. */
const LEAST_MOVE = 0.0015;
/** Share of accounts that moved the same way. */
const ALIKE = 0.75;
/** Fewer followers can't show such a change. */
const MIN_FOLLOWERS = 1 / LEAST_MOVE;
/** A longer gap between readings does not show on which day the change was. */
const MOST_GAP = 2 * DAY_MS;

type Series = readonly (readonly GrowthPoint[])[];

const ascending = (values: number[]): number[] => values.sort((a, b) => a - b);

/** Days on which the accounts of a platform moved alike. */
const daysOf = (series: Series): readonly number[] => {
  const days = new Map<number, number[]>();
  for (const points of series) {
    for (let i = 1; i < points.length; i++) {
      const [from, to] = [points[i - 1] as GrowthPoint, points[i] as GrowthPoint];
      if (from.followers < MIN_FOLLOWERS || to.followers === 0 || to.atMs - from.atMs > MOST_GAP) continue;
      const change = (Math.log(to.followers / from.followers) * DAY_MS) / (to.atMs - from.atMs);
      for (let day = Math.floor(from.atMs / DAY_MS); day * DAY_MS < to.atMs; day++) {
        const known = days.get(day);
        if (known) known.push(change);
        else days.set(day, [change]);
      }
    }
  }
  return [...days]
    .filter(([, changes]) => {
      if (changes.length < MIN_ACCOUNTS) return false;
      const median = medianSorted(ascending(changes));
      const alike = changes.filter((change) => change * median > 0).length / changes.length;
      return Math.abs(median) >= LEAST_MOVE && alike >= ALIKE;
    })
    .map(([day]) => day)
    .sort((a, b) => a - b);
};

/** Change of ln followers of the median account from its last reading before a time to its first after another. */
const changeOf = (series: Series, fromMs: number, toMs: number): number | null => {
  const changes: number[] = [];
  for (const points of series) {
    const before = points.findLast(({ atMs }) => atMs <= fromMs);
    const after = points.find(({ atMs }) => atMs >= toMs);
    if (before && after && before.followers >= MIN_FOLLOWERS && after.followers > 0)
      changes.push(Math.log(after.followers / before.followers));
  }
  return changes.length < MIN_ACCOUNTS ? null : medianSorted(ascending(changes));
};

/**
 * Times at which the accounts of a platform moved alike, as in a purge of bots: the median account's followers changed
 * by at least 0.15 % a day, and three quarters of the accounts moved the same way. Successive such days are one move,
 * which is measured between the readings around them.
 * @param series the followers of many accounts of a platform, each by time.
 */
export const platformMoves = (series: Series): readonly PlatformMove[] => {
  const spans: { first: number; last: number }[] = [];
  for (const day of daysOf(series)) {
    const span = spans.at(-1);
    if (span?.last === day - 1) span.last = day;
    else spans.push({ first: day, last: day });
  }
  return spans.flatMap(({ first, last }) => {
    const [fromMs, toMs] = [first * DAY_MS, (last + 1) * DAY_MS];
    const change = changeOf(series, fromMs, toMs);
    return change === null ? [] : [{ fromMs, toMs, change }];
  });
};
