import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from '../../infra/simulator/world/parameters.ts';
import { readWorld } from '../../infra/simulator/world/read-world.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import {
  countsOf,
  FALSE_BAR,
  falseRateOf,
  foundOf,
  type PartCounts,
  PRECISION_BAR,
  precisionOf,
  RECALL_BAR,
  recallOf,
} from './judge.ts';
import { BOXES, type Box, checkMix } from './mix.ts';

const BENCH = 'bench:shadowban';
/** The document that the check was written on. */
const TUNED_ON = '3add3c3b0a5a92b5';
const FIRST_SEED = 3_001;
/** Shares of requests that meet a fault. */
const FAULTS = [0, 0.1, 0.3];
const FULL = { banned: 200, fallen: 1_000, clear: 1_000 };
const QUICK = { banned: 40, fallen: 40, clear: 80 };

interface ShadowbanOptions {
  readonly quick: boolean;
  /** File of parameters: this world alone. */
  readonly world?: string;
  /** Seed of drawn parameters: this world alone. */
  readonly draw?: number;
  readonly firstSeed?: number;
}

const parametersOf = async ({ world, draw }: ShadowbanOptions): Promise<Parameters> => {
  if (world !== undefined) return readWorld(world);
  return draw === undefined ? DEFAULT_PARAMETERS : drawParameters(draw);
};

const share = (value: number): string => value.toFixed(4);

/** The confusion matrix of the shadowban check, part by part, on a mix of its own and under faults. */
export const run = async (options: ShadowbanOptions): Promise<Report> => {
  const parameters = await parametersOf(options);
  const seed = options.firstSeed ?? FIRST_SEED;
  const mix = options.quick ? QUICK : FULL;
  const table: (readonly string[])[] = [
    [
      'setting',
      'part',
      'banned: limited',
      'clear',
      'unknown',
      'others: limited',
      'clear',
      'unknown',
      'recall',
      'precision',
      'found of all',
    ],
  ];
  const goals: Goal[] = [];
  const notes: string[] = [];
  const check = (box: Box, faults: number) =>
    checkMix({ parameters, seed, faults, box, ...mix }, (done, total) => {
      if (done % 500 === 0)
        progress(`  ${done} of ${total} accounts, ${faults * 100} % faults, box suggests ${box}`);
    });
  const rowOf = (setting: string, counts: PartCounts): readonly string[] => {
    const { part, found, missed, unknownBanned, falseAlarms, clear, unknownClear } = counts;
    const numbers = [found, missed, unknownBanned, falseAlarms, clear, unknownClear].map(String);
    return [setting, part, ...numbers, ...[recallOf, precisionOf, foundOf].map((of) => share(of(counts)))];
  };
  for (const box of Object.keys(BOXES) as readonly Box[]) {
    if (box === 'all') continue;
    const [counts] = countsOf(await check(box, 0)).filter(({ part }) => part === 'suggestion');
    if (counts === undefined) continue;
    table.push(rowOf(`box: ${box}`, counts));
    // What it leaves out at random looks like a ban: that is printed and not judged.
    if (box === 'four in five') continue;
    goals.push({
      bench: BENCH,
      what: `suggestion, others called limited, box suggests ${box}`,
      ratio: falseRateOf(counts),
      goal: FALSE_BAR,
      kind: 'most',
    });
  }
  for (const faults of FAULTS) {
    const checked = await check('all', faults);
    for (const counts of countsOf(checked)) {
      const { part } = counts;
      table.push(rowOf(`${faults * 100} % faults`, counts));
      const of = { bench: BENCH, kind: 'least' } as const;
      goals.push(
        {
          ...of,
          what: `${part}, recall, ${faults * 100} % faults`,
          ratio: recallOf(counts),
          goal: RECALL_BAR,
        },
        {
          ...of,
          what: `${part}, precision, ${faults * 100} % faults`,
          ratio: precisionOf(counts),
          goal: PRECISION_BAR,
        },
      );
    }
    const requests = checked.map((one) => one.requests).sort((a, b) => a - b);
    const failed = checked.filter(({ verdicts }) => verdicts === null).length;
    notes.push(
      `${faults * 100} % faults: ${requests[requests.length >> 1]} requests a check in the median, ${requests.at(-1)} at most; ${failed} of ${checked.length} calls failed and were refunded`,
    );
  }
  const hash = hashOf(parameters);
  const flags = [
    options.world === undefined ? '' : ` --world ${options.world}`,
    options.draw === undefined ? '' : ` --draw ${options.draw}`,
  ].join('');
  return {
    bench: BENCH,
    table,
    goals,
    notes: [
      ...notes,
      `World ${hash}${hash === TUNED_ON ? '' : ', held back'}: ${mix.banned} accounts of each ban, ${mix.fallen} whose engagement fell without one, ${mix.clear} clear; npm run ${BENCH} --${flags} --first-seed ${seed}`,
      'Recall and precision of known parts are decided by the simulated platform, which limits all readers alike.',
      'recall: of banned accounts whose part is known; found of all: of all banned accounts, unknown ones included',
    ],
  };
};
