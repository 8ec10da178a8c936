import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors.ts';
import type { Pair, PeopleComparison } from '../../operations/people/compare.ts';
import type { Explanation } from '../../operations/people/explain.ts';
import type { PeopleFigures, Share } from '../../operations/people/verify.ts';
import { type Json, printResult, renderTable } from '../render/table.ts';
import { withRuntime } from '../with-runtime.ts';

/** `sightline people`: why accounts are of one person, and how often that is right. */
export const peopleCommand = (): Command => {
  const people = new Command('people')
    .description('explain and verify which accounts belong to one person')
    .addHelpText('after', EXAMPLES);
  people
    .command('explain')
    .description('print why two accounts are, or are not, one person')
    .argument('<account>', 'platform:handle, platform:id:<id> or a profile URL')
    .argument('<other>', 'the same')
    .option('--json', 'print JSON')
    .action((account: string, other: string, options: Json) =>
      withRuntime(async (runtime) => {
        const { explainPeople } = await import('../../operations/people/explain.ts');
        const explanation = await explainPeople(runtime, account, other);
        printResult(options, explanation, () => explanationText(explanation));
      }),
    );
  people
    .command('verify')
    .description(
      'compare persons with the ground truth of a simulator; print precision, recall and calibration',
    )
    .option('--truth <url>', 'the simulator; SIMULATOR_URL by default')
    .option('--json', 'print JSON')
    .action((options: Json & { truth?: string }) =>
      withRuntime(async (runtime) => {
        const { trueOwners, verifyPeople, worldHash } = await import('../../operations/people/verify.ts');
        const simulator = options.truth ?? runtime.config.SIMULATOR_URL;
        if (simulator === undefined)
          throw new OperatorError('argument_invalid', 'give the URL of a simulator with --truth');
        const world = await worldHash(simulator);
        const figures = await verifyPeople(runtime, trueOwners(simulator));
        printResult(options, { world, ...figures }, () => figuresText(world, figures));
      }),
    );
  people
    .command('compare')
    .description('compare two builds or copies of the view; print the pairs that only one of them has')
    .argument('<first>', 'name of a build or copy, as listed by: sightline projections list')
    .argument('<second>', 'the same')
    .option('--show <n>', 'pairs of each kind to print', countOf, 10)
    .option('--json', 'print JSON')
    .action((first: string, second: string, options: Json & { show: number }) =>
      withRuntime(async (runtime) => {
        const { comparePeople } = await import('../../operations/people/compare.ts');
        const comparison = await comparePeople(runtime, first, second, options.show);
        printResult(options, comparison, () => comparisonText(comparison));
      }),
    );
  return people;
};

export const figuresText = (world: string, figures: PeopleFigures): string => {
  const rows = [
    shareRow('precision of pairs', figures.precision),
    shareRow('recall of pairs that both sides’ evidence joins', figures.recall),
    shareRow('recall of all pairs', figures.recall_of_all_pairs),
    shareRow('B³ precision', figures.b3_precision),
    shareRow('B³ recall', figures.b3_recall),
    shareRow('exact persons', figures.exact),
    ['calibration error', percent(figures.calibration_error), ''],
  ];
  const bins = figures.reliability.map(({ stated, right, accounts }) => [
    percent(stated),
    percent(right),
    accounts,
  ]);
  const kinds = figures.kinds.map(({ kind, accounts, false_pairs }) => [kind, accounts, false_pairs]);
  return [
    `World ${world}, ${figures.accounts} accounts of the catalog.`,
    renderTable(['figure', 'value', '95 % interval'], rows),
    renderTable(['stated confidence', 'share that was right', 'accounts'], bins),
    renderTable(['kind of account', 'accounts', 'false pairs'], kinds),
  ].join('\n\n');
};

const countOf = (text: string): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new OperatorError('argument_invalid', `"${text}" is no number of pairs; give one from 0 to 9999`);
};

const EXAMPLES = `
Examples:
  sightline people explain x:nasa https://www.instagram.com/nasa/
  sightline people verify --truth http://127.0.0.1:4410
  sightline projections rebuild people --as-of 2026-11-01
  sightline people compare people_as_of_91827 people_v2_b3

docs/methods/people.md describes the method and its measured quality.`;

const percent = (share: number | null): string => (share === null ? 'none' : `${(100 * share).toFixed(2)} %`);
const signed = (n: number): string => `${n < 0 ? '' : '+'}${n.toFixed(2)}`;

/** The waterfall of an explanation, a step a line. */
const explanationText = (found: Explanation): string => {
  const { are_one, confidence, evidence, groups, log_odds, method, reasons, threshold } = found;
  const steps = evidence.map(({ kind, weight, from, to }) => [
    kind,
    from === null ? '' : `${from} → ${to}`,
    signed(weight),
  ]);
  return [
    are_one ? 'One person.' : 'Not one person.',
    `Compared: ${groups.map((group) => group.join(', ')).join('\n    with: ')}`,
    ...(steps.length === 0 ? [] : [renderTable(['evidence', 'between', 'weight'], steps)]),
    ...(log_odds === null || confidence === null
      ? []
      : [
          `Log odds ${log_odds.toFixed(2)}, threshold ${threshold.toFixed(2)}: confidence ${confidence.toFixed(4)} (${method}).`,
        ]),
    ...reasons.map((reason) => `- ${reason}`),
  ].join('\n');
};

const shareRow = (name: string, share: Share | null): readonly string[] => [
  name,
  percent(share?.value ?? null),
  share === null || share.from === null ? '' : `${percent(share.from)} to ${percent(share.to)}`,
];

const pairLines = (mark: string, some: readonly Pair[], count: number): readonly string[] => [
  ...some.map(([a, b]) => `${mark} ${a}  ${b}`),
  ...(count > some.length ? [`${mark} … and ${count - some.length} more`] : []),
];

const comparisonText = ({ pairs, gained, lost }: PeopleComparison): string =>
  [
    `${pairs.first} pairs in the first, ${pairs.second} in the second, ${pairs.both} in both.`,
    `${gained.count} new positives, ${lost.count} new negatives.`,
    ...pairLines('+', gained.some, gained.count),
    ...pairLines('-', lost.some, lost.count),
  ].join('\n');
