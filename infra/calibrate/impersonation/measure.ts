import type { Parts } from '../../../src/write/people/impersonation.ts';
import type { Asked, Example } from './examples.ts';

/** Persons of a population: each has accounts on several of seven platforms. */
export const SIZE = 1_500;
/** 1 / variance of the prior of a weight. */
export const RIDGE = 0.5;

/**
 * Who is neither right nor wrong: who shows itself as another account of the person, about which another answer is; an own account
 * that nothing answers, and who copies all of that, which look the same.
 */
const UNJUDGED: readonly Example['relation'][] = ['of_the_person', 'unanswered', 'clone', 'clone_of_others'];
export const isJudged = ({ relation }: Example): boolean => !UNJUDGED.includes(relation);
export const isRight = ({ relation }: Example): boolean =>
  relation === 'impersonator' || relation === 'taker';

export type LogOdds = (parts: Parts) => number;

/** A suspect's log odds, and whether it is an impersonator. An unconfirmed copy is listed whatever its log odds are. */
export interface Scored {
  readonly logOdds: number;
  readonly is: boolean;
  readonly relation: Example['relation'];
}

/**
 * Suspects with their log odds. Takers of a name are judged apart.
 * @param isImpersonated whether only accounts with an impersonator are asked about, or all accounts of persons.
 */
export const scoredOf = (
  asked: readonly Asked[],
  logOdds: LogOdds,
  isImpersonated: boolean,
): readonly Scored[] =>
  asked.flatMap(({ examples }) => {
    const subjects = new Set(
      examples.flatMap(({ relation, subject }) => (relation === 'impersonator' ? [subject] : [])),
    );
    return examples.flatMap((one) =>
      !isJudged(one) || one.relation === 'taker' || (isImpersonated && !subjects.has(one.subject))
        ? []
        : [
            {
              logOdds: one.isUnconfirmed ? Infinity : logOdds(one.parts),
              is: one.relation === 'impersonator',
              relation: one.relation,
            },
          ],
    );
  });

export const impersonatorsOf = (asked: readonly Asked[]): number =>
  asked.reduce((sum, { impersonators }) => sum + impersonators, 0);

/** Precision of what reaches a threshold, and its share of all impersonators, found as suspects or not. */
export const precisionAndRecall = (
  asked: readonly Asked[],
  logOdds: LogOdds,
  threshold: number,
  isImpersonated: boolean,
): {
  readonly precision: number;
  readonly recall: number;
  readonly named: number;
  readonly right: number;
} => {
  const named = scoredOf(asked, logOdds, isImpersonated).filter((one) => one.logOdds >= threshold);
  const right = named.filter(({ is }) => is).length;
  return {
    precision: right / Math.max(1, named.length),
    recall: right / Math.max(1, impersonatorsOf(asked)),
    named: named.length,
    right,
  };
};

/** The largest recall that a threshold has whose precision is at least so much, chosen among those that are judged. */
export const recallAt = (scored: readonly Scored[], least: number, impersonators: number): number => {
  const sorted = scored.toSorted((a, b) => b.logOdds - a.logOdds);
  let [right, best] = [0, 0];
  for (const [i, { logOdds, is }] of sorted.entries()) {
    if (is) right += 1;
    if (sorted[i + 1]?.logOdds !== logOdds && right / (i + 1) >= least) best = right;
  }
  return best / Math.max(1, impersonators);
};
