import type { Pair, PeopleComparison } from '../../operations/people/compare.ts';
import type { Explanation } from '../../operations/people/explain.ts';
import type { PeopleFigures, Share } from '../../operations/people/figures.ts';
import { renderTable } from './table.ts';

const percent = (share: number | null): string => (share === null ? 'none' : `${(100 * share).toFixed(2)} %`);
const signed = (n: number): string => `${n < 0 ? '' : '+'}${n.toFixed(2)}`;

/** The waterfall of an explanation, a step a line. */
export const explanationText = (found: Explanation): string => {
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

export const figuresText = (world: string, figures: PeopleFigures): string => {
  const rows = [
    shareRow('precision of pairs', figures.precision),
    shareRow('recall of pairs that links join', figures.recall),
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

const pairLines = (mark: string, some: readonly Pair[], count: number): readonly string[] => [
  ...some.map(([a, b]) => `${mark} ${a}  ${b}`),
  ...(count > some.length ? [`${mark} … and ${count - some.length} more`] : []),
];

export const comparisonText = ({ pairs, gained, lost }: PeopleComparison): string =>
  [
    `${pairs.first} pairs in the first, ${pairs.second} in the second, ${pairs.both} in both.`,
    `${gained.count} new positives, ${lost.count} new negatives.`,
    ...pairLines('+', gained.some, gained.count),
    ...pairLines('-', lost.some, lost.count),
  ].join('\n');
