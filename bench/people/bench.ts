import { populationOf, READ, type Read } from '../../infra/calibrate/people/population.ts';
import { resolve } from '../../infra/calibrate/people/resolve.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from '../../infra/simulator/world/parameters.ts';
import { readWorld } from '../../infra/simulator/world/read-world.ts';
import { student95 } from '../../src/kernel/distributions.ts';
import { MODEL } from '../../src/write/people/signals.ts';
import { type Goal, goalsFor, progress, type Report } from '../support/targets.ts';
import { calibrationError, judge, type Score } from './judge.ts';

/** Weights were estimated on the default document, and on those drawn from seeds below this one. */
const FIRST_DRAW = 101;
const FIRST_SEED = 1_001;
const BENCH = 'bench:people';
const [FULL, QUICK] = [1_500, 600];
/** Share of accounts of adversaries who know the method, in worlds that draw fewer. */
const ADAPTIVE = 0.02;

export interface PeopleOptions {
  readonly quick: boolean;
  readonly world?: string;
  readonly draw?: number;
  readonly draws?: number;
  readonly seeds?: number;
  readonly firstSeed?: number;
}

interface NamedWorld {
  readonly parameters: Parameters;
  /** Options that repeat it. */
  readonly flag: string;
}

interface Result {
  readonly hash: string;
  readonly isDefault: boolean;
  readonly isAttacked: boolean;
  readonly read: Read;
  readonly scores: readonly Score[];
}

const worldsOf = async ({
  quick,
  world,
  draw,
  draws = quick ? 1 : 10,
}: PeopleOptions): Promise<readonly NamedWorld[]> => {
  if (world !== undefined) return [{ parameters: await readWorld(world), flag: `--world ${world}` }];
  if (draw !== undefined) return [{ parameters: drawParameters(draw), flag: `--draw ${draw}` }];
  const drawn = Array.from({ length: draws }, (_, n) => FIRST_DRAW + n);
  return [
    { parameters: DEFAULT_PARAMETERS, flag: '--draws 0' },
    ...drawn.map((seed) => ({ parameters: drawParameters(seed), flag: `--draw ${seed}` })),
  ];
};

const withAdversaries = (parameters: Parameters, adaptive: number): Parameters => ({
  ...parameters,
  adversaries: { ...parameters.adversaries, adaptive },
});

const total = (scores: readonly Score[], pick: (score: Score) => number): number =>
  scores.reduce((sum, score) => sum + pick(score), 0);

const precisionOf = (scores: readonly Score[]): number =>
  total(scores, ({ truePairs }) => truePairs) /
  total(scores, ({ truePairs, falsePairs }) => truePairs + falsePairs);
const recallOf = (scores: readonly Score[]): number =>
  total(scores, ({ found }) => found) / total(scores, ({ joined }) => joined);
const recallOfAll = (scores: readonly Score[]): number =>
  total(scores, ({ truePairs }) => truePairs) / total(scores, ({ allPairs }) => allPairs);
const recallWithClaims = (scores: readonly Score[]): number =>
  total(scores, ({ truePairs, claimedPairs }) => truePairs + claimedPairs) /
  total(scores, ({ allPairs }) => allPairs);
const errorOf = (scores: readonly Score[]): number =>
  calibrationError(scores.flatMap(({ stated }) => stated));
const accountsOf = (scores: readonly Score[], kind: string): number =>
  total(scores, ({ accountsByKind }) => accountsByKind[kind] ?? 0);

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

/** A ratio over populations, with its jackknife interval over them (Efron and Stein 1981). */
const withInterval = (scores: readonly Score[], of: (some: readonly Score[]) => number): string => {
  const all = of(scores);
  const n = scores.length;
  if (n < 2) return percent(all, 2);
  const parts = scores.map((left) => of(scores.filter((one) => one !== left)));
  const middle = parts.reduce((a, b) => a + b, 0) / n;
  const error = Math.sqrt(((n - 1) / n) * parts.reduce((sum, part) => sum + (part - middle) ** 2, 0));
  const slack = student95(n - 1) * error;
  return `${percent(all, 2)} (${percent(all - slack, 2)} to ${percent(Math.min(1, all + slack), 2)})`;
};

