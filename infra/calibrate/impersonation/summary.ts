import {
  type Direction,
  impersonationLogOdds,
  MODEL_WEIGHTS,
  THRESHOLDS,
} from '../../../src/write/people/impersonation.ts';
import type { Parameters } from '../../simulator/world/parameters.ts';
import { exactInterval } from '../coverage.ts';
import { populationOf } from '../people/population.ts';
import { type Asked, examplesOf, type Relation } from './examples.ts';
import { estimate, patternsOf } from './fit.ts';
import {
  impersonatorsOf,
  isJudged,
  isRight,
  type LogOdds,
  precisionAndRecall,
  recallAt,
  SIZE,
  scoredOf,
} from './measure.ts';

/** Bar of precision and recall. */
const LEAST = 0.95;
const CONFIDENCE = 0.95;
/** Fewer impersonators are printed and not judged. */
const LEAST_JUDGED = 200;

/** Populations that the oracle learns from, which are none that it is judged on. */
const ORACLE_SEEDS = [900_001, 900_002, 900_003, 900_004, 900_005, 900_006];
/** Ridge of the oracle, which has many weights, towards those of the method. */
const ORACLE_RIDGE = 3;

type Interval = readonly [low: number, high: number];

export interface ImpersonationRow {
  /** Which accounts are asked about: those with an impersonator, or all that belong to a person with several. */
  readonly asked: 'impersonated' | 'all';
  readonly suspects: number;
  /** At the threshold that is stated: `possible` of the impersonated, `likely` of all. */
  readonly threshold: keyof typeof THRESHOLDS;
  readonly precision: number;
  readonly precision_interval: Interval;
  readonly recall: number;
  readonly recall_interval: Interval;
  /** The largest recall of a threshold with a precision of 0.95, with its interval, and that of the oracle. */
  readonly best_recall: number;
  readonly best_interval: Interval;
  readonly oracle_recall: number;
}

export interface ImpersonationSummary {
  readonly impersonators: number;
  /** Impersonators that are no suspects of their subject. */
  readonly not_found: number;
  /** Accounts that took over a name and show themselves as who left it, and the share that is at least `possible`. */
  readonly takers: number;
  readonly takers_named: number;
  /** Accounts that copy all that a person's account shows, and link to it, and the share that is an `unconfirmed_copy`. */
  readonly clones: number;
  readonly clones_named: number;
  /** Unconfirmed copies: of impersonators and clones, own accounts that nothing answers, and accounts of others. */
  readonly unconfirmed: { readonly copies: number; readonly own: number; readonly others: number };
  /** Which of an impersonator and its subject is said to copy the other, whichever of the two is asked about. */
  readonly directions: { readonly right: number; readonly unknown: number; readonly wrong: number };
  readonly rows: readonly ImpersonationRow[];
  /** Of accounts that are no impersonators, by relation, those that are named `possible` where the impersonated are asked about. */
  readonly false_by_relation: Readonly<Record<string, number>>;
  readonly missed: readonly string[];
}

const interval = (hits: number, n: number): Interval => exactInterval(hits, n, CONFIDENCE);

/**
 * Who knows a document: weights of all parts and all products of two, from labels of other populations of it. It sees no more
 * of an account than the method.
 */
const oracleOf = async (parameters: Parameters): Promise<LogOdds> => {
  const asked = await askedOf(parameters, ORACLE_SEEDS);
  const examples = asked.flatMap((one) =>
    one.examples.filter((each) => isJudged(each) && !each.isUnconfirmed),
  );
  const labelled = examples.map((one) => ({ parts: one.parts, is: isRight(one) }));
  return estimate(patternsOf(labelled), ORACLE_RIDGE, { expected: MODEL_WEIGHTS, hasProducts: true }).logOdds;
};

const rowOf = (
  asked: readonly Asked[],
  oracle: LogOdds,
  which: ImpersonationRow['asked'],
): ImpersonationRow => {
  const isImpersonated = which === 'impersonated';
  const threshold = isImpersonated ? 'possible' : 'likely';
  const impersonators = impersonatorsOf(asked);
  const scored = scoredOf(asked, impersonationLogOdds, isImpersonated);
  const { precision, recall, named, right } = precisionAndRecall(
    asked,
    impersonationLogOdds,
    THRESHOLDS[threshold],
    isImpersonated,
  );
  const best = recallAt(scored, LEAST, impersonators);
  return {
    asked: which,
    suspects: scored.length,
    threshold,
    precision,
    precision_interval: interval(right, Math.max(1, named)),
    recall,
    recall_interval: interval(right, Math.max(1, impersonators)),
    best_recall: best,
    best_interval: interval(Math.round(best * impersonators), Math.max(1, impersonators)),
    oracle_recall: recallAt(scoredOf(asked, oracle, isImpersonated), LEAST, impersonators),
  };
};

