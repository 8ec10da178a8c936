import type { CalibrationReport } from '../../runtime/calibration-thread.ts';
import { renderTable } from './table.ts';

/** Tables of each world, and what was missed. */
export const calibrationText = ({ method_version, seeds, worlds }: CalibrationReport): string => {
  const [first = '', ...notes] = notesOf(worlds);
  return [
    ...worlds.map((world) => worldText(world, seeds)),
    `Method ${method_version}. ${first}`,
    ...notes,
    worlds.every(({ missed }) => missed.length === 0)
      ? 'All bars met.'
      : worlds
          .flatMap(({ hash, missed }) => missed.map((what) => `Missed in world ${hash}: ${what}`))
          .join('\n'),
  ].join('\n\n');
};

type World = CalibrationReport['worlds'][number];
type Figure = World['summary']['figures'][number];

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

const errorText = ({ figure, error }: Figure): string =>
  /pct$/.test(figure) || figure === 'percentile' ? `${error.toPrecision(2)} points` : percent(error);

const rowOf = (figure: Figure): readonly string[] => [
  `${figure.figure}${figure.few ? ' *' : ''}`,
  String(figure.n),
  errorText(figure),
  percent(figure.coverage),
  `${percent(figure.coverage_low)} to ${percent(figure.coverage_high)}`,
  figure.width === null ? '' : figure.width.toFixed(2),
  figure.missed ?? '',
];

const HEAD = [
  { head: 'figure', keep: true },
  'accounts',
  'median error',
  'coverage',
  { head: '99.9 % interval', optional: true },
  'worst labelled sample',
  'width',
  { head: 'missed', keep: true },
];

type Tool = World['tools'][number];

const toolRow = (tool: Tool): readonly string[] => [
  `${tool.figure}${tool.few ? ' *' : ''}`,
  String(tool.n),
  tool.error.toPrecision(3),
  tool.reference === null ? '' : tool.reference.toPrecision(3),
  tool.reference === null ? '' : (tool.error / tool.reference).toFixed(2),
  percent(tool.coverage),
  `${percent(tool.coverage_low)} to ${percent(tool.coverage_high)}`,
  percent(tool.insufficient),
  tool.missed ?? '',
];

const TOOL_HEAD = [
  { head: 'stated by a tool', keep: true },
  'n',
  'error',
  'reference',
  'ratio',
  'coverage',
  { head: '99.9 % interval', optional: true },
  { head: 'insufficient', optional: true },
  { head: 'missed', keep: true },
];

const headOf = (world: World, seeds: readonly number[]): string =>
  `World ${world.hash}${world.held_back ? ', held back' : ''}: sightline calibrate${world.options === '' ? '' : ` ${world.options}`} --seeds ${seeds.length} --first-seed ${seeds[0]}`;

const AUDIT_HEAD = [
  { head: 'audits', keep: true },
  'accounts',
  'AUC',
  'blocks named',
  'surges taken for bought',
  { head: 'missed', keep: true },
] as const;

const SHARE_HEAD = [
  { head: 'share of followers', keep: true },
  'accounts',
  'median error',
  'coverage',
  { head: '99.9 % interval', optional: true },
  'width',
  'not distinguished from 0',
] as const;

const auditTexts = (audits: World['audits']): readonly string[] =>
  audits.length === 0
    ? []
    : [
        renderTable(
          AUDIT_HEAD,
          audits.map((audit) => [
            audit.platform,
            String(audit.accounts),
            audit.auc.toFixed(3),
            `${percent(audit.named)} of ${audit.bought}`,
            `${percent(audit.false_alarms)} of ${audit.surges}`,
            audit.missed.join('; '),
          ]),
        ),
        renderTable(
          SHARE_HEAD,
          audits.flatMap(({ platform, shares }) =>
            shares.map((one) => [
              `${one.share}, ${platform}`,
              String(one.n),
              `${(100 * one.error).toFixed(1)} points`,
              percent(one.coverage),
              `${percent(one.coverage_low)} to ${percent(one.coverage_high)}`,
              percent(one.least_by_sample),
              `${(100 * one.width).toFixed(1)} points`,
              percent(one.indistinguishable),
            ]),
          ),
        ),
      ];

