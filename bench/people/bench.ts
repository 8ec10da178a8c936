import { writeFile } from 'node:fs/promises';
import { populationOf } from '../../infra/calibrate/people/population.ts';
import { resolve } from '../../infra/calibrate/people/resolve.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from '../../infra/simulator/world/parameters.ts';
import { readWorld } from '../../infra/simulator/world/read-world.ts';
import { student95 } from '../../src/kernel/distributions.ts';
import { MODEL } from '../../src/write/people/signals.ts';
import { type Goal, goalsFor, progress, type Report } from '../support/targets.ts';
import { calibrationError, judge, reliabilityOf, type Score } from './judge.ts';
import { oracleOf } from './oracle.ts';
import { pictureOf } from './picture.ts';

/** The document that weights were estimated on, as on those drawn from seeds below `FIRST_DRAW`. */
const TUNED_ON = '171ab57b99f75b49';
const FIRST_DRAW = 101;
const FIRST_SEED = 1_001;
const BENCH = 'bench:people';
const [FULL, QUICK] = [1_500, 600];

export interface PeopleOptions {
  readonly quick: boolean;
  readonly world?: string;
  readonly draw?: number;
  readonly draws?: number;
  readonly seeds?: number;
  readonly firstSeed?: number;
  readonly svg?: string;
}

interface NamedWorld {
  readonly parameters: Parameters;
  /** Options that repeat it. */
  readonly flag: string;
}

interface WorldResult {
  readonly hash: string;
  readonly flag: string;
  readonly ours: readonly Score[];
  readonly oracle: readonly Score[];
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

const total = (scores: readonly Score[], pick: (score: Score) => number): number =>
  scores.reduce((sum, score) => sum + pick(score), 0);

const precisionOf = (scores: readonly Score[]): number =>
  total(scores, ({ truePairs }) => truePairs) /
  total(scores, ({ truePairs, falsePairs }) => truePairs + falsePairs);
const recallOf = (scores: readonly Score[]): number =>
  total(scores, ({ found }) => found) / total(scores, ({ joined }) => joined);
const errorOf = (scores: readonly Score[]): number =>
  calibrationError(scores.flatMap(({ stated }) => stated));

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
  'precision',
  'recall',
  'oracle’s recall',
  'of it',
  'B³ precision',
  'B³ recall',
  'exact',
  'ECE',
];

const rowOf = ({ hash, ours, oracle }: WorldResult): readonly string[] => [
  `${hash}${hash === TUNED_ON ? '' : ', held back'}`,
  withInterval(ours, precisionOf),
  withInterval(ours, recallOf),
  `${percent(recallOf(oracle))} at ${percent(precisionOf(oracle), 2)}`,
  percent(recallOf(ours) / recallOf(oracle)),
  withInterval(ours, (some) => total(some, ({ b3 }) => b3.precision) / some.length),
  withInterval(ours, (some) => total(some, ({ b3 }) => b3.recall) / some.length),
  withInterval(ours, (some) => total(some, ({ exact }) => exact) / some.length),
  percent(errorOf(ours), 2),
];

/** Kinds that are no adversaries, and parodies, which all say so: that none is joined is decided by the world. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['person', 'stranger', 'company', 'parody']);

/** False pairs of a kind of account by accounts of it: what each of these adversaries achieves. */
const kindsOf = (scores: readonly Score[]): string => {
  const kinds = [...new Set(scores.flatMap(({ accountsByKind }) => Object.keys(accountsByKind)))].toSorted();
  return kinds
    .filter((kind) => !NOT_COUNTED.has(kind))
    .map((kind) => {
      const wrong = total(scores, ({ byKind }) => byKind[kind] ?? 0);
      const accounts = total(scores, ({ accountsByKind }) => accountsByKind[kind] ?? 0);
      return `${kind} ${wrong} of ${accounts}`;
    })
    .join(', ');
};

const { least, most } = goalsFor(BENCH);

const goalsOf = (results: readonly WorldResult[]): readonly Goal[] => {
  const standard = results.filter(({ hash }) => hash === TUNED_ON);
  const worst = (of: (result: WorldResult) => number) => Math.max(...results.map(of));
  return [
    most(
      'false pairs of a hundred, worst world',
      worst(({ ours }) => 100 * (1 - precisionOf(ours))),
      1,
    ),
    ...standard.map(({ ours }) => least('recall in the default world', recallOf(ours), 0.9)),
    least(
      'share of the oracle’s recall, worst world',
      Math.min(...results.map(({ ours, oracle }) => recallOf(ours) / recallOf(oracle))),
      0.95,
    ),
    most(
      'calibration error in percent, worst world',
      worst(({ ours }) => 100 * errorOf(ours)),
      2,
    ),
  ];
};

/** Persons against the truth by kind of adversary, beside a judge that knows the densities of each world. */
export const run = async (options: PeopleOptions): Promise<Report> => {
  const { quick, seeds: count = quick ? 2 : 10, firstSeed = FIRST_SEED } = options;
  const size = quick ? QUICK : FULL;
  const worlds = await worldsOf(options);
  const results = worlds.map(({ parameters, flag }, n): WorldResult => {
    const oracle = oracleOf(parameters, size);
    const populations = Array.from({ length: count }, (_, k) => firstSeed + k).map((seed) => {
      const population = populationOf(parameters, seed, size);
      return [MODEL, oracle].map((model) => judge(population, resolve(population, model), model)) as [
        Score,
        Score,
      ];
    });
    progress(`  ${n + 1} of ${worlds.length}: world ${hashOf(parameters)} (${flag})`);
    return {
      hash: hashOf(parameters),
      flag,
      ours: populations.map(([ours]) => ours),
      oracle: populations.map(([, theirs]) => theirs),
    };
  });
  const repeat = `--seeds ${count}${firstSeed === FIRST_SEED ? '' : ` --first-seed ${firstSeed}`}${quick ? ' --quick' : ''}`;
  const [first] = results as [WorldResult];
  const setting = `${size} accounts of each of seven platforms, seeds ${firstSeed} to ${firstSeed + count - 1}`;
  if (options.svg !== undefined) {
    const stated = first.ours.flatMap((score) => score.stated);
    const caption = `World ${first.hash}, ${setting}.`;
    await writeFile(options.svg, pictureOf(reliabilityOf(stated), calibrationError(stated), caption));
  }
  return {
    bench: BENCH,
    table: [HEAD, ...results.map(rowOf)],
    goals: goalsOf(results),
    notes: [
      `${setting}. Recall: of pairs that a path of visible links joins; intervals of 95 %.`,
      'Oracle: weights and threshold from labels of other populations of the same document, at a precision of 0.99.',
      ...results.map(
        ({ hash, flag, ours }) =>
          `World ${hash}: npm run ${BENCH} -- ${flag} ${repeat}; false pairs by kind: ${kindsOf(ours)}`,
      ),
    ],
  };
};
