import { conventionalClass } from './conventional-class.ts';
import { type CreationRun, creationRuns } from './creation-clusters.ts';
import type { FollowerTraits } from './follower.ts';
import { type AuditModel, classOf, FOLLOWER_CLASSES, type FollowerClass } from './model.ts';
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

/** Of a run of followers: their classes by all but their age, since all of them are of one age. */
const kindOf = (
  classes: readonly FollowerClass[],
  elsewhere: readonly FollowerClass[],
  model: AuditModel | null,
): ClusterKind => {
  if (model !== null) {
    const strata = [{ counts: suspiciousAgainstOthers(countsOf(classes)), rule: 1 }] as const;
    const share = trueShare(strata, labelledAgainstOthers(model.labelled), 0);
    if (share === null) return 'undecided';
    return share.low > 0.5 ? 'bought' : share.high < 0.5 ? 'organic' : 'undecided';
  }
  // Without labels the rest of the audience is the control.
  const flagged = (some: readonly FollowerClass[]) =>
    wilsonInterval(some.filter((one) => one === 'suspicious').length, some.length);
  const [own, rest] = [flagged(classes), flagged(elsewhere)];
  return own.low > 0.5 && own.low > rest.high ? 'bought' : 'undecided';
};

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
    suspicious:
      model === null
        ? null
        : trueShare(strata(suspiciousAgainstOthers), labelledAgainstOthers(model.labelled), 0),
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
    signals: signalsOf(followers),
    clusters: runs.map((run) => ({
      ...run,
      kind: kindOf(
        run.members.map((position) => classAt(position, false)),
        aloneByOthers,
        model,
      ),
    })),
  };
};