const missesOf = (rows: readonly ImpersonationRow[], impersonators: number): readonly string[] => {
  if (impersonators < LEAST_JUDGED) return ['fewer impersonators than are judged'];
  return rows.flatMap(({ asked, precision, recall }) => {
    if (asked === 'impersonated')
      return [
        ...(precision < LEAST ? [`precision of impersonators below ${LEAST}`] : []),
        ...(recall < LEAST ? [`recall of impersonators below ${LEAST}`] : []),
      ];
    return precision < LEAST ? [`precision of suspects of any account below ${LEAST}`] : [];
  });
};

const CLONES: readonly Relation[] = ['of_the_person', 'clone', 'clone_of_others'];

const directionsOf = (asked: readonly Asked[]): ImpersonationSummary['directions'] => {
  const forwards = asked.flatMap(({ examples }) =>
    examples.flatMap(({ relation, direction }) => (relation === 'impersonator' ? [direction] : [])),
  );
  const backwards = asked.flatMap(({ reversed }) => reversed);
  const count = (forward: Direction, backward: Direction) =>
    forwards.filter((one) => one === forward).length + backwards.filter((one) => one === backward).length;
  return {
    right: count('copies', 'is_copied'),
    unknown: count('unknown', 'unknown'),
    wrong: count('is_copied', 'copies'),
  };
};

/** What is named of populations that were asked about. */
export const impersonationSummary = (asked: readonly Asked[], oracle: LogOdds): ImpersonationSummary => {
  const impersonators = impersonatorsOf(asked);
  const rows = (['impersonated', 'all'] as const).map((which) => rowOf(asked, oracle, which));
  const takers = asked.flatMap(({ examples }) => examples.filter(({ relation }) => relation === 'taker'));
  const clones = asked.flatMap(({ examples }) => examples.filter(({ relation }) => relation === 'clone'));
  const unconfirmed = asked.flatMap(({ examples }) => examples.filter(({ isUnconfirmed }) => isUnconfirmed));
  const isNamed = (logOdds: number) => logOdds >= THRESHOLDS.possible;
  const wrong = scoredOf(asked, impersonationLogOdds, true).filter(
    ({ is, logOdds }) => !is && isNamed(logOdds),
  );
  return {
    impersonators,
    not_found: asked.reduce((sum, { notFound }) => sum + notFound, 0),
    takers: takers.length,
    takers_named:
      takers.filter(({ parts }) => isNamed(impersonationLogOdds(parts))).length / Math.max(1, takers.length),
    clones: clones.length,
    clones_named: clones.filter(({ isUnconfirmed }) => isUnconfirmed).length / Math.max(1, clones.length),
    unconfirmed: {
      copies: unconfirmed.filter((one) => isRight(one) || CLONES.includes(one.relation)).length,
      own: unconfirmed.filter(({ relation }) => relation === 'unanswered').length,
      others: unconfirmed.filter((one) => isJudged(one) && !isRight(one)).length,
    },
    directions: directionsOf(asked),
    rows,
    false_by_relation: Object.fromEntries(
      [...Map.groupBy(wrong, ({ relation }) => relation)].map(([relation, some]) => [relation, some.length]),
    ),
    missed: missesOf(rows, impersonators),
  };
};

const askedOf = async (
  parameters: Parameters,
  seeds: readonly number[],
  onPopulation: () => void = () => undefined,
): Promise<readonly Asked[]> => {
  const asked: Asked[] = [];
  for (const seed of seeds) {
    asked.push(await examplesOf(populationOf(parameters, seed, SIZE)));
    onPopulation();
  }
  return asked;
};

/** Impersonators of a world's persons beside what is named, over several populations of it. */
export const measureImpersonation = async (
  parameters: Parameters,
  seeds: readonly number[],
  onPopulation: () => void = () => undefined,
): Promise<ImpersonationSummary> => {
  const asked = await askedOf(parameters, seeds, onPopulation);
  const summary = impersonationSummary(asked, await oracleOf(parameters));
  onPopulation();
  return summary;
};