const figuresText = (world: World, seeds: readonly number[]): string => {
  const { figures, tests, cells } = world.summary;
  const first = figures.find(({ figure }) => figure === 'engagement_rate_followers');
  const of = cells.filter(({ figure }) => figure === 'engagement_rate_followers');
  return [
    headOf(world, seeds),
    renderTable(HEAD, figures.map(rowOf)),
    renderTable(
      [
        { head: 'test', keep: true },
        'without effect',
        'false discoveries',
        'with one',
        'found',
        { head: 'missed', keep: true },
      ],
      tests.map((test) => [
        test.test,
        String(test.without),
        percent(test.false_discoveries),
        String(test.with),
        percent(test.power),
        test.missed ?? '',
      ]),
    ),
    renderTable(
      [{ head: 'engagement by followers, of accounts', keep: true }, 'accounts', 'median error', 'coverage'],
      of.map(({ cell, n, error, coverage }) => [cell, String(n), percent(error), percent(coverage)]),
    ),
    ...auditTexts(world.audits),
    first === undefined
      ? ''
      : `Insufficient data for ${percent(first.insufficient)} of the accounts as they come.`,
  ].join('\n');
};

const toolsText = (world: World, seeds: readonly number[]): string =>
  [headOf(world, seeds), renderTable(TOOL_HEAD, world.tools.map(toolRow))].join('\n');

const intervalText = ([low, high]: readonly [number, number]): string =>
  `${percent(low)} to ${percent(high)}`;

const IMPERSONATION_HEAD = [
  { head: 'asked about', keep: true },
  'suspects',
  { head: 'named', keep: true },
  'precision',
  { head: 'its 95 % interval', optional: true },
  'recall',
  { head: 'interval of recall', optional: true },
  'recall at a precision of 95 %',
  { head: 'interval of that', optional: true },
  'oracle’s',
] as const;

const impersonationText = (
  world: World,
  found: NonNullable<World['impersonation']>,
  seeds: readonly number[],
): string =>
  [
    headOf(world, seeds),
    renderTable(
      IMPERSONATION_HEAD,
      found.rows.map((row) => [
        row.asked === 'all' ? 'all accounts of persons' : 'impersonated accounts',
        String(row.suspects),
        row.threshold,
        percent(row.precision),
        intervalText(row.precision_interval),
        percent(row.recall),
        intervalText(row.recall_interval),
        percent(row.best_recall),
        intervalText(row.best_interval),
        percent(row.oracle_recall),
      ]),
    ),
    `${found.impersonators} impersonators, ${found.not_found} of them no suspects. Of ${found.takers} who took a handle over to impersonate ${percent(found.takers_named)} are named.`,
    `Of ${found.clones} clones that link to their subject ${percent(found.clones_named)} are an unconfirmed copy. Unconfirmed copies: ${found.unconfirmed.copies} copies, ${found.unconfirmed.own} own accounts that nothing answers, ${found.unconfirmed.others} of others.`,
    `Which of an impersonator and its subject copies the other: ${found.directions.right} right, ${found.directions.unknown} unknown, ${found.directions.wrong} wrong.`,
    `Named of impersonated accounts, and no impersonators: ${
      Object.entries(found.false_by_relation)
        .map(([relation, n]) => `${n} ${relation}`)
        .join(', ') || 'none'
    }.`,
  ].join('\n');

const IMPERSONATION_NOTES = [
  'Oracle: weights of all parts and their products, from labels of other populations of the same document.',
  'Recall is of all impersonators whose subject is in the catalog; takers of handles are not among them.',
];

const FIGURE_NOTES = [
  '* accounts for which the figure takes few values: an interval of whole counts, judged from below.',
  'Width: median of the intervals’ widths by those of a block bootstrap of the same posts.',
];
const TOOL_NOTES = [
  '* few numbers that are shown, or few reactions: intervals are rounded outwards, and judged from below.',
  'Error: mean |ln (projected / had)| of followers, median |ln (stated / true)| of all else.',
  'Reference: the noise of the world’s prices; of followers a random walk with drift.',
];

const worldText = (world: World, seeds: readonly number[]): string => {
  if (world.impersonation !== null) return impersonationText(world, world.impersonation, seeds);
  return world.tools.length > 0 ? toolsText(world, seeds) : figuresText(world, seeds);
};

/** Notes on the tables of all worlds. */
const notesOf = (worlds: readonly World[]): readonly string[] => {
  if (worlds.some(({ impersonation }) => impersonation !== null)) return IMPERSONATION_NOTES;
  return worlds.some(({ tools }) => tools.length > 0) ? TOOL_NOTES : FIGURE_NOTES;
};
