/** Follower audits: classes of followers, and runs that were created together. */

import { gammaln } from 'simple-statistics';
import {
  type AuditModel,
  classOf,
  FOLLOWER_CLASSES,
  type FollowerClass,
  type FollowerTraits,
  isFamiliar,
} from './model.ts';
import {
  type Labelled,
  type LabelledVerdicts,
  type ShareInterval,
  type Stratum,
  trueShare,
  wilsonInterval,
} from './prevalence.ts';

/** A follower of an audited list. */
export interface ListedFollower extends FollowerTraits {
  readonly createdMs: number | null;
}

/** What a run of followers that were created together is: bought, if most of its members are suspicious by other traits. */
export type ClusterKind = 'bought' | 'organic' | 'undecided';

export interface CreationCluster extends CreationRun {
  readonly kind: ClusterKind;
}

/** Shares of followers that show a mark, of those of whom it is known; null where the list shows it of none. */
export interface Signals {
  readonly created_within_90_days: number | null;
  readonly without_picture: number | null;
  readonly without_bio: number | null;
  readonly follows_20_times_its_followers: number | null;
  readonly without_posts: number | null;
}

export interface Audit {
  /** Followers that were classified. */
  readonly n: number;
  /** Shares of classes as classified, whatever the errors of that. */
  readonly classified: { readonly suspicious: ShareInterval; readonly inactive: ShareInterval | null };
  /** The suspicious share as classified by follow order. */
  readonly strata: readonly {
    readonly from: number;
    readonly to: number;
    readonly suspicious: ShareInterval;
  }[];
  /** True shares; null without a labelled sample, or where the list does not show what they rest on. */
  readonly suspicious: ShareInterval | null;
  readonly inactive: ShareInterval | null;
  /** Whether the labelled classes together may look like this audience; null without a labelled sample. */
  readonly isFamiliar: boolean | null;
  readonly signals: Signals;
  readonly clusters: readonly CreationCluster[];
}

const signalsOf = (followers: readonly ListedFollower[]): Signals => {
  const share = (of: (one: ListedFollower) => boolean | null): number | null => {
    const known = followers.map(of).filter((one) => one !== null);
    return known.length === 0 ? null : known.filter(Boolean).length / known.length;
  };
  return {
    created_within_90_days: share(({ ageDays }) => (ageDays === null ? null : ageDays < 90)),
    without_picture: share(({ hasAvatar }) => (hasAvatar === null ? null : !hasAvatar)),
    without_bio: share(({ hasBio }) => (hasBio === null ? null : !hasBio)),
    follows_20_times_its_followers: share(({ followers: own, following }) =>
      own === null || following === null ? null : following >= 20 * (own + 1),
    ),
    without_posts: share(({ posts }) => (posts === null ? null : posts === 0)),
  };
};

/** How many there are of each class. */
const countsOf = (classes: readonly FollowerClass[]): readonly number[] =>
  FOLLOWER_CLASSES.map((name) => classes.filter((one) => one === name).length);

/** Suspicious ones against all others. */
const suspiciousAgainstOthers = ([suspicious = 0, ...others]: readonly number[]): readonly number[] => [
  suspicious,
  others.reduce((sum, one) => sum + one, 0),
];

/** The same of a labelled sample. */
const labelledAgainstOthers = (labelled: Labelled): Labelled => {
  const of = (verdicts: readonly LabelledVerdicts[], truth: number): readonly LabelledVerdicts[] =>
    verdicts.map(({ said: [withAge, without], list, n }) => ({
      truth,
      said: [Math.min(1, withAge), Math.min(1, without)],
      list,
      n,
    }));
  const [suspicious = [], ...others] = labelled;
  return [of(suspicious, 0), of(others.flat(), 1)];
};

/** The true share of suspicious followers among those that were classified as suspicious or not, by one of the two rules each. */
export const suspiciousShare = (model: AuditModel, strata: readonly Stratum[]): ShareInterval | null =>
  trueShare(strata, labelledAgainstOthers(model.labelled), 0);

/** Of a run of followers: their classes by all but their age, since all of them are of one age. */
const kindOf = (
  classes: readonly FollowerClass[],
  elsewhere: readonly FollowerClass[],
  model: AuditModel | null,
): ClusterKind => {
  if (model !== null) {
    const strata = [{ counts: suspiciousAgainstOthers(countsOf(classes)), rule: 1 }] as const;
    const share = suspiciousShare(model, strata);
    if (share === null) return 'undecided';
    return share.low > 0.5 ? 'bought' : share.high < 0.5 ? 'organic' : 'undecided';
  }
  // Without labels the rest of the audience is the control.
  const flagged = (some: readonly FollowerClass[]) =>
    wilsonInterval(some.filter((one) => one === 'suspicious').length, some.length);
  const [own, rest] = [flagged(classes), flagged(elsewhere)];
  return own.low > 0.5 && own.low > rest.high ? 'bought' : 'undecided';
};

/**
 * Followers that a cluster has at least, and their share of the audience: fewer say nothing about it, however improbable they
 * are by chance, and anybody can make five.
 */
const [LEAST_CLUSTER, LEAST_CLUSTER_SHARE] = [10, 0.02] as const;

/** Whether a list shows a trait of one follower in five at least. */
const isShown = (followers: readonly ListedFollower[], trait: 'posts' | 'ageDays'): boolean =>
  5 * followers.filter((one) => one[trait] !== null).length >= followers.length;

