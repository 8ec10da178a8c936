import { gammaln } from 'simple-statistics';

/** Followers next to each other in follow order that were created within days. */
export interface CreationRun {
  /** Positions of its members in the list, ascending. */
  readonly members: readonly number[];
  readonly createdFromMs: number;
  readonly createdToMs: number;
  /** Bound on the probability that an audience without such runs has one as dense. */
  readonly p: number;
}

const DAY = 86_400_000;
/** Accounts that were created for one purpose are days apart at most. */
const WINDOW_MS = 7 * DAY;
/** Others may stand between members of a run, as accounts of a run that were suspended leave no gap. */
const MOST_GAP = 10;
const LEAST_MEMBERS = 5;
/** Rate of false alarms: audiences without runs in which one is found. */
export const FALSE_ALARMS = 0.01;

const lnChoose = (n: number, k: number): number => gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1);

/** P(at least k of the c are among m drawn of n): the upper tail of the hypergeometric distribution. */
const hypergeometricTail = (k: number, n: number, c: number, m: number): number => {
  const all = lnChoose(n, m);
  let sum = 0;
  for (let hits = Math.max(k, m + c - n, 0); hits <= Math.min(c, m); hits++)
    sum += Math.exp(lnChoose(c, hits) + lnChoose(n - c, m - hits) - all);
  return Math.min(1, sum);
};

/** Positions in groups without large gaps between successive ones. */
const stretchesOf = (positions: readonly number[]): readonly (readonly number[])[] => {
  const stretches: number[][] = [];
  for (const position of positions) {
    const last = stretches.at(-1);
    if (last !== undefined && position - (last.at(-1) as number) <= MOST_GAP) last.push(position);
    else stretches.push([position]);
  }
  return stretches;
};

interface Dated {
  readonly position: number;
  readonly atMs: number;
  /** Rank in the list among followers whose time of creation is known. */
  readonly rank: number;
}

/** Followers that were created in a week, for each week that holds others than the ones before. */
const weeksOf = (dated: readonly Dated[]): readonly (readonly Dated[])[] => {
  const weeks: (readonly Dated[])[] = [];
  let [end, before] = [0, 0];
  for (let start = 0; start < dated.length; start++) {
    const fromMs = (dated[start] as Dated).atMs;
    while (end < dated.length && (dated[end] as Dated).atMs <= fromMs + WINDOW_MS) end += 1;
    if (end > before && end - start >= LEAST_MEMBERS) weeks.push(dated.slice(start, end));
    before = end;
  }
  return weeks;
};

/** The densest run among followers that are in none yet; null if chance explains all. */
const densest = (dated: readonly Dated[]): CreationRun | null => {
  const weeks = weeksOf(dated);
  const tries = weeks.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
  let best: CreationRun | null = null;
  for (const week of weeks) {
    const byPosition = new Map(week.map((one) => [one.position, one]));
    for (const members of stretchesOf([...byPosition.keys()].toSorted((a, b) => a - b))) {
      if (members.length < LEAST_MEMBERS) continue;
      const found = members.map((position) => byPosition.get(position) as Dated);
      const between = (found.at(-1) as Dated).rank - (found[0] as Dated).rank;
      // No more than there are on average.
      if ((members.length - 1) * dated.length <= week.length * between) continue;
      const p = Math.min(
        1,
        tries * hypergeometricTail(members.length - 1, dated.length, week.length, between),
      );
      if (p > FALSE_ALARMS || (best !== null && p > best.p)) continue;
      if (best !== null && p === best.p && members.length <= best.members.length) continue;
      const times = found.map(({ atMs }) => atMs);
      best = { members, createdFromMs: Math.min(...times), createdToMs: Math.max(...times), p };
    }
  }
  return best;
};

/**
 * Runs of followers in follow order that were created within a week: a scan statistic over weeks and stretches of the list
 * (Glaz, Naus and Wallenstein 2001). Under the hypothesis that follow order is independent of the time of creation, every order of
 * the list is as probable as any other. The probability that two followers of a week, with k - 2 others of it between them, are
 * at most m ranks apart is then that of at least k - 1 of them among m ranks drawn at random, which is hypergeometric.
 * Bonferroni bounds the probability over all weeks and pairs, so that an audience without runs has one with a probability of at
 * most `FALSE_ALARMS`, however young its followers are.
 *
 * Runs stand out against the rest of a list: one without a rest has none.
 * @param createdMs by position in the list; null where unknown.
 * @returns runs that share no members, the least probable first.
 */
export const creationRuns = (createdMs: readonly (number | null)[]): readonly CreationRun[] => {
  let known = createdMs.flatMap((atMs, position) => (atMs === null ? [] : [{ position, atMs }]));
  const runs: CreationRun[] = [];
  for (;;) {
    const dated = known
      .map((one, rank) => ({ ...one, rank }))
      .toSorted((a, b) => a.atMs - b.atMs || a.rank - b.rank);
    const run = densest(dated);
    if (run === null) return runs;
    runs.push(run);
    const taken = new Set(run.members);
    known = known.filter(({ position }) => !taken.has(position));
  }
};
