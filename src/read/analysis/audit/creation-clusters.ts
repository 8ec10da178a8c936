import { incompleteBeta } from '../distributions.ts';

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

/** P(at least k of n) with a chance of p each. */
const binomialTail = (k: number, n: number, p: number): number =>
  k <= 0 ? 1 : incompleteBeta(p, k, n - k + 1);

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
}

/** The densest run among followers that are in none yet; null if chance explains all. */
const densest = (dated: readonly Dated[], tries: number): CreationRun | null => {
  let best: CreationRun | null = null;
  let end = 0;
  let previousEnd = 0;
  for (let start = 0; start < dated.length; start++) {
    const fromMs = (dated[start] as Dated).atMs;
    while (end < dated.length && (dated[end] as Dated).atMs <= fromMs + WINDOW_MS) end += 1;
    // Windows that only lose their first member hold nothing new.
    const isNew = end > previousEnd;
    previousEnd = end;
    if (!isNew || end - start < LEAST_MEMBERS) continue;
    const created = dated.slice(start, end);
    const at = new Map(created.map((one) => [one.position, one.atMs]));
    for (const members of stretchesOf([...at.keys()].toSorted((a, b) => a - b))) {
      if (members.length < LEAST_MEMBERS) continue;
      const length = (members.at(-1) as number) - (members[0] as number) + 1;
      const outside = Math.max(0, dated.length - length);
      // How many are created in such a week as a rule: those elsewhere in the list, and one more.
      const chance = Math.min(1, (created.length - members.length + 1) / (outside + 1));
      const p = Math.min(1, tries * binomialTail(members.length, Math.max(length, members.length), chance));
      if (p > FALSE_ALARMS || (best !== null && p > best.p)) continue;
      if (best !== null && p === best.p && members.length <= best.members.length) continue;
      const times = members.map((position) => at.get(position) as number);
      best = { members, createdFromMs: Math.min(...times), createdToMs: Math.max(...times), p };
    }
  }
  return best;
};

/**
 * Runs of followers in follow order that were created within a week: a scan statistic over weeks and stretches of the list
 * (Glaz, Naus and Wallenstein 2001). Under the hypothesis that follow order tells nothing of the week of creation, the number
 * of a stretch's members that were created in a week is binomial, with the share of that week elsewhere in the list; Bonferroni
 * bounds the probability over all weeks and stretches, so that an audience without runs has one with a probability of
 * at most `FALSE_ALARMS`.
 * @param createdMs by position in the list; null where unknown.
 * @returns runs that share no members, the least probable first.
 */
export const creationRuns = (createdMs: readonly (number | null)[]): readonly CreationRun[] => {
  let dated: readonly Dated[] = createdMs
    .flatMap((atMs, position) => (atMs === null ? [] : [{ position, atMs }]))
    .toSorted((a, b) => a.atMs - b.atMs);
  const tries = dated.length ** 2;
  const runs: CreationRun[] = [];
  for (;;) {
    const run = densest(dated, tries);
    if (run === null) return runs;
    runs.push(run);
    const taken = new Set(run.members);
    dated = dated.filter(({ position }) => !taken.has(position));
  }
};