const HEAD = [
  'world',
  'adversaries who know the method',
  'read',
  'precision',
  'recall of pairs with evidence of both sides',
  'of all pairs',
  'with claims',
  'merged of such adversaries',
  'of older takers',
  'ECE',
];

const rowOf = ({ hash, isAttacked, read, scores }: Result): readonly string[] => [
  hash,
  isAttacked ? 'yes' : 'no',
  read,
  withInterval(scores, precisionOf),
  withInterval(scores, recallOf),
  percent(recallOfAll(scores)),
  percent(recallWithClaims(scores)),
  `${total(scores, ({ mergedByKind }) => mergedByKind.adaptive ?? 0)} of ${accountsOf(scores, 'adaptive')}`,
  `${total(scores, ({ mergedByKind }) => mergedByKind.older_taker ?? 0)} of ${accountsOf(scores, 'older_taker')}`,
  percent(errorOf(scores), 2),
];

const { least, most } = goalsFor(BENCH);

const goalsOf = (results: readonly Result[]): readonly Goal[] => {
  const worst = (of: (scores: readonly Score[]) => number) =>
    Math.max(...results.map(({ scores }) => of(scores)));
  const usual = results.filter(
    ({ isDefault, isAttacked, read }) => isDefault && !isAttacked && read === 'all',
  );
  return [
    most(
      'false pairs of a hundred, worst case',
      worst((scores) => 100 * (1 - precisionOf(scores))),
      1,
    ),
    most(
      'adversaries merged by one-way evidence, worst case',
      worst((scores) => total(scores, ({ mergedByKind }) => mergedByKind.adaptive ?? 0)),
      0,
    ),
    least(
      'recall of pairs with evidence of both sides, worst case',
      -worst((scores) => -recallOf(scores)),
      0.95,
    ),
    ...usual.map(({ scores }) =>
      least('recall of all pairs in the default world', recallOfAll(scores), 0.45),
    ),
    most(
      'calibration error in percent, worst case',
      worst((scores) => 100 * errorOf(scores)),
      2,
    ),
  ];
};

/** Persons against the truth, with and without adversaries who know the method, in catalogs that are read in part. */
export const run = async (options: PeopleOptions): Promise<Report> => {
  const { quick, seeds: count = quick ? 2 : 3, firstSeed = FIRST_SEED } = options;
  const size = quick ? QUICK : FULL;
  const worlds = await worldsOf(options);
  const results: Result[] = [];
  for (const [n, { parameters, flag }] of worlds.entries()) {
    const attacked = withAdversaries(parameters, Math.max(ADAPTIVE, parameters.adversaries.adaptive));
    const cases = [
      { parameters: withAdversaries(parameters, 0), read: 'all' as const, isAttacked: false },
      ...(Object.keys(READ) as Read[]).map((read) => ({ parameters: attacked, read, isAttacked: true })),
    ];
    for (const one of cases) {
      const scores: Score[] = [];
      for (let seed = firstSeed; seed < firstSeed + count; seed++) {
        const population = populationOf(one.parameters, seed, size, one.read);
        scores.push(await judge(population, await resolve(population, MODEL), MODEL));
      }
      results.push({ hash: hashOf(one.parameters), isDefault: flag === '--draws 0', ...one, scores });
    }
    progress(`  ${n + 1} of ${worlds.length}: ${flag}`);
  }
  const repeat = `--seeds ${count}${firstSeed === FIRST_SEED ? '' : ` --first-seed ${firstSeed}`}${quick ? ' --quick' : ''}`;
  return {
    bench: BENCH,
    table: [HEAD, ...results.map(rowOf)],
    goals: goalsOf(results),
    notes: [
      `${size} accounts of each of seven platforms, seeds ${firstSeed} to ${firstSeed + count - 1}; intervals of 95 %.`,
      'Read: all accounts, half of them, or those with a thousand followers. Claims: links of a person to an account that does not answer.',
      'Older takers have a handle that their victim left before anybody read it, and its accounts still link to them: they are judged apart.',
      ...worlds.map(({ flag }) => `npm run ${BENCH} -- ${flag} ${repeat}`),
    ],
  };
};