/**
 * The suspicious and the inactive share of followers that lists showed, with runs of followers that were created together.
 *
 * Followers of such runs are classified without their age, with the errors of that: they are all of one age, so that their
 * errors would depend on one another, and an organic surge of new accounts would pass for bots.
 * @param followers in follow order.
 * @param model null without a labelled sample.
 * @param strataCount parts of the list to give the share as classified of.
 */
export const auditOf = (
  followers: readonly ListedFollower[],
  model: AuditModel | null,
  strataCount = 1,
): Audit => {
  const runs = creationRuns(followers.map(({ createdMs }) => createdMs));
  const inRuns = new Set(runs.flatMap(({ members }) => members));
  const classAt = (position: number, isAgeKnown: boolean): FollowerClass => {
    const one = followers[position] as ListedFollower;
    return model === null ? conventionalClass(one, isAgeKnown) : classOf(model, one, isAgeKnown);
  };
  const positions = followers.map((_, position) => position);
  const alone = positions.filter((position) => !inRuns.has(position));
  const together = positions.filter((position) => inRuns.has(position));
  const byAge = alone.map((position) => classAt(position, true));
  const byOthers = together.map((position) => classAt(position, false));
  const aloneByOthers = alone.map((position) => classAt(position, false));
  const isSuspicious = new Set([
    ...alone.filter((_, n) => byAge[n] === 'suspicious'),
    ...together.filter((_, n) => byOthers[n] === 'suspicious'),
  ]);
  const counts = [countsOf(byAge), countsOf(byOthers)] as const;
  const n = followers.length;
  const strata = (of: (counts: readonly number[]) => readonly number[]): readonly Stratum[] => [
    { counts: of(counts[0]), rule: 0 },
    { counts: of(counts[1]), rule: 1 },
  ];
  const classified = (name: FollowerClass) =>
    wilsonInterval([...byAge, ...byOthers].filter((one) => one === name).length, n);
  const showsPosts = isShown(followers, 'posts');
  const showsInactive = showsPosts && (model === null || model.inactive !== null);
  return {
    n,
    classified: {
      suspicious: classified('suspicious'),
      inactive: showsInactive ? classified('inactive') : null,
    },
    strata: Array.from({ length: strataCount }, (_, part) => {
      const [from, end] = [part, part + 1].map((edge) => Math.floor((edge * n) / strataCount)) as [
        number,
        number,
      ];
      const hits = positions.slice(from, end).filter((position) => isSuspicious.has(position)).length;
      return { from, to: end - 1, suspicious: wilsonInterval(hits, end - from) };
    }),
    suspicious: model === null ? null : suspiciousShare(model, strata(suspiciousAgainstOthers)),
    // Of accounts that were abandoned some had posted much before, in some audiences more than in others.
    inactive:
      model === null || !showsInactive
        ? null
        : trueShare(
            strata((all) => all),
            model.labelled,
            1,
            { errors: 'of each list' },
          ),
    isFamiliar:
      model === null || alone.length === 0
        ? null
        : isFamiliar(
            model,
            alone.map((position) => followers[position] as ListedFollower),
          ),
    signals: signalsOf(followers),
    clusters: runs
      .filter(({ members }) => members.length >= Math.max(LEAST_CLUSTER, LEAST_CLUSTER_SHARE * n))
      .map((run) => ({
        ...run,
        kind: kindOf(
          run.members.map((position) => classAt(position, false)),
          aloneByOthers,
          model,
        ),
      })),
  };
};

/** Points of a mark; of marks about one trait only the first that holds counts. */
type Mark = readonly [points: number, holds: (traits: FollowerTraits) => boolean];

const less = (value: number | null, than: number): boolean => value !== null && value < than;

/** How many accounts it follows for each that follows it. */
const ratioOf = ({ followers, following }: FollowerTraits): number =>
  followers === null || following === null ? 0 : following / (followers + 1);

const AGE: readonly Mark[] = [
  [2, ({ ageDays }) => less(ageDays, 90)],
  [1, ({ ageDays }) => less(ageDays, 365)],
];

const OTHERS: readonly (readonly Mark[])[] = [
  [
    [2, (traits) => ratioOf(traits) >= 20 && (traits.following ?? 0) >= 100],
    [1, (traits) => ratioOf(traits) >= 5 && (traits.following ?? 0) >= 100],
  ],
  [[1, ({ followers }) => less(followers, 10)]],
  [[2, ({ hasAvatar }) => hasAvatar === false]],
  [[1, ({ hasBio }) => hasBio === false]],
];

const pointsOf = (marks: readonly (readonly Mark[])[], traits: FollowerTraits): number =>
  marks.reduce((sum, mark) => sum + (mark.find(([, holds]) => holds(traits))?.[0] ?? 0), 0);

const SUSPICIOUS = 4;
const SUSPICIOUS_WITHOUT_AGE = 3;
/** Fewer than a post a year, of an account that is a year old. */
const isQuiet = ({ ageDays, posts }: FollowerTraits): boolean =>
  ageDays !== null && posts !== null && ageDays >= 365 && posts < ageDays / 365;

/**
 * Class of a follower by marks with points, where no labelled sample says what they are worth. A convention: points and
 * thresholds are chosen, and no error of it is known.
 */
export const conventionalClass = (traits: FollowerTraits, isAgeKnown = true): FollowerClass => {
  const points = pointsOf(isAgeKnown ? [AGE, ...OTHERS] : OTHERS, traits);
  if (points >= (isAgeKnown ? SUSPICIOUS : SUSPICIOUS_WITHOUT_AGE)) return 'suspicious';
  return isQuiet(traits) ? 'inactive' : 'genuine';
};

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
