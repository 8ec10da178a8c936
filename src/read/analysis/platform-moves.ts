import { medianSorted } from 'simple-statistics';
import type { GrowthPoint, PlatformMove } from './growth.ts';

const DAY_MS = 86_400_000;
/** Accounts that were read around a day, from which on it is judged. */
const MIN_ACCOUNTS = 30;
/** Change of the median account in a day that no growth explains. */
const LEAST_MOVE = 0.003;
/** Share of accounts that moved the same way. */
const ALIKE = 0.75;

/**
 * Days on which the accounts of a platform moved alike, as in a purge of bots: the median account's followers changed by
 * at least 0.3 % in a day, and three quarters of the accounts moved the same way. Successive such days are one move.
 * @param series the followers of many accounts of a platform, each by time.
 */
export const platformMoves = (series: Iterable<readonly GrowthPoint[]>): readonly PlatformMove[] => {
  const days = new Map<number, number[]>();
  for (const points of series) {
    for (let i = 1; i < points.length; i++) {
      const [from, to] = [points[i - 1] as GrowthPoint, points[i] as GrowthPoint];
      // Fewer followers can't show such a change; a longer gap does not show its day.
      if (from.followers < 2 / LEAST_MOVE || to.followers === 0 || to.atMs - from.atMs > 2 * DAY_MS) continue;
      const change = (Math.log(to.followers / from.followers) * DAY_MS) / (to.atMs - from.atMs);
      for (let day = Math.floor(from.atMs / DAY_MS); day * DAY_MS < to.atMs; day++) {
        const known = days.get(day);
        if (known) known.push(change);
        else days.set(day, [change]);
      }
    }
  }
  const moves: { atMs: number; change: number; day: number }[] = [];
  for (const [day, changes] of [...days].sort(([a], [b]) => a - b)) {
    if (changes.length < MIN_ACCOUNTS) continue;
    const median = medianSorted(changes.sort((a, b) => a - b));
    const alike = changes.filter((change) => change * median > 0).length / changes.length;
    if (Math.abs(median) < LEAST_MOVE || alike < ALIKE) continue;
    const last = moves.at(-1);
    if (last && last.day === day - 1 && last.change * median > 0) {
      // Readings that lie across midnight show one move on two days: the larger part says when it began.
      if (Math.abs(median) > Math.abs(last.change)) last.atMs = day * DAY_MS;
      last.change = Math.abs(median) > Math.abs(last.change) ? median : last.change;
      last.day = day;
    } else moves.push({ atMs: day * DAY_MS, change: median, day });
  }
  return moves.map(({ atMs, change }) => ({ atMs, change }));
};
